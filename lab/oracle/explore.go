// Package oracle decides claims about small systems by brute force, as a reference for the search. It
// explores every run by the interpreter of [contend/model/world], each time from the beginning. It stores
// states as text and steps as edges, and decides on the graph by the definitions. It interns, reduces and
// caches nothing, and shares no code with the search.
package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
)

// ErrLarge reports that a system is too large for brute force.
var ErrLarge = errors.New("the system is too large to be explored by brute force")

// A Graph is the reachable states and steps of a system, up to its cuts.
type Graph struct {
	Clock  Clock
	Claims []model.Claim
	States []State
	First  []int // initial states
	// Strict reports whether a strict bound occurred, of a window or of a hold that includes its end. Then
	// whole ticks miss runs.
	Strict bool
	Costs  map[string]Range // by claim; only measured ones
	// Failed reports whether a handler, a monitor or an invariant fails in some run. A step with a failing
	// handler counts as prevented by a cut. Broken has the claims that such a step breaks.
	Failed bool
	Broken map[string]bool

	known map[string]int // states by text
}

// Number returns the number of a world's state in the graph; false if there is none.
func (g *Graph) Number(w *world.World) (n int, ok bool) {
	n, ok = g.known[g.textOf(w.State())]
	return n, ok
}

// textOf returns the key of a state.
func (g *Graph) textOf(lines []string) string { return strings.Join(g.Clock.key(lines), "\n") }

// A State is a state with its steps.
type State struct {
	Text    string // key, in the format of [world.World.State]
	Edges   []Edge
	Broken  map[string]bool // claims that an edge to the state breaks
	Goals   map[string]bool // claims whose goal is reached
	Done    bool            // every script is done
	Pending bool            // some event must happen, possibly a monitor's alarm
	Moves   bool            // some event of the system is pending
	Cuts    []Edge          // steps that a cut prevents, or that fail, without a target
	// Owed has the events that fairness covers here, including events that a cut prevents.
	Owed []string
}

// An Edge is a step of the graph.
type Edge struct {
	To    int
	Kind  model.EventKind
	Gone  []string // events that fired or were removed
	Takes bool     // whether time passes
}

// Aided reports whether the step is the environment's. Restarts are not: a goal may wait for one.
func (e Edge) Aided() bool { return e.Kind.Adversarial() && e.Kind != model.Restart }

// A path is a run to a state: the answers of Start, and the steps.
type path struct {
	boot  []int
	steps []step
}

func (p path) append(s step) path { return path{p.boot, append(slices.Clone(p.steps), s)} }

// A step is a step of a path: the index of its move, its instant, and its answers.
type step struct {
	move    int
	at      world.Time
	answers []int
}

// An explorer builds a graph.
type explorer struct {
	sys   *model.System
	codec *value.Codec
	graph *Graph
	paths []path // to each state
	limit int
	work  int // remaining steps of the interpreter
}

// stepsPerState bounds the work of an exploration.
const stepsPerState = 400

func newGraph(clock Clock, claims []model.Claim) *Graph {
	return &Graph{Clock: clock, Claims: claims, Costs: map[string]Range{}, Broken: map[string]bool{}, known: map[string]int{}}
}

// Explore explores a system breadth-first. It fails if there are more than limit states. It reaches each
// state from the beginning, so the number of interpreter steps is the number of edges times the depth.
func Explore(s *model.System, claims []model.Claim, clock Clock, limit int) (g *Graph, err error) {
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, err
	}
	x := &explorer{sys: s, codec: codec, graph: newGraph(clock, claims), limit: limit, work: limit * stepsPerState}
	defer guard.Caught(&err)
	err = x.begin(func(w *world.World, p path) error {
		if x.fails(w) {
			return nil
		}
		n, err := x.state(w, p)
		x.graph.First = append(x.graph.First, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(x.graph.States); i++ {
		if err := x.expand(i); err != nil {
			return nil, err
		}
	}
	return x.graph, nil
}

// begin calls each with the initial worlds, one for every combination of Start's answers.
func (x *explorer) begin(each func(w *world.World, p path) error) error {
	p := path{}
	for more := true; more; {
		w, err := x.run(p)
		if err != nil {
			return err
		}
		if err := each(w, p); err != nil {
			return err
		}
		var all []world.Choice
		for _, b := range w.Boot {
			all = append(all, b.Choice)
		}
		p.boot, more = nextAnswers(all)
	}
	return nil
}

// run executes a path.
func (x *explorer) run(p path) (*world.World, error) {
	if x.work -= len(p.steps); x.work < 0 {
		return nil, ErrLarge
	}
	began := 0
	boot := func(int, string) int {
		if began++; began > len(p.boot) {
			return 0
		}
		return p.boot[began-1]
	}
	w, err := world.Start(x.sys, x.codec, x.graph.Claims, world.Options{Timed: x.graph.Clock != None, Parts: x.graph.Clock.parts(), Boot: boot})
	if err != nil {
		return nil, err
	}
	for _, s := range p.steps {
		if _, _, err := takeStep(w, s); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// takeStep executes a step. Handlers get the step's answers, and then 0. It returns all choices.
func takeStep(w *world.World, s step) (record world.Record, all []world.Choice, err error) {
	record, err = w.Step(moves(w)[s.move], s.at, func(n int, what string) int {
		is := 0
		if len(all) < len(s.answers) {
			is = s.answers[len(all)]
		}
		all = append(all, world.Choice{Of: n, Is: is, What: what})
		return is
	})
	return record, all, err
}

// moves returns the moves of a world, with forgeries.
func moves(w *world.World) []world.Move { return append(w.Moves(), w.Forgeries()...) }

// fails reports whether a handler failed in the last step, and records this. The world is then in no state of
// the graph.
func (x *explorer) fails(w *world.World) bool {
	for _, v := range w.Violations {
		if w.Failed() && v.Step == w.Steps {
			x.graph.Broken[v.Claim] = true
		}
	}
	x.graph.Failed = x.graph.Failed || w.Failed()
	return w.Failed()
}

// state returns the number of a world's state, and adds the state if it is new.
func (x *explorer) state(w *world.World, p path) (int, error) {
	lines := w.State()
	x.graph.Strict = x.graph.Strict || x.graph.Clock != None && strictly(lines)
	key := x.graph.textOf(lines)
	n, known := x.graph.known[key]
	if !known {
		if n = len(x.graph.States); n == x.limit {
			return 0, ErrLarge
		}
		x.graph.known[key] = n
		x.paths = append(x.paths, p)
		x.graph.States = append(x.graph.States, x.describe(w, key))
	}
	x.graph.measure(w)
	for _, v := range w.Violations {
		if v.Step == w.Steps {
			x.graph.States[n].Broken[v.Claim] = true
			x.graph.Failed = x.graph.Failed || v.Claim == model.NoHandlerFails // an invariant does
		}
	}
	return n, nil
}

// describe returns a world's state.
func (x *explorer) describe(w *world.World, text string) State {
	s := State{Text: text, Done: w.Done(), Broken: map[string]bool{}, Goals: map[string]bool{}}
	for _, c := range x.graph.Claims {
		s.Goals[c.Name] = w.Reached(c)
	}
	for _, e := range w.Pending() {
		s.Pending = s.Pending || !e.Optional
		s.Moves = s.Moves || !e.Optional && e.Kind != model.Expire
		if x.isOwed(w, e) {
			s.Owed = append(s.Owed, name(w, e))
		}
	}
	for _, m := range w.Moves() {
		s.Moves = s.Moves || m.Kind == model.Restart
	}
	slices.Sort(s.Owed)
	s.Owed = slices.Compact(s.Owed)
	return s
}

// isOwed reports whether fairness covers an event now: it can fire, but nothing forces it. In timed runs these
// are the events with unbounded windows, even before their earliest instant, since time passes. Optional
// events are not covered.
func (x *explorer) isOwed(w *world.World, e *world.Event) bool {
	if e.Optional {
		return false
	}
	if x.graph.Clock == None {
		_, _, ok := w.Fires(e)
		return ok
	}
	return e.Window.Hi.At == model.Forever && !w.Booting() && first(w, e)
}

// first reports whether no message precedes an event in a FIFO channel.
func first(w *world.World, e *world.Event) bool {
	if e.Kind != model.Deliver || w.System.Network.Channel != model.FIFO {
		return true
	}
	i := slices.IndexFunc(w.Pending(), func(p *world.Event) bool {
		return p.Kind == model.Deliver && !p.Optional && p.From == e.From && p.Node == e.Node
	})
	return w.Pending()[i] == e
}

// name returns a name of an event, the same for equal events. Among equal events the oldest may fire first.
// If one fires again and again, so does each.
func name(w *world.World, e *world.Event) string {
	return fmt.Sprintf("%v %d→%d %x op %d monitor %d", e.Kind, e.From, e.Node, w.Codec.Any(e.Value, nil), e.Op, e.Monitor)
}

// expand executes every step from a state.
func (x *explorer) expand(from int) error {
	w, err := x.run(x.paths[from])
	if err != nil {
		return err
	}
	instants, err := x.graph.Clock.instants(w)
	if err != nil {
		return err
	}
	for i, m := range moves(w) {
		for _, at := range instants {
			if !isPossible(w, m, at) {
				continue
			}
			if err := x.outcomes(from, step{i, at, nil}, at > w.Now); err != nil {
				return err
			}
		}
	}
	return nil
}

// isPossible reports whether a move is possible at an instant.
func isPossible(w *world.World, m world.Move, at world.Time) bool {
	if !m.Kind.Adversarial() {
		earliest, latest, ok := w.Fires(m.Event)
		return ok && at >= earliest && at <= latest
	}
	deadline, open := w.Deadline()
	return at < deadline || at == deadline && !open
}

// outcomes executes a step with all combinations of its handlers' answers.
func (x *explorer) outcomes(from int, s step, takes bool) error {
	for more := true; more; {
		w, err := x.run(x.paths[from])
		if err != nil {
			return err
		}
		x.work--
		before, m := w.Pending(), moves(w)[s.move]
		record, all, err := takeStep(w, s)
		if err != nil && !errors.As(err, new(world.ErrCut)) {
			return err
		}
		if err != nil || x.fails(w) {
			x.graph.States[from].Cuts = append(x.graph.States[from].Cuts, Edge{Kind: m.Kind})
		} else {
			to, err := x.state(w, x.paths[from].append(s))
			if err != nil {
				return err
			}
			x.graph.States[from].Edges = append(x.graph.States[from].Edges, edge(w, to, record, before, takes))
		}
		s.answers, more = nextAnswers(all)
	}
	return nil
}

// edge returns the edge of the last step.
func edge(w *world.World, to int, r world.Record, before []*world.Event, takes bool) Edge {
	e := Edge{To: to, Kind: r.Move.Kind, Takes: takes}
	after := w.Pending()
	for _, p := range before {
		if !slices.Contains(after, p) {
			e.Gone = append(e.Gone, name(w, p))
		}
	}
	return e
}

// nextAnswers returns the lexicographically next answers; false if there are none.
func nextAnswers(given []world.Choice) (next []int, ok bool) {
	for _, c := range given {
		next = append(next, c.Is)
	}
	for i := len(given) - 1; i >= 0; i-- {
		if next[i]++; next[i] < given[i].Of {
			return next[:i+1], true
		}
	}
	return nil, false
}
