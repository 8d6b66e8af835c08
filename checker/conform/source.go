package conform

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"reflect"

	"contend/model"
)

// A Source is one file of a log: JSON Lines of one or several nodes. The entries of a node are in its order, also
// across sources.
type Source struct {
	Name   string // for people
	Reader io.Reader
}

// Limits of logs.
const (
	maxLine    = 1 << 20
	maxEntries = 5_000_000
)

// A book has the entries of all nodes.
type book struct {
	system  *model.System
	decoder *decoder
	entries [][]entry // by node
	files   []string
	count   int
	states  []reflect.Type // of nodes; nil for a Byzantine node
	ignored map[string]bool
	kinds   [kindCount]bool // kinds of which there is an entry
	gaps    bool            // entries may be missing somewhere
	open    bool            // entries may be missing at the end of each node's log
	// unbuffered reports that a crash loses no entries but those of the node's last step.
	unbuffered bool
	mapping    func(line []byte) ([][]byte, error)
}

// newBook returns a book without entries.
func newBook(s *model.System) *book {
	b := &book{system: s, decoder: newDecoder(s), entries: make([][]entry, len(s.Nodes)), ignored: map[string]bool{}}
	for _, n := range s.Nodes {
		var t reflect.Type
		if !n.Byzantine {
			t = reflect.TypeOf(n.New()).Elem()
		}
		b.states = append(b.states, t)
	}
	return b
}

// read reads the entries of all sources.
func read(s *model.System, opt Options, logs []Source) (*book, error) {
	b := newBook(s)
	b.gaps, b.open, b.unbuffered, b.mapping = opt.OpenEnded, opt.OpenEnded, opt.Unbuffered, opt.Map
	for _, name := range opt.Ignore {
		b.ignored[name] = true
	}
	for i, log := range logs {
		b.files = append(b.files, log.Name)
		if err := b.file(i, log.Reader); err != nil {
			return nil, fmt.Errorf("%s: %w", log.Name, err)
		}
	}
	if b.count == 0 {
		return nil, fmt.Errorf("the logs have no entries")
	}
	return b, nil
}

func (b *book) file(file int, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	number := 0
	for lines.Scan() {
		number++
		if blank(lines.Bytes()) {
			continue
		}
		if err := b.parse(file, number, lines.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: it has more than %d bytes", number+1, maxLine)
	} else if err != nil {
		return fmt.Errorf("line %d: %w", number+1, err)
	}
	return nil
}

// parse adds the entries of a line.
func (b *book) parse(file, number int, line []byte) error {
	entries, text := [][]byte{line}, ""
	if b.mapping != nil {
		var err error
		if entries, err = b.mapping(line); err != nil {
			return err
		}
		text = short(line)
	}
	for _, one := range entries {
		if b.count++; b.count > maxEntries {
			return fmt.Errorf("the logs have more than %d entries", maxEntries)
		}
		e, err := b.entry(one)
		if err != nil {
			return err
		}
		e.file, e.line = file, number
		if text != "" {
			e.text = text
		}
		b.entries[e.node] = append(b.entries[e.node], e)
	}
	return nil
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// budgets returns the configuration with the crashes and restarts that the logs have.
func (b *book) budgets(c model.Config) (model.Config, error) {
	crashes, restarts := 0, 0
	for node, entries := range b.entries {
		for i, e := range entries {
			switch {
			case b.system.Nodes[node].Byzantine:
			case e.step == start && i > 0 && entries[i-1].step != crash, e.step == crash && b.system.Nodes[node].MayRecover():
				restarts++
			case e.step == crash:
				crashes++
			}
		}
	}
	c.Faults.Restarts, c.Faults.Crashes = max(c.Faults.Restarts, restarts), max(c.Faults.Crashes, crashes)
	if most := max(restarts, crashes); most > 255 {
		return c, fmt.Errorf("the logs have %d crashes, but at most 255 are possible in a run", most)
	}
	return c, nil
}
