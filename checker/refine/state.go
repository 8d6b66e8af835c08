package refine

import (
	"errors"
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A State is one of a page: where its run has come to, and what the last step of it has still to
// show. Until all of that is seen, no other step is taken.
type State struct {
	Run  world.Frozen
	Owed []Shown
}

// A Shown is what is compared of an observation. The node is that of the page, by its place.
type Shown struct {
	Kind  model.ObservationKind
	Node  int
	Value any
}

func showing(o model.Observation) Shown { return Shown{o.Kind, int(o.Node), o.Value} }

// An input is an observation that the page follows. Op is the number of the operation that an invocation or a release
// of a node without a script begins or ends: the page's state contains it, and Hides may read it. It is 0 for other
// observations, from which the page takes over no number.
type input struct {
	Shown Shown
	Op    int
}

func inputOf(o model.Observation) input {
	in := input{Shown: showing(o)}
	if o.Kind == model.Invoked || o.Kind == model.Released {
		in.Op = o.Op
	}
	return in
}

// is reports whether two are the same; nil and empty are alike.
func (s Shown) is(t Shown) bool {
	return s.Kind == t.Kind && s.Node == t.Node && value.Canonical(s.Value) == value.Canonical(t.Value)
}

// A state is one with its steps, as far as they were asked for.
type state struct {
	State
	bytes    int // of its canonical form
	expanded bool
	silent   []*state
	loud     []step
	cut      bool               // a cut keeps it from some step that it takes of itself
	shows    map[string]outcome // of invocations that nothing but being seen brings about
}

// An outcome is what comes of a step.
type outcome struct {
	next []*state
	cut  bool // a cut keeps some of it away
}

// A step shows something.
type step struct {
	first Shown
	to    *state // which owes the rest
}

// begin finds the states in which runs begin, for every way to answer Start.
func (p *page) begin() {
	var from []*state
	for answers, more := []int(nil), true; more; {
		w, err := p.setting.Start(world.Options{Boot: answering(answers, nil)})
		if err != nil {
			p.refuse("%v", err)
		}
		p.mustGoOn(w)
		from = append(from, p.state(State{w.Frozen(), p.shown(w.Began)}))
		var given []world.Choice
		for _, b := range w.Boot {
			given = append(given, b.Choice)
		}
		answers, more = turned(given)
	}
	begins := p.closure(from)
	if begins.large {
		p.refuse("it comes to more than %d states, or %d MiB of them, before it shows anything", mostStates, mostBytes>>20)
	}
	p.begins = begins
}

// by returns the states that the steps of a state lead to that show an input.
func (s *state) by(p *page, in input) (o outcome) {
	if len(s.Owed) > 0 {
		if s.Owed[0].is(in.Shown) {
			o.next = append(o.next, p.state(State{s.Run, slices.Clone(s.Owed[1:])}))
		}
		return o
	}
	s.expand(p)
	for _, x := range s.loud {
		if x.first.is(in.Shown) {
			o.next = append(o.next, x.to)
		}
	}
	driven := s.driven(p, in)
	return outcome{append(o.next, driven.next...), driven.cut}
}

// driven returns the states that an invocation, or a release, at a node without a script leads to.
func (s *state) driven(p *page, in input) (o outcome) {
	seen := in.Shown
	kind, input := map[model.ObservationKind]model.EventKind{model.Invoked: model.Invoke, model.Released: model.Release}[seen.Kind]
	if !input || seen.Node < 0 || seen.Node >= len(p.system.Nodes) {
		return outcome{}
	}
	key := value.Canonical(in)
	if known, is := s.shows[key]; is {
		return known
	}
	steps, cut := p.steps(s, func(w *world.World) []world.Move {
		if m, ok := w.Drive(kind, model.NodeID(seen.Node), in.Op, seen.Value); ok {
			return []world.Move{m}
		}
		return nil
	})
	for _, x := range steps {
		if len(x.shows) > 0 && x.shows[0].is(seen) {
			o.next = append(o.next, p.state(State{x.run, x.shows[1:]}))
		}
	}
	o.cut = cut
	s.shows[key] = o
	return o
}

// expand finds the steps that a state can take of itself, once.
func (s *state) expand(p *page) {
	if s.expanded || len(s.Owed) > 0 {
		return
	}
	s.expanded = true
	var steps []taken
	steps, s.cut = p.steps(s, func(w *world.World) []world.Move { return append(w.Moves(), w.Forgeries()...) })
	for _, x := range steps {
		if len(x.shows) == 0 {
			s.silent = append(s.silent, p.state(State{Run: x.run}))
		} else {
			s.loud = append(s.loud, step{x.shows[0], p.state(State{x.run, x.shows[1:]})})
		}
	}
}

// taken is a step with what it shows.
type taken struct {
	run   world.Frozen
	shows []Shown
}

// steps takes each move from a state with every way to answer its handlers. It says whether a cut keeps the page from one.
func (p *page) steps(s *state, moves func(w *world.World) []world.Move) (all []taken, cut bool) {
	for i := range moves(p.setting.Thaw(s.Run)) {
		for answers, more := []int(nil), true; more; {
			w, given := p.setting.Thaw(s.Run), []world.Choice(nil)
			r, err := w.Step(moves(w)[i], w.Now, answering(answers, &given))
			switch {
			case errors.As(err, new(world.ErrCut)):
				cut = true
			case err != nil:
				p.refuse("%v", err)
			default:
				p.mustGoOn(w)
				all = append(all, taken{w.Frozen(), p.shown(r.Observations)})
			}
			answers, more = turned(given)
		}
	}
	return all, cut
}

// mustGoOn refuses a page of which a handler fails: what it shows then is nothing to be held to.
func (p *page) mustGoOn(w *world.World) {
	if w.Failed() {
		p.refuse("a handler fails: %s", w.Violations[len(w.Violations)-1].Text)
	}
}

// shown are those of observations that are shown.
func (p *page) shown(all []model.Observation) (shown []Shown) {
	for _, o := range all {
		if p.Shows(o) {
			shown = append(shown, showing(o))
		}
	}
	return shown
}

// answering gives handlers some answers, and 0 behind them; given, unless nil, are all that were
// given.
func answering(answers []int, given *[]world.Choice) world.Chooser {
	asked := 0
	return func(n int, what string) int {
		is := 0
		if asked < len(answers) {
			is = answers[asked]
		}
		asked++
		if given != nil {
			*given = append(*given, world.Choice{Of: n, Is: is, What: what})
		}
		return is
	}
}

// turned returns the answers that come after those given; false when there are none.
func turned(given []world.Choice) ([]int, bool) {
	for i := len(given) - 1; i >= 0; i-- {
		if given[i].Is+1 < given[i].Of {
			var next []int
			for _, c := range given[:i+1] {
				next = append(next, c.Is)
			}
			next[i]++
			return next, true
		}
	}
	return nil, false
}
