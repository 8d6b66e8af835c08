package conform

import (
	"crypto/sha256"
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A search looks for a run that explains all entries. See docs/proofs/conform.md.
type search struct {
	system   *model.System
	setting  *world.Setting
	book     *book
	opt      Options
	unlogged unlogged
	deadline time.Time
	pace     pace // of a stream

	fifo, bag     bool
	hidesReceives bool // messages may arrive without an entry
	unseen        bool // that, or entries may be missing
	atBoot        []model.NodeID
	shapes        [][]shape           // of received messages, by receiver
	numbers       []map[shape]int     // indexes of shapes
	wants         []map[arrival][]int // positions of entries of received messages, by receiver
	sendings      map[route]*sending

	asks       map[asked]bool  // steps whose handlers make choices
	forgotten  map[uint64]bool // hashes of arrivals that are forgotten
	forgets    bool            // a message was forgotten
	seed       maphash.Seed    // of the hashes
	states     int
	mostHidden int    // hidden steps between two explained entries
	bounded    bool   // a hidden step was left out
	partial    string // why a search without an explanation is inconclusive, besides hidden steps
	owners     int

	// Of the running step.
	now    *position
	sent   []owed
	lost   *world.Event // the last new message that no entry receives
	again  bool         // a handler makes a choice for the first time
	copied bool         // the step is taken in a copy

	draining bool // nodes go on after another node is stuck
}

// An asked is a step that may make choices: its node, kind and type of value.
type asked struct {
	node model.NodeID
	kind model.EventKind
	name string
}

func asking(id model.NodeID, m world.Move) asked {
	v := m.Value
	if m.Event != nil {
		v = m.Event.Value
	}
	return asked{id, m.Kind, world.TypeName(v)}
}

const (
	usualStates = 200_000
	// mostHiddenSteps is the largest number of hidden steps between two explained entries.
	mostHiddenSteps = 8
	// mostAnswers is the largest number of combinations of answers in one step.
	mostAnswers = 1 << 12
	// mostWithout is the number of steps after which the time is looked at.
	mostWithout = 1 << 8
)

func newSearch(s *model.System, declared model.Unlogged, b *book, opt Options) (*search, error) {
	codec, err := value.New(s)
	if err != nil {
		return nil, err
	}
	g := &search{system: s, book: b, opt: opt, pace: usualPace, unlogged: newUnlogged(declared, b), forgotten: map[uint64]bool{}, seed: maphash.MakeSeed(), sendings: map[route]*sending{}, asks: map[asked]bool{},
		fifo: s.Network.Channel == model.FIFO, bag: s.Network.Channel != model.Set, atBoot: s.AtBoot()}
	g.hidesReceives = g.unlogged.kinds[receive] || len(g.unlogged.types[receive]) > 0
	g.unseen = g.hidesReceives || b.gaps || b.growing && !b.unbuffered
	if opt.Timeout > 0 {
		g.deadline = time.Now().Add(opt.Timeout)
	}
	if g.opt.MaxStates == 0 {
		g.opt.MaxStates = usualStates
	}
	if g.setting, err = world.Prepare(s, codec, nil); err != nil {
		return nil, err
	}
	g.shapes, g.numbers, g.wants = make([][]shape, len(s.Nodes)), make([]map[shape]int, len(s.Nodes)), make([]map[arrival][]int, len(s.Nodes))
	for id := range b.entries {
		g.numbers[id] = map[shape]int{}
		for i := range b.entries[id].list {
			g.learn(&b.entries[id].list[i])
		}
	}
	if !b.growing {
		g.index()
	}
	return g, nil
}

// A limit is the error of a search that a limit ended.
type limit string

func (l limit) Error() string { return string(l) }

// run searches with more and more hidden steps, and sets the verdict. It returns the position that explains the
// most entries.
func (g *search) run(r *Result) (best *position, err error) {
	for _, most := range []int{0, 1, 2, 4, mostHiddenSteps} {
		g.mostHidden, g.bounded = most, most == 0 && g.mayHideSome()
		p, explained, err := g.within()
		if p != nil && (best == nil || explained || p.used > best.used) {
			best = p
		}
		l, limited := err.(limit)
		switch {
		case explained:
			r.Verdict = Explained
			return best, nil
		case limited:
			r.Verdict, r.Limit = Inconclusive, string(l)
			return best, nil
		case err != nil:
			return nil, err
		case g.bounded:
			r.Limit = "hidden steps"
			continue
		}
		r.Verdict, r.Limit = NotExplained, ""
		if g.partial != "" {
			r.Verdict, r.Limit = Inconclusive, g.partial
		}
		return best, nil
	}
	r.Verdict = Inconclusive
	return best, nil
}

// mayHideSome reports whether some step may have no entry.
func (g *search) mayHideSome() bool {
	calls := g.unlogged.kinds[call] && slices.ContainsFunc(g.system.Nodes, func(n model.NodeSpec) bool { return len(n.Script) > 0 })
	return g.hidesReceives || g.book.gaps || calls || g.unlogged.kinds[alarm] || len(g.unlogged.types[alarm]) > 0
}

// within searches with the present bound on hidden steps. It begins again when a handler makes choices for the
// first time, since such steps are taken in copies.
func (g *search) within() (best *position, explained bool, err error) {
	for {
		g.again = false
		roots, err := g.roots()
		if err != nil {
			return nil, false, err
		}
		d := newDescent(roots)
		e, err := g.explore(d)
		if !g.again || err != nil {
			return d.best, e == complete, err
		}
	}
}

// A descent is a search depth first.
type descent struct {
	stack  []*position // the position of the present run is the last
	seen   map[[16]byte]bool
	naming bool
	best   *position // that explains the most entries
	paused bool      // the last position of the stack was hungry
}

// newDescent returns a descent from some positions, the first of them first.
func newDescent(from []*position) *descent {
	slices.Reverse(from)
	return &descent{stack: from, seen: map[[16]byte]bool{}}
}

// An ending is the reason that a descent ends, or cannot go on.
type ending int

const (
	deadEnd  ending = iota // no run explains the entries
	complete               // the last position of the stack explains all entries
	hungry                 // the last position of the stack needs more entries
)

// explore goes on with a descent.
func (g *search) explore(d *descent) (ending, error) {
	for len(d.stack) > 0 && !g.again {
		p := d.stack[len(d.stack)-1]
		d.stack[len(d.stack)-1] = nil
		d.stack = d.stack[:len(d.stack)-1]
		if g.book.streamed && !d.paused {
			p.dirty = 1<<len(p.nodes) - 1 // entries may have been read since
		}
		if d.naming && !d.paused {
			name := g.name(p)
			if d.seen[name] {
				continue
			}
			d.seen[name] = true
		}
		next, e, err := g.follow(p)
		d.paused = e == hungry
		if d.best == nil || p.used > d.best.used {
			d.best = p
		}
		if err != nil || e != deadEnd {
			d.stack = append(d.stack, p)
			return e, err
		}
		if len(next) == 0 {
			d.naming = true
		}
		slices.Reverse(next)
		d.stack = append(d.stack, next...)
		if g.states += len(next); g.states > g.opt.MaxStates {
			return deadEnd, limit(fmt.Sprintf("%d states", g.opt.MaxStates))
		}
	}
	return deadEnd, nil
}

// name returns a name of all that determines the rest of the search.
func (g *search) name(p *position) (name [16]byte) {
	type at struct {
		At          int
		Sends       []int
		Shown, Note []any
	}
	var places []at
	for _, a := range p.nodes {
		one := at{At: a.at}
		for _, s := range a.sends {
			one.Sends, one.Shown = append(one.Sends, int(s.to)), append(one.Shown, s.value)
		}
		for _, n := range a.notes {
			one.Note = append(one.Note, n.value)
		}
		places = append(places, one)
	}
	sum := sha256.Sum256([]byte(fmt.Sprint(p.hidden) + value.Canonical(places) + value.Canonical(p.world.Frozen())))
	copy(name[:], sum[:])
	return name
}

// roots returns the beginnings of all runs, for all answers to Start.
func (g *search) roots() (all []*position, err error) {
	for answers, more := []int(nil), true; more; {
		if len(all) == mostAnswers {
			return nil, limit("answers")
		}
		p := &position{nodes: make([]place, len(g.system.Nodes))}
		g.owners++
		p.owner = g.owners
		for i := range p.nodes {
			p.nodes[i].ready = &pending{owner: p.owner, shapes: len(g.shapes[i]), found: map[arrival][]*world.Event{}, queue: map[model.NodeID][]*world.Event{}}
		}
		g.now = p
		var given []world.Choice
		var from []model.NodeID
		var sent []owed
		sending := true
		p.world, err = g.setting.Start(world.Options{
			Boot:     world.Answering(answers, &given),
			InPlace:  true,
			Unwanted: func(e *world.Event) bool { return e == g.lost },
			Created:  g.add,
			// The number of crashes in a growing log is not known.
			Unlimited: g.book.streamed,
			Disarmed:  func(e *world.Event) { g.remove(g.now, e) },
			Merged:    g.merge,
			Sending: func(a, b model.NodeID, m any) {
				if sending {
					from, sent = append(from, a), append(sent, owed{to: b, value: m})
					return
				}
				g.sent = append(g.sent, owed{to: b, value: m})
			},
		})
		if err != nil {
			return nil, err
		}
		sending = false
		for id := range p.nodes {
			id := model.NodeID(id)
			g.sent = g.sent[:0]
			for i, s := range sent {
				if from[i] == id {
					g.sent = append(g.sent, s)
				}
			}
			g.owe(p, id, world.Record{Observations: p.world.Began})
			if g.book.states[id] != nil {
				g.settle(p, id)
			}
			p.dirty |= 1 << id
		}
		all = append(all, p)
		answers, more = world.NextAnswers(given)
	}
	return all, nil
}

// limited returns the limit that ends the search now, if any.
func (g *search) limited() error {
	select {
	case <-g.opt.Stop:
		return errStopped
	default:
	}
	if !g.deadline.IsZero() && time.Now().After(g.deadline) {
		return limit("time")
	}
	return nil
}

// A result of [search.advance].
type advanced int

const (
	moved  advanced = iota
	waits           // other nodes may add or prevent steps, or the log of the node is explained
	dies            // no continuation explains the log of the node
	splits          // there are several steps; those of other nodes neither add nor prevent one
)

// follow takes the steps that need no branch, in place. Then it returns the positions after the steps of a branch, or
// that there is no need for one.
func (g *search) follow(p *position) (next []*position, e ending, err error) {
	var several uint64
	for count := 0; p.dirty != 0; {
		for id := range p.nodes {
			bit := uint64(1) << id
			for p.dirty&bit != 0 {
				if count++; count%mostWithout == 0 {
					if err := g.limited(); err != nil {
						return nil, deadEnd, err
					}
				}
				p.dirty &^= bit
				several &^= bit
				switch g.advance(p, model.NodeID(id)) {
				case splits:
					several |= bit
				case dies:
					if p.dead |= bit; !g.draining {
						return nil, deadEnd, nil
					}
				}
				if g.again {
					return nil, deadEnd, nil
				}
			}
		}
	}
	switch {
	case g.draining:
		return nil, deadEnd, nil
	case g.book.growing && g.book.count-p.used <= g.pace.patience:
		return nil, hungry, nil
	case !g.book.growing && g.explained(p):
		return nil, complete, nil
	}
	if err := g.limited(); err != nil {
		return nil, deadEnd, err
	}
	next = g.branch(p, several)
	if len(next) == 0 && g.book.growing && g.book.count-p.used <= g.pace.waiting {
		return nil, hungry, nil
	}
	return next, deadEnd, nil
}

// branch returns the positions after the steps of one of the nodes that have several, or of all nodes.
func (g *search) branch(p *position, several uint64) (next []*position) {
	for id := range p.nodes {
		if several&(1<<id) != 0 {
			next, _, _ = g.tries(p, model.NodeID(id))
			return next
		}
	}
	for id := range p.nodes {
		some, _, _ := g.tries(p, model.NodeID(id))
		next = append(next, some...)
	}
	return next
}

// advance takes the next step of a node in place, if the node has one step that other nodes neither precede nor prevent.
func (g *search) advance(p *position, id model.NodeID) advanced {
	if p.dead&(1<<id) != 0 || !g.refresh(p, id) {
		return waits
	}
	m := g.menu(p, id)
	g.bounded = g.bounded || m.hidden
	switch {
	case len(m.plans) == 0 && m.closed && !(m.hidden && g.mostHidden > 0) && g.unfinished(p, id) && !g.draining:
		return dies
	case len(m.plans) == 0 || !m.closed || !g.unfinished(p, id):
		return waits // a node whose log is explained need not go on
	case len(m.plans) == 1 && m.plans[0].entry && g.certain(id, m.plans[0]):
		if _, o := g.take(p, id, m.plans[0], m.plans[0].answers); o != went {
			return dies
		}
		return moved
	}
	next, failed, merged := g.tries(p, id)
	switch {
	case merged:
		return waits
	case len(next) == 1, len(next) > 1 && g.draining:
		*p = *next[0]
		return moved
	case len(next) > 1:
		return splits
	case !m.hidden || g.mostHidden == 0:
		if failed != nil {
			*p = *failed
		}
		return dies
	}
	return waits
}

// certain reports whether a plan has one result, and no message of it is merged.
func (g *search) certain(id model.NodeID, x plan) bool {
	for _, m := range x.moves {
		if g.asks[asking(id, m)] && x.answers == nil {
			return false
		}
	}
	return g.bag || len(x.moves) == 0
}

// tries returns the positions after each step of a node. Failed is a position that the log does not permit, if there
// is one. Merged reports that a message may have been merged too early.
func (g *search) tries(p *position, id model.NodeID) (next []*position, failed *position, merged bool) {
	g.copied = true
	defer func() { g.copied = false }()
	m := g.menu(p, id)
	g.bounded = g.bounded || m.hidden
	for _, x := range m.plans {
		count := 0
		for answers, more := x.answers, true; more; {
			q := g.fork(p)
			given, o := g.take(q, id, x, answers)
			switch {
			case o == broken && (failed == nil || q.used > failed.used):
				failed = q
			case o == went && q.hidden > g.mostHidden:
				g.bounded = true
			case o == went:
				next, merged = append(next, q), merged || q.merged
			}
			if answers, more = world.NextAnswers(given); x.answers != nil {
				more = false
			}
			if count++; count == mostAnswers && more {
				g.partial, more = "answers", false
			}
		}
	}
	return next, failed, merged
}
