package conform

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"

	"contend/model"
	"contend/model/world"
)

// A Stream checks logs that grow. It explains entries as they are read, and forgets what is explained.
//
// The search is that of complete logs, but where the rest of a log would tell what to do, it waits: nothing is known of
// entries that are still to come. A node goes on when its next step is certain, as docs/proofs/conform.md has it. When many
// entries wait, the search branches, and the stack has the alternatives.
//
// At intervals, the stream stores a position, and forgets what was before the last stored one: entries,
// steps (a court judges them first), and messages that have been in flight for very long. From there it begins again if a
// handler chooses for the first time, or if steps without entries are needed. If something forgotten might have mattered, the logs
// are inconclusive instead of not explained. So memory is bounded by the limits of a [pace].
//
// A Stream cannot be used by two goroutines at once.
type Stream struct {
	protocol *model.Protocol
	variant  string
	config   model.Config
	search   *search
	keep     bool
	court    *court // nil until the first steps are judged
	descent  *descent
	safe     []*position // where the search begins again; untouched
	newer    *position   // the position that comes next, or nil
	level    int         // index of the present bound on hidden steps
	bounded  bool        // a hidden step was left out between safe and newer
	lossy    string      // what was forgotten that might have mattered
	explored *position   // the position of earlier descents that explains the most entries
	result   *Result
}

// A pace has the limits of a stream.
type pace struct {
	patience int // the number of entries that may wait for others before the search branches
	waiting  int // the number of entries that may wait before a message is said to be missing
	interval int // the number of explained entries between stored positions
	span     int // the number of explained entries after which alternatives to the run are given up
	age      int // the number of steps after which a message in flight is forgotten
}

var usualPace = pace{patience: 64, waiting: 1 << 16, interval: 1 << 12, span: 1 << 14, age: 1 << 14}

// NewStream begins a check of logs against a variant of a protocol. Options.Silent says which fields the logs do not have.
// If keep is true, the result has the run's trace, and memory grows with it. The error is about bad input, in one sentence.
func NewStream(p *model.Protocol, variant string, c model.Config, opt Options, keep bool) (*Stream, error) {
	system, err := systemOf(p, variant, c)
	if err != nil {
		return nil, err
	}
	b := newBook(system)
	b.growing, b.streamed = true, true
	if err := b.set(opt); err != nil {
		return nil, err
	}
	g, err := newSearch(system, p.Unlogged, b, opt)
	if err != nil {
		return nil, err
	}
	s := &Stream{protocol: p, variant: variant, config: p.Filled(c), keep: keep, search: g}
	if s.safe, err = g.roots(); err != nil {
		return nil, err
	}
	b.added = func(e *entry) {
		g.learn(e)
		s.top().dirty |= 1 << e.node
	}
	s.begin()
	return s, nil
}

// Source adds a log with a name for people, and returns its number.
func (s *Stream) Source(name string) int {
	b := s.search.book
	b.files = append(b.files, name)
	return len(b.files) - 1
}

// Add adds a line of a log; number is its number in the log, from 1. The error is about the line, in one sentence.
func (s *Stream) Add(source, number int, line []byte) error {
	if s.result != nil || blank(line) {
		return nil
	}
	b := s.search.book
	if err := b.parse(source, number, line); err != nil {
		return fmt.Errorf("%s: line %d: %w", b.files[source], number, err)
	}
	return nil
}

// Read returns the number of entries that were read.
func (s *Stream) Read() int { return s.search.book.count }

// Explained returns the number of entries that the present run explains.
func (s *Stream) Explained() int { return s.top().used }

// Waiting returns the number of entries that wait, of the nodes that had entries in a log.
func (s *Stream) Waiting(source int) (n int) {
	b, p := s.search.book, s.top()
	for id := range b.entries {
		if own := &b.entries[id]; own.file == source {
			n += own.end() - p.nodes[id].at
		}
	}
	return n
}

// top returns the position of the present run.
func (s *Stream) top() *position {
	if d := s.descent; len(d.stack) > 0 {
		return d.stack[len(d.stack)-1]
	}
	return s.descent.best
}

// begin begins the search at the stored positions.
func (s *Stream) begin() {
	if s.descent != nil && s.descent.best != nil && (s.explored == nil || s.descent.best.used > s.explored.used) {
		s.explored = s.descent.best
	}
	var from []*position
	for _, p := range s.safe {
		from = append(from, s.search.fork(p))
	}
	s.descent, s.newer = newDescent(from), nil
	s.search.bounded, s.search.again, s.bounded = false, false, false
}

// levels are the numbers of hidden steps between two explained entries that a search tries.
var levels = []int{0, 1, 2, 4, mostHiddenSteps}

// Go explains the entries that were added. It returns the result of the check if it has ended: no run explains an
// entry, the run violates a claim, or a limit was hit.
func (s *Stream) Go() (*Result, error) {
	g := s.search
	for s.result == nil {
		e, err := g.explore(s.descent)
		var l limit
		switch {
		case errors.As(err, &l):
			return s.finish(Inconclusive, string(l))
		case err != nil:
			return nil, err
		case g.again:
			s.begin()
		case e == complete:
			return s.finish(Explained, "")
		case e == hungry:
			err := s.store()
			return s.result, err
		case !s.hides():
			inconclusive := cmp.Or(s.lossy, g.partial)
			if inconclusive != "" {
				return s.finish(Inconclusive, inconclusive)
			}
			return s.finish(NotExplained, "")
		case s.level+1 == len(levels):
			return s.finish(Inconclusive, "hidden steps")
		default:
			s.level++
			g.mostHidden = levels[s.level]
			s.begin()
		}
	}
	return s.result, nil
}

// hides reports whether a hidden step was left out since the stored positions.
func (s *Stream) hides() bool {
	return s.bounded || s.search.bounded || s.search.mostHidden == 0 && s.search.mayHideSome()
}

// End ends the logs, and returns the result.
func (s *Stream) End() (*Result, error) {
	if s.result != nil {
		return s.result, nil
	}
	g := s.search
	if r, err := s.Go(); r != nil || err != nil || g.book.count == 0 {
		return r, cmp.Or(err, g.book.empty())
	}
	g.book.growing, s.descent.paused = false, false
	g.sendings = map[route]*sending{}
	g.index()
	return s.Go()
}

// Stop ends the check where it is, and returns the result: the logs are explained if all that was read is.
func (s *Stream) Stop() (*Result, error) {
	g := s.search
	if r, err := s.Go(); r != nil || err != nil || g.book.count == 0 {
		return r, cmp.Or(err, g.book.empty())
	}
	if g.explained(s.top()) {
		return s.finish(Explained, "")
	}
	return s.finish(Inconclusive, "interrupted")
}

// store stores the present position after each interval, and forgets what is before the last stored one.
func (s *Stream) store() error {
	g, d, p := s.search, s.descent, s.top()
	last := s.safe[0].used
	if s.newer != nil {
		last = s.newer.used
	}
	if p.used-last < g.pace.interval {
		return nil
	}
	if len(d.stack) > 1 {
		if p.used-last < g.pace.span {
			return nil
		}
		d.stack, s.lossy = []*position{p}, "alternatives of long ago"
	}
	if s.newer != nil {
		if s.bounded || g.mostHidden == 0 && g.mayHideSome() {
			s.lossy = "hidden steps of long ago"
		}
		s.safe = []*position{s.newer}
		s.search.mostHidden, s.level = 0, 0
		if err := s.settle(s.newer); err != nil {
			return err
		}
	}
	s.bounded, g.bounded = g.bounded, false
	p.old = p.world.Steps - g.pace.age
	g.forget(p)
	s.newer = g.fork(p)
	g.owners++
	p.owner = g.owners // its events are shared now
	d.seen, d.naming, d.best, s.explored = map[[16]byte]bool{}, false, p, nil
	g.states = 0
	return nil
}

// settle judges the run up to a stored position, and forgets its steps and entries.
func (s *Stream) settle(p *position) error {
	r := s.summary(Explained, p)
	if err := s.judge(r, p); err != nil {
		return err
	}
	if r.Violated() {
		s.result = r
		return nil
	}
	if s.court.last != nil {
		s.court.last.before = nil
	}
	s.court.forget(p)
	for id := range p.nodes {
		s.search.book.entries[id].forget(p.nodes[id].at)
	}
	return nil
}

// judge judges the run of a position.
func (s *Stream) judge(r *Result, p *position) (err error) {
	if s.court == nil {
		v, _ := s.protocol.Variant(s.variant)
		if s.court, err = s.search.newCourt(v, p); err != nil {
			return err
		}
		s.court.keep = s.keep
	}
	return s.court.judge(r, p)
}

// finish ends the check.
func (s *Stream) finish(v Verdict, limit string) (*Result, error) {
	best := s.descent.best
	if v == Explained {
		best = s.top()
	} else if s.explored != nil && s.explored.used > best.used {
		best = s.explored
	}
	var stuck []Stuck
	if v != Explained {
		stuck = s.search.report(best)
	}
	r := s.summary(v, best)
	r.Limit, r.Stuck = limit, stuck
	if err := s.judge(r, best); err != nil {
		return nil, err
	}
	s.result = r
	return r, s.court.trace(r, s.protocol, s.variant)
}

// summary returns a result, without what a court finds.
func (s *Stream) summary(v Verdict, p *position) *Result {
	b := s.search.book
	r := &Result{Verdict: v, Entries: b.count, Prefix: p.used, Steps: p.steps, States: s.search.states, Config: s.config}
	f := &r.Config.Faults
	f.Restarts, f.Crashes = max(f.Restarts, b.restarts), max(f.Crashes, b.crashes)
	return r
}

// forget removes the messages that have been in flight for very long.
func (g *search) forget(p *position) {
	if g.fifo || p.old <= 0 {
		return
	}
	p.world.EachPending(func(e *world.Event) {
		if e.Kind != model.Deliver || e.BornStep >= p.old {
			return
		}
		g.eachArrival(e, g.shapes[e.Node], func(k arrival) { g.forgotten[g.hash(e.Node, k)] = true })
		g.remove(p, e)
		g.forgets = true
	})
	p.world.Forget(func(e *world.Event) bool { return e.BornStep < p.old })
	if len(g.forgotten) > mostForgotten {
		clear(g.forgotten)
		g.partial = missed
	}
}

const (
	// mostForgotten is the number of keys of forgotten messages that are remembered.
	mostForgotten = 1 << 20
	// missed is the limit of a search that needs a forgotten message.
	missed = "messages in flight for very long"
)

// hash returns a number that stands for an arrival at a node.
func (g *search) hash(id model.NodeID, k arrival) uint64 {
	return maphash.Comparable(g.seed, of{id, k})
}

// An of is an arrival at a node.
type of struct {
	node model.NodeID
	arrival
}

// misses reports whether a forgotten message might be one that an entry receives, though others may fit.
func (g *search) misses(id model.NodeID, e *entry, fit int) bool {
	return g.forgets && (fit == 0 || !e.what.exact && !e.unique || e.peer < 0) && g.forgotten[g.hash(id, g.arrivalOf(id, e))]
}
