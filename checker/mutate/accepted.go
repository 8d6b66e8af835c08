package mutate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AcceptedFile is a package's list of accepted survivors. An unindented line is a mutant's printed name; the
// indented lines below it are the reason why the mutant is equivalent. Lines that begin with # are comments.
var AcceptedFile = filepath.Join("testdata", "contend", "equivalent.txt")

// A Stale is an entry whose mutant does not exist or does not survive.
type Stale struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Name string `json:"name"`
	Why  string `json:"why"`
}

// An entry is an accepted mutant.
type entry struct {
	name, reason string
	line         int
}

// readAccepted reads the file of a package. A missing file has no entries.
func readAccepted(path string) (all []entry, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#':
		case line[0] != ' ' && line[0] != '\t':
			all = append(all, entry{name: trimmed, line: number})
		case len(all) == 0:
			return nil, fmt.Errorf("%s:%d: a reason without a mutant before it", path, number)
		default:
			e := &all[len(all)-1]
			e.reason = strings.TrimSpace(e.reason + " " + trimmed)
		}
	}
	for _, e := range all {
		if e.reason == "" {
			return nil, fmt.Errorf("%s:%d: %q has no reason below it", path, e.line, e.name)
		}
	}
	return all, nil
}

// accept marks the accepted survivors, and collects stale entries.
func (b *bench) accept() {
	for _, p := range b.packages {
		for _, e := range b.accepted[p.Dir] {
			if why := b.acceptOne(p.Dir, e); why != "" {
				b.report.Stale = append(b.report.Stale, Stale{filepath.Join(p.Dir, AcceptedFile), e.line, e.name, why})
			}
		}
	}
}

// acceptOne marks the mutant of an entry, or returns the reason why the entry is stale.
func (b *bench) acceptOne(dir string, e entry) (stale string) {
	for _, m := range b.report.Mutants {
		if m.Name != e.name || filepath.Dir(m.File) != dir {
			continue
		}
		switch m.Outcome {
		case Survived, Unreached, Limit:
			m.Outcome, m.Reason = Accepted, e.reason
		case Caught:
			return "it is caught by " + m.By
		case Accepted:
			return "it is there twice"
		}
		return ""
	}
	return "there is no such mutant"
}
