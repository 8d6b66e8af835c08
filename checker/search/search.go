// Package search explores all runs of a system within its bounds, layer by layer. It returns a verdict for each claim,
// or a run that violates it.
//
// [Run] in search.go is the entry. Package decide determines what can be decided at all. A traversal then expands one
// layer of states after the other: single states (traversal.go) or the classes of dense time (dense.go). For each state
// a worker (searcher.go) lets package step make the successors. Package component stores their components. The
// reductions (reductions.go) delete messages with package absorb and name states with package symmetry. Package reduce
// has the conditions for them. The package visited (classes, in dense time) finds the new states, and frontier stores
// them until the next layer. Package invariants judges states as they are found.
//
// The notes in the set are parents (notes.go), or numbers in the package graph, on which package liveness judges claims
// at the end (liveness.go). A suspect is a violation to be confirmed (candidate.go): package runs replays its run. If
// the grid closed a bound, finer grids are searched (refine.go). The package confirm, outside, decides. At the end
// package doubt calls handlers again. The packages checkpoint and storage keep long searches in files. The outcome of
// each claim is in outcome.go, with the order of precedence.
package search

import (
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"

	"contend/checker/heap"
	"contend/checker/search/absorb"
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/graph"
	"contend/checker/search/runs"
	"contend/checker/search/statespace"
	"contend/checker/search/step"
	"contend/checker/search/storage"
	"contend/checker/search/suspect"
	"contend/checker/search/symmetry"
	"contend/checker/search/visited"
	"contend/model"
	"contend/model/value"
)

// Run searches a system. Claims of the Linearizable kind come with a monitor.
func Run(s *model.System, claims []model.Claim, opt Options) (res *Result, err error) {
	heap.Prepare()
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, err
	}
	if opt.Dense {
		if err := RefuseUndense(s); err != nil {
			return nil, err
		}
	}
	if err := opt.oneAdversary(claims); err != nil {
		return nil, err
	}
	if err := opt.refuseTimed(); err != nil {
		return nil, err
	}
	if res := opt.undecided(s, claims); res != nil {
		return res, nil
	}
	if opt.measures(claims) {
		opt.Exact = true // the runs that are shown must not depend on who was first
	}
	if opt.Draw { // what is drawn is counted in one order, and once
		opt.Workers, opt.Exact = 1, true
	}
	return searchWith(s, codec, claims, opt.withDefaults(), component.Closing)
}

// searchWith searches with one reading of bounds. It searches again for each refuted guess.
func searchWith(s *model.System, codec *value.Codec, claims []model.Claim, opt Options, refine component.Refinement) (*Result, error) {
	g := newGuesses()
	files, from, err := opt.directory()
	if err != nil {
		return nil, err
	}
	defer files.Close()
	if from != nil {
		g, opt.Exact = from.guesses(), from.Exact
	}
	before := make([]*Candidate, len(claims)+1) // violations found by searches that started again
	for {
		x := newExplorer(s, codec, claims, opt, refine, g)
		x.files, x.held.Directory = files, files
		res, err := x.attempt(from)
		for _, claim := range x.res.Violated() {
			before[claim] = x.res.Claims[claim].Violated
		}
		if again := g.learn(x.refusals()) || x.again; err != nil || !again {
			if res != nil {
				res.Notes = append(g.notes, res.Notes...)
				res.takeOver(before)
			}
			return res, err
		}
		opt.Exact, from = opt.Exact || x.again, nil
	}
}

// takeOver takes over violations from a search that started again. The next one may be stopped before it finds
// them again.
func (r *Result) takeOver(before []*Candidate) {
	for claim, c := range before {
		if o := &r.Claims[claim]; c != nil && o.Violated == nil && o.Disputed == "" {
			o.violate(*c)
		}
	}
}

// An explorer is one breadth-first search, with what its traversal, notes, reductions and workers share.
type explorer struct {
	*step.Engine
	opt     Options
	claims  []model.Claim
	claimOf []int        // of each monitor
	set     *visited.Set // of the states met; a discreteSearch has one
	res     *Result
	workers []*searcher

	traversal  traversal
	notes      notes
	reductions []reduction
	observer   observer
	drafts     bool // successors may be looked up before they are made

	_         [64]byte        // apart from what workers read: they write these all the time
	held      frontier.Memory // of chunks
	fresh     atomic.Int64    // states met in the present layer, as far as the table knows
	generated atomic.Int64
	_         [64]byte

	files      *storage.Directory
	states     int64 // met in the complete layers
	roots      []fingerprint.Print
	taker      *runs.Taker
	finals     []fingerprint.Print
	judged     int            // finals of earlier layers
	failures   bool           // a handler fails
	unfollowed map[int]string // by claim, the limit beyond which its monitor does not follow
	lookedAt   int            // number of local states that were examined for such limits
	locked     int64          // states in which time cannot advance
	looks      int
	stop       atomic.Bool
	halted     atomic.Pointer[string] // why it was stopped from outside
	costs      []suspect.Extremes     // of the complete layers, by claim
	guessed    guesses
	confirmed  []suspect.Suspect // of the violated claims

	begun   time.Time
	spent   time.Duration // on the search before it was resumed
	resumed bool
	tried   orders // of tied members, before it was resumed

	heap      int64 // bytes in use, as last measured
	heapLimit int64 // the collector's limit in bytes
	forTable  int64 // the share of the table in bytes
	gaveWay   int64 // the heap when the table last shrank
	sample    [1]metrics.Sample

	dropsRecent bool // a step to a state that was met a moment ago adds nothing
	again       bool // a claim is violated, but the parents are not exact
}

// counts are the counts of a search besides its states.
type counts struct{ generated, calls int64 }

func newExplorer(s *model.System, codec *value.Codec, claims []model.Claim, opt Options, refine component.Refinement, g guesses) *explorer {
	st := component.NewStore(s, codec, claims, opt.Timed, refine)
	st.Running = opt.Running
	st.Dense, st.Coins = opt.Dense, opt.coins(claims)
	e := step.NewEngine(st)
	e.NoCache = opt.NoCache
	x := &explorer{Engine: e, opt: opt, claims: claims, guessed: g, unfollowed: map[int]string{}, observer: unobserved{}, sample: [1]metrics.Sample{{Name: live}}}
	x.res = newResult(len(claims))
	x.res.Workers = max(opt.Workers, 1)
	x.takeNotes()
	conditions := conditionsOf(st)
	e.Uses = opt.uses(conditions, g.unlike)
	if note := x.symmetryBarred(conditions); note != "" {
		x.res.Notes = append(x.res.Notes, note)
	}
	x.costs = newExtremes(claims)
	for i, c := range claims {
		if c.Monitor != nil {
			x.claimOf = append(x.claimOf, i)
		}
	}
	x.reduce()
	for i := range x.res.Workers {
		x.workers = append(x.workers, newSearcher(x, i))
	}
	first := x.workers[0]
	x.taker = &runs.Taker{Engine: e, Worker: first.Worker, Orbits: first.orbits, States: met{x}, ClaimOf: x.claimOf, From: opt.From}
	if opt.Dense {
		x.traversal = newDense(x)
		return x
	}
	x.traversal = &discreteSearch{explorer: x}
	if opt.Draw {
		x.observer = drawing{statespace.Keep(x.taker, first.asked, len(claims), func() (fingerprint.Print, bool) { return first.present, first.rooted }), x}
	}
	return x
}

// takeNotes chooses what is noted of states.
func (x *explorer) takeNotes() {
	g := graph.New(x.claims, x.opt.Dense)
	if g == nil {
		x.notes = newParentNotes(x)
		return
	}
	x.notes = &graphNotes{x, g}
	x.res.Workers = 1 // the graph numbers the states in the order of discovery
	if x.Fair = g.Fair(); x.Fair {
		x.Sets = &g.Edges.Sets
	}
}

// reduce makes the reductions that may be used.
func (x *explorer) reduce() {
	var images []func(local uint32) uint32
	if sym := symmetry.New(x.Engine, map[string]bool{symmetry.Servers: x.Uses.Servers, symmetry.Clients: x.Uses.Clients}); sym != nil {
		x.Checks, images = sym, sym.Images()
		x.reductions = append(x.reductions, symmetric{sym})
	}
	if x.Uses.Stale {
		absorber := absorb.New(x.Engine, x.guessed.spared)
		absorber.Images = images
		x.reductions = append(x.reductions, &absorbing{Absorber: absorber, x: x})
	}
	_, numbered := x.notes.(*graphNotes)
	x.drafts = len(x.reductions) == 0 && !numbered && !x.opt.Draw
}

// attempt searches once.
func (x *explorer) attempt(from *saved) (res *Result, err error) {
	x.begun = x.opt.Now()
	x.traversal.open()
	defer x.traversal.close()
	defer x.shareMemory()()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case model.Refusal:
			err = p
		case Storage:
			err = p
		case BadCheckpoint:
			err = p
		case runs.Disagreement:
			if err = x.impurity(); err == nil {
				panic(p)
			}
		default:
			panic(p)
		}
	}()
	return x.search(from)
}

// search searches from the initial states, or from a checkpoint unless from is nil.
func (x *explorer) search(from *saved) (*Result, error) {
	for _, r := range x.reductions {
		r.begin()
	}
	return x.traversal.search(from)
}

// goesOn reports whether there may be a next layer.
func (x *explorer) goesOn() bool {
	return x.res.Limit.None() && !x.refused() && !x.again && !x.decided()
}

// beginLayer counts a layer that has so many states, or classes. It returns false if there are none.
func (x *explorer) beginLayer(width int64) bool {
	if width == 0 {
		x.res.Complete = true
		return false
	}
	x.res.Widths = append(x.res.Widths, width)
	x.res.Depth = len(x.res.Widths) - 1
	x.tell(x.met())
	return true
}

// decided reports whether nothing is left to find: some claim is refuted, and every other claim is settled.
func (x *explorer) decided() bool {
	refuted := func(o Outcome) bool { return o.Violated != nil || o.Disputed != "" }
	if len(x.claims) == 0 || !slices.ContainsFunc(x.res.Claims, refuted) {
		return false
	}
	return !slices.ContainsFunc(x.res.Claims[:len(x.claims)], func(o Outcome) bool { return !o.settled() })
}

// reportViolated reports the violations so far, since the search goes on for other claims.
func (x *explorer) reportViolated() {
	for _, claim := range x.res.Violated() {
		x.opt.Violated(claim)
	}
}
