// Package search explores every run of a system within its bounds, layer by layer, and gives
// for each claim a verdict or a run that breaks it.
//
// [Run] is where to begin, here in search.go: it asks decide what can be decided at all, and
// then expands one layer of states after the other. For each state a searcher (searcher.go;
// dense.go for dense time) lets package step make the successors, whose components package
// component stores. Absorb takes messages out of them, symmetry names them, and reduce says
// whether they may. What is new to visited (to classes, in dense time) is kept in frontier
// until the next layer. Package invariants judges states as they are found; package graph keeps
// all edges for package liveness, which is asked at the end (liveness.go). A broken claim is a
// suspect (candidate.go): package runs takes its run again, finer grids are tried where the grid
// closed a bound (refine.go), and package confirm, outside, has the last word. At the end package
// doubt asks the handlers again. Long searches are kept in files by checkpoint and storage. What is found out about each claim is an
// outcome (outcome.go), which says there what precedes what.
//
// What can stand alone has rooms of its own below. What is left is one object, the explorer, and its workers:
// each file tells of one thing that they do to the layer, the set and the result which all of them share.
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
	if opt.MaxSpurious == 0 {
		opt.MaxSpurious = usualSpurious
	}
	return searchWith(s, codec, claims, opt, component.Closing)
}

// usualSpurious is how many spurious candidates are tried where nothing else is said.
const usualSpurious = 20

// searchWith searches with one reading of bounds, again for each guess that is refuted.
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
	before := make([]*Candidate, len(claims)+1) // violations that searches found which began again
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

// takeOver takes over violations that a search found before it began again: it may be stopped before it
// comes to them once more.
func (r *Result) takeOver(before []*Candidate) {
	for claim, c := range before {
		if o := &r.Claims[claim]; c != nil && o.Violated == nil && o.Disputed == "" {
			o.violate(*c)
		}
	}
}

// explorer is one breadth-first search, layer by layer.
type explorer struct {
	*step.Engine
	opt      Options
	claims   []model.Claim
	claimOf  []int // of each monitor
	set      *visited.Set
	sym      *symmetry.Groups   // nil when it is off
	absorber *absorb.Absorber   // nil when it is off
	graph    *graph.Graph       // of the whole state space, when a liveness claim needs it
	classes  *denseSearch       // in dense time, instead of the set
	space    *statespace.Keeper // nil unless it is drawn
	res      *Result
	workers  []*searcher

	_         [64]byte        // what workers write all the time is not beside what they read
	held      frontier.Memory // of chunks
	fresh     atomic.Int64    // states met in the present layer, as far as the table knows
	generated atomic.Int64
	_         [64]byte

	layer      frontier.Layer
	files      *storage.Directory
	states     int64 // met in the layers that are complete
	roots      []fingerprint.Print
	taker      *runs.Taker
	finals     []fingerprint.Print
	judged     int            // finals of earlier layers
	failures   bool           // a handler fails
	unfollowed map[int]string // by claim, the limit beyond which its monitor does not follow
	lookedAt   int            // how many local states were looked at for such limits
	locked     int64          // states in which time cannot go on
	looks      int
	stop       atomic.Bool
	halted     atomic.Pointer[string] // what stopped it from outside
	costs      []suspect.Extremes     // of the layers that are complete, by claim
	exact      bool                   // the least parents are kept
	guessed    guesses
	confirmed  []suspect.Suspect // of the claims that are broken

	checkpointAt   time.Time
	checkpointTook time.Duration
	begun          time.Time
	spent          time.Duration // on the search before it was resumed
	absorbed       bool          // something was, before it was resumed
	resumed        bool
	tried          orders // of tied members, before it was resumed
	before         counts // when the present layer began

	heap      int64 // bytes in use, as they were measured last
	heapLimit int64 // bytes that the collector is told of
	forTable  int64 // bytes that the table may take up
	gaveWay   int64 // the heap when the table was last made smaller
	sample    []metrics.Sample

	mark    uint32           // 1 if notes tell the states met in the present layer, as they must when the table may be emptied
	again   bool             // a claim is broken, but parents were not exact
	onState func(v []uint32) // told of each new state; for tests
}

// counts are what a search has counted so far besides the states.
type counts struct{ generated, calls int64 }

func newExplorer(s *model.System, codec *value.Codec, claims []model.Claim, opt Options, refine component.Refinement, g guesses) *explorer {
	st := component.NewStore(s, codec, claims, opt.Timed, refine)
	st.Running = opt.Running
	st.Dense, st.Coins = opt.Dense, opt.coins(claims)
	e := step.NewEngine(st)
	e.NoCache = opt.NoCache
	x := &explorer{Engine: e, opt: opt, claims: claims, graph: graph.New(claims, opt.Dense), guessed: g, unfollowed: map[int]string{}}
	x.exact = x.graph == nil
	if x.graph == nil && (opt.MaxMemory > 0 || opt.Checkpoint != "") { // a graph numbers its states with the notes
		x.mark = 1
	}
	if e.Fair = x.graph.Fair(); e.Fair {
		e.Sets = &x.graph.Edges.Sets
	}
	conditions := conditionsOf(st)
	e.Uses = opt.uses(conditions, g.unlike)
	if e.Uses.Stale {
		x.absorber = absorb.New(e, g.spared)
	}
	x.res = newResult(len(claims))
	if note := x.symmetryBarred(conditions); note != "" {
		x.res.Notes = append(x.res.Notes, note)
	}
	x.costs = newExtremes(claims)
	for i, c := range claims {
		if c.Monitor != nil {
			x.claimOf = append(x.claimOf, i)
		}
	}
	x.permute(symmetry.New(e, map[string]bool{symmetry.Servers: e.Uses.Servers, symmetry.Clients: e.Uses.Clients}))
	x.res.Workers = max(opt.Workers, 1)
	if x.graph != nil {
		x.res.Workers = 1 // the graph numbers the states as they come
	}
	for i := range x.res.Workers {
		x.workers = append(x.workers, newSearcher(x, i))
	}
	first := x.workers[0]
	x.taker = &runs.Taker{Engine: e, Worker: first.Worker, Orbits: first.orbits, States: met{x}, ClaimOf: x.claimOf, From: opt.From}
	if opt.Dense {
		x.classes = newClasses(x)
	} else if opt.Draw {
		x.space = statespace.Keep(x.taker, first.asked, len(claims), func() (fingerprint.Print, bool) { return first.present, first.rooted })
	}
	return x
}

// permute turns symmetry on, unless there is none.
func (x *explorer) permute(sym *symmetry.Groups) {
	if sym == nil {
		return
	}
	x.sym, x.Checks = sym, sym
	if x.absorber != nil {
		x.absorber.Images = sym.Images()
	}
}

// attempt searches once.
func (x *explorer) attempt(from *saved) (res *Result, err error) {
	if x.classes == nil {
		x.set = visited.New(x.opt.Wide, len(x.workers))
		defer x.set.Close()
		defer x.closeLayers()
	}
	defer x.shareMemory()()
	if x.opt.Now != nil {
		x.begun = x.opt.Now()
		x.checkpointAt = x.begun
	}
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

// search goes through the state space layer by layer. A layer is finished even when the
// last claim was broken in it, so that how many states were met, and which
// counterexample is given, does not depend on how many workers there are.
func (x *explorer) search(from *saved) (*Result, error) {
	if x.sym != nil {
		x.sym.CheckInitial()
	}
	if x.classes != nil {
		return x.classes.search(), nil
	}
	goes := false
	if from != nil {
		if err := x.restore(from); err != nil {
			return nil, err
		}
		goes = true
	} else {
		x.workers[0].begin()
		x.settleSymmetry()
		x.endLayer()
		goes = x.goesOn() && x.promote()
	}
	for goes {
		x.tellViolated()
		x.keepCheckpoint()
		x.expandLayer()
		x.keepStopped()
		x.endLayer()
		goes = x.goesOn() && x.promote()
	}
	x.settleAll()
	if !x.refused() && !x.again {
		x.finishUp()
		if x.opt.Checkpoint != "" && x.res.Limit.None() {
			x.files.Forget()
		}
	}
	return x.res, nil
}

func (x *explorer) goesOn() bool {
	return x.res.Limit.None() && !x.refused() && !x.again && !x.decided()
}

// promote makes what was found the present layer; false when it is nothing.
func (x *explorer) promote() bool {
	var found []*frontier.Part
	for _, s := range x.workers {
		found = append(found, &s.next)
		s.Refresh()
	}
	x.layer.Replace(found)
	if x.layer.States == 0 {
		x.res.Complete = true
		return false
	}
	x.res.Widths = append(x.res.Widths, x.layer.States)
	x.res.Depth = len(x.res.Widths) - 1
	x.set.BeginLayer(len(x.res.Widths))
	x.before = counts{x.generated.Load(), x.Calls}
	x.tell(x.met())
	return true
}

// decided reports whether a claim is refuted, and every other one too, or reached, or without a verdict
// for good, so that nothing is left to find.
func (x *explorer) decided() bool {
	refuted := func(o Outcome) bool { return o.Violated != nil || o.Disputed != "" }
	if len(x.claims) == 0 || !slices.ContainsFunc(x.res.Claims, refuted) {
		return false
	}
	return !slices.ContainsFunc(x.res.Claims[:len(x.claims)], func(o Outcome) bool { return !o.settled() })
}

// tellViolated tells of the violations so far, since the search goes on for other claims.
func (x *explorer) tellViolated() {
	if x.opt.Violated == nil {
		return
	}
	for _, claim := range x.res.Violated() {
		x.opt.Violated(claim)
	}
}
