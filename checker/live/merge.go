package live

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"contend/model"
)

// A step is an entry of a run.
type step struct {
	entry
	node model.NodeID
}

// steps returns the entries of all logs in the order of their instants. A crash comes right after the last entry of its
// node. The first entry of each node is left out: boot has the choices of Start in these.
func steps(s *model.System, logs []string) (all []step, boot []int, err error) {
	starts := make([][]int, len(s.Nodes))
	for _, path := range logs {
		entries, err := readLog(path)
		if err != nil {
			return nil, nil, err
		}
		for i, e := range entries {
			id := nodeOf(s, e.Node)
			switch {
			case id < 0:
				return nil, nil, fmt.Errorf("%s: line %d: %.60q is not a node of the protocol", path, i+1, e.Node)
			case i == 0:
				starts[id] = e.Boot
				continue
			case e.Start:
				all = append(all, step{entry{Node: e.Node, At: entries[i-1].At, Crash: true}, id})
			}
			all = append(all, step{e, id})
		}
	}
	slices.SortStableFunc(all, func(a, b step) int { return cmp.Compare(a.At, b.At) })
	return all, slices.Concat(starts...), nil
}

// readLog reads the entries of a log.
func readLog(path string) (all []entry, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	err = eachLine(file, func(line []byte) error {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, len(all)+1, err)
		}
		all = append(all, e)
		return nil
	})
	return all, err
}

// crashed adds the crash of a node that was killed for good to its log.
func crashed(path, node string) error {
	entries, err := readLog(path)
	if err != nil {
		return err
	}
	j, stable, _, err := openJournal(path)
	if err != nil {
		return err
	}
	defer j.file.Close()
	e := entry{Node: node, Crash: true}
	if len(entries) > 0 {
		e.At = entries[len(entries)-1].At
	}
	j.stable, _ = json.Marshal(stable) // nothing to sync
	return j.append(e)
}
