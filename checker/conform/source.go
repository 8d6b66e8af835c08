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
	entries []section // by node
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
	// growing reports that more entries may follow.
	growing  bool
	streamed bool            // the entries are read while they are explained
	added    func(e *entry)  // unless nil, it is called for each new entry
	silent   [kindCount]bool // kinds of which no entry is expected
	crashes  int             // of nodes that do not restart
	restarts int
}

// A section has the entries of a node that are not forgotten, in order.
type section struct {
	first int // the number of forgotten entries
	list  []entry
	last  kind // the step of the last entry
	file  int  // of the last entry
}

// end returns the number of entries that were read.
func (s *section) end() int { return s.first + len(s.list) }

// at returns an entry, or nil at the end.
func (s *section) at(i int) *entry {
	if i < s.end() {
		return &s.list[i-s.first]
	}
	return nil
}

// forget forgets the entries before one.
func (s *section) forget(before int) {
	if n := before - s.first; n > 0 {
		s.first, s.list = before, append([]entry(nil), s.list[n:]...)
	}
}

// newBook returns a book without entries.
func newBook(s *model.System) *book {
	b := &book{system: s, decoder: newDecoder(s), entries: make([]section, len(s.Nodes)), ignored: map[string]bool{}}
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
	if err := b.set(opt); err != nil {
		return nil, err
	}
	for i, log := range logs {
		b.files = append(b.files, log.Name)
		if err := b.file(i, log.Reader); err != nil {
			return nil, fmt.Errorf("%s: %w", log.Name, err)
		}
	}
	return b, b.empty()
}

// empty returns an error if there are no entries.
func (b *book) empty() error {
	if b.count == 0 {
		return fmt.Errorf("the logs have no entries")
	}
	return nil
}

// set sets the options of a check.
func (b *book) set(opt Options) error {
	b.gaps, b.open, b.unbuffered, b.mapping = opt.OpenEnded, opt.OpenEnded, opt.Unbuffered, opt.Map
	for _, name := range opt.Ignore {
		b.ignored[name] = true
	}
	for _, name := range opt.Silent {
		k, known := silentKinds[name]
		if !known {
			return fmt.Errorf("silent: %.40q is not receive, alarm, call, result, send or note", name)
		}
		b.silent[k] = true
	}
	return nil
}

// silentKinds maps names of fields to the kinds that may be silent.
var silentKinds = map[string]kind{"receive": receive, "alarm": alarm, "call": call, "result": result, "send": send, "note": note}

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
		if b.count++; b.count > maxEntries && !b.growing {
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
		b.add(e)
	}
	return nil
}

// add adds an entry, and counts the crash that it shows.
func (b *book) add(e entry) {
	own := &b.entries[e.node]
	switch {
	case e.step == start && own.end() > 0 && own.last != crash, e.step == crash && b.system.Nodes[e.node].MayRecover():
		b.restarts++
	case e.step == crash:
		b.crashes++
	}
	own.list, own.last, own.file = append(own.list, e), e.step, e.file
	if b.added != nil {
		b.added(&e)
	}
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// mostCrashes is the largest budget of crashes or restarts.
const mostCrashes = 255

// budgets returns the configuration with the crashes and restarts that the logs have.
func (b *book) budgets(c model.Config) (model.Config, error) {
	c.Faults.Restarts, c.Faults.Crashes = max(c.Faults.Restarts, b.restarts), max(c.Faults.Crashes, b.crashes)
	if most := max(b.restarts, b.crashes); most > mostCrashes {
		return c, fmt.Errorf("the logs have %d crashes, but at most %d are possible in a run; --follow has no bound", most, mostCrashes)
	}
	return c, nil
}
