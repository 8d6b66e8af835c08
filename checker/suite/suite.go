// Package suite computes test suites: few runs of a protocol that together take each transition of its bounded state
// space, or each pair of adjacent transitions. The runs are traces.
//
//   - suite.go: a suite and its options
//   - cover.go: few paths that cover a graph
//   - pairs.go: the graph of pairs of adjacent transitions
//   - take.go: a path as a trace, by the simple interpreter
//   - report.go: a suite as text
package suite

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"contend/checker/search"
	"contend/checker/search/statespace"
	"contend/model"
	"contend/model/guard"
	"contend/traces"
)

// A Cover is what a suite has to cover.
type Cover string

// The covers.
const (
	Transitions Cover = "transitions" // each transition
	Pairs       Cover = "pairs"       // each pair of adjacent transitions
	Samples     Cover = "samples"     // nothing: the runs are drawn at random
)

// Covers has all covers.
var Covers = []Cover{Transitions, Pairs, Samples}

// Options has the options of a suite.
type Options struct {
	// Cover is what the runs have to cover; "" means Transitions.
	Cover Cover
	// Samples is the number of runs for the cover Samples, at least 1. Seed determines their choices.
	Samples int
	Seed    uint64
	// MaxStates is the largest number of states of the space; 0 means 20,000. The suite covers a part of a larger space.
	MaxStates int
	// MaxSteps is the largest number of steps of a run, unless a shortest path to a transition is longer; 0 means 200.
	MaxSteps int
	// Deadline, unless zero, ends the search of the space. Stop, unless nil, ends it when it is closed.
	Deadline time.Time
	Stop     <-chan struct{}
	// Running, unless nil, has the running handler of the protocol.
	Running *guard.Cell
}

// Defaults of [Options].
const (
	usualStates = 20_000
	usualSteps  = 200
)

// A Suite is a list of runs, shortest first.
type Suite struct {
	Runs []Run
	// States and Transitions are the numbers of those of the state space.
	States, Transitions int
	// Goals is the number of what the suite has to cover: transitions, or pairs of them.
	Goals int
	// Covered is the number of transitions that the runs take, and CoveredGoals that of goals.
	Covered, CoveredGoals int
	// Limit is the limit that ended the search of the state space; "" if the space is complete within its bounds.
	Limit string
	// Cut reports that a cut of the protocol withholds steps.
	Cut bool

	pairs bool // the goals are pairs
}

// A Run is a run of the suite. Edges has the transition of each step, by index.
type Run struct {
	Trace *traces.Trace
	Edges []int
}

// Steps returns the number of steps of all runs.
func (s *Suite) Steps() (n int) {
	for _, r := range s.Runs {
		n += len(r.Edges)
	}
	return n
}

// New computes a suite for a variant of a protocol, untimed. It depends on its arguments alone, unless a deadline
// ends the search. The error is a sentence on bad input, or on a protocol whose handler fails.
func New(p *model.Protocol, variant string, c model.Config, opt Options) (*Suite, error) {
	opt.Cover = cmp.Or(opt.Cover, Transitions)
	if !slices.Contains(Covers, opt.Cover) {
		return nil, fmt.Errorf("cover: %.40q is not one of %v", opt.Cover, Covers)
	}
	if opt.Cover == Samples && opt.Samples < 1 {
		return nil, fmt.Errorf("samples must be at least 1")
	}
	s, err := p.System(variant, c)
	if err != nil {
		return nil, err
	}
	space, limit, err := spaceOf(s, opt)
	if err != nil {
		return nil, fmt.Errorf("protocol %s: %w", p.Name, err)
	}
	all := &Suite{States: len(space.States), Transitions: len(space.Edges), Limit: limit}
	for _, x := range space.States {
		all.Cut = all.Cut || x.Cut
	}
	paths, err := all.paths(graphOf(space), opt)
	if err != nil {
		return nil, err
	}
	t, err := newTaker(p, variant, s, space, opt.Running)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		run, err := t.take(path)
		if err != nil {
			return nil, err
		}
		all.Runs = append(all.Runs, run)
	}
	all.count()
	return all, nil
}

// spaceOf searches the state space without any reduction.
func spaceOf(s *model.System, opt Options) (*statespace.Space, string, error) {
	r, err := search.Run(s, nil, search.Options{Draw: true, Workers: 1, Wide: true, MaxStates: int64(cmp.Or(opt.MaxStates, usualStates)),
		Deadline: opt.Deadline, Interrupt: opt.Stop, Running: opt.Running})
	if err != nil {
		return nil, "", err
	}
	if len(r.Space.States) == 0 {
		return nil, "", fmt.Errorf("a handler of the page fails as the nodes start: check it first")
	}
	for _, e := range r.Space.Edges {
		if e.To < 0 {
			return nil, "", fmt.Errorf("a handler of the page fails, so that its runs mean nothing: check it first")
		}
	}
	return r.Space, r.Limit.Code, nil
}

// paths returns the runs of a graph, shortest first, and counts the goals that they cover.
func (s *Suite) paths(g *graph, opt Options) (all []path, err error) {
	most := cmp.Or(opt.MaxSteps, usualSteps)
	switch opt.Cover {
	case Samples:
		all = sampled(g, opt.Samples, most, rand.New(rand.NewPCG(opt.Seed, 0)))
	case Pairs:
		pairs, err := g.pairs()
		if err != nil {
			return nil, err
		}
		s.Goals, s.pairs = len(pairs.to), true
		covering := cover(pairs, most)
		s.CoveredGoals = covered(covering, s.Goals)
		for _, p := range covering {
			all = append(all, g.transitions(pairs, p))
		}
	default:
		s.Goals = len(g.to)
		all = cover(g, most)
		s.CoveredGoals = covered(all, s.Goals)
	}
	slices.SortStableFunc(all, func(a, b path) int { return cmp.Compare(len(a.edges), len(b.edges)) })
	return all, nil
}

// covered returns the number of edges of a graph that paths have.
func covered(all []path, edges int) (n int) {
	met := make([]bool, edges)
	for _, p := range all {
		for _, e := range p.edges {
			if !met[e] {
				met[e] = true
				n++
			}
		}
	}
	return n
}

// count counts the transitions that the runs take.
func (s *Suite) count() {
	met := make([]bool, s.Transitions)
	for _, r := range s.Runs {
		for _, e := range r.Edges {
			if !met[e] {
				met[e] = true
				s.Covered++
			}
		}
	}
}
