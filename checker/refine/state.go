package refine

import (
	"errors"
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A State is a state of a page: its run, and the observations that the last step has yet to show. No other
// step is possible before these.
type State struct {
	Run  world.Frozen
	Owed []Shown
}

// A Shown is the compared part of an observation. Node is the page's node.
type Shown struct {
	Kind  model.ObservationKind
	Node  int
	Value any
}

func shownOf(o model.Observation) Shown { return Shown{o.Kind, int(o.Node), o.Value} }

// An input is an observation of the system. Op is the number of the operation that an invocation or a release
// of a node without a script begins or ends. The page's state contains it, and Hides may read it. It is 0 for
// other observations, whose numbers the page does not use.
type input struct {
	Shown Shown
	Op    int
}

func inputOf(o model.Observation) input {
	in := input{Shown: shownOf(o)}
	if o.Kind == model.Invoked || o.Kind == model.Released {
		in.Op = o.Op
	}
	return in
}

// equal reports whether two observations are equal. A nil and an empty value are equal.
func (s Shown) equal(t Shown) bool {
	return s.Kind == t.Kind && s.Node == t.Node && value.Canonical(s.Value) == value.Canonical(t.Value)
}

// A state is a State with its steps, computed on demand.
type state struct {
	State
	bytes    int // size of the canonical form
	expanded bool
	silent   []*state
	loud     []step
	cut      bool               // a cut prevents a step of its own
	shows    map[string]outcome // of invocations and releases at nodes without a script
}

// An outcome is the set of states after a step.
type outcome struct {
	next []*state
	cut  bool // a cut prevents some of them
}

// A step is a step of the page that the refinement shows.
type step struct {
	first Shown
	to    *state // owes the other observations
}

// initialize computes the initial states, for all answers to Start.
func (p *page) initialize() {
	var from []*state
	for answers, more := []int(nil), true; more; {
		w, err := p.setting.Start(world.Options{Boot: world.Answering(answers, nil)})
		if err != nil {
			p.refuse("%v", err)
		}
		p.mustNotFail(w)
		from = append(from, p.state(State{w.Frozen(), p.shown(w.Began)}))
		var given []world.Choice
		for _, b := range w.Boot {
			given = append(given, b.Choice)
		}
		answers, more = world.NextAnswers(given)
	}
	begins := p.closure(from)
	if begins.large {
		p.refuse("it comes to more than %d states, or %d MiB of them, before it shows anything", mostStates, mostBytes>>20)
	}
	p.initial = begins
}

// successors returns the states after the steps of a state that show an input.
func (s *state) successors(p *page, in input) (o outcome) {
	if len(s.Owed) > 0 {
		if s.Owed[0].equal(in.Shown) {
			o.next = append(o.next, p.state(State{s.Run, slices.Clone(s.Owed[1:])}))
		}
		return o
	}
	s.expand(p)
	for _, x := range s.loud {
		if x.first.equal(in.Shown) {
			o.next = append(o.next, x.to)
		}
	}
	driven := s.driven(p, in)
	return outcome{append(o.next, driven.next...), driven.cut}
}

// driven returns the states after an invocation or a release at a node without a script.
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
		if len(x.shows) > 0 && x.shows[0].equal(seen) {
			o.next = append(o.next, p.state(State{x.run, x.shows[1:]}))
		}
	}
	o.cut = cut
	s.shows[key] = o
	return o
}

// expand computes the steps that a state takes by itself, once.
func (s *state) expand(p *page) {
	if s.expanded || len(s.Owed) > 0 {
		return
	}
	s.expanded = true
	var steps []shownStep
	steps, s.cut = p.steps(s, func(w *world.World) []world.Move { return append(w.Moves(), w.Forgeries()...) })
	for _, x := range steps {
		if len(x.shows) == 0 {
			s.silent = append(s.silent, p.state(State{Run: x.run}))
		} else {
			s.loud = append(s.loud, step{x.shows[0], p.state(State{x.run, x.shows[1:]})})
		}
	}
}

// A shownStep is a step with its observations.
type shownStep struct {
	run   world.Frozen
	shows []Shown
}

// steps takes each move from a state, with all answers to its handlers. Cut reports whether a cut prevents
// one.
func (p *page) steps(s *state, moves func(w *world.World) []world.Move) (all []shownStep, cut bool) {
	for i := range moves(p.setting.Thaw(s.Run)) {
		for answers, more := []int(nil), true; more; {
			w, given := p.setting.Thaw(s.Run), []world.Choice(nil)
			r, err := w.Step(moves(w)[i], w.Now, world.Answering(answers, &given))
			switch {
			case errors.As(err, new(world.ErrCut)):
				cut = true
			case err != nil:
				p.refuse("%v", err)
			default:
				p.mustNotFail(w)
				all = append(all, shownStep{w.Frozen(), p.shown(r.Observations)})
			}
			answers, more = world.NextAnswers(given)
		}
	}
	return all, cut
}

// mustNotFail refuses a page whose handler fails: its observations are meaningless.
func (p *page) mustNotFail(w *world.World) {
	if w.Failed() {
		p.refuse("a handler fails: %s", w.Violations[len(w.Violations)-1].Text)
	}
}

// shown returns the observations that the refinement shows.
func (p *page) shown(all []model.Observation) (shown []Shown) {
	for _, o := range all {
		if p.Shows(o) {
			shown = append(shown, shownOf(o))
		}
	}
	return shown
}
