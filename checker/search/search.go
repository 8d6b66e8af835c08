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
// candidate (candidate.go): package runs takes its run again, finer grids are tried where the grid
// closed a bound (refine.go), and package confirm, outside, has the last word. At the end package
// doubt asks the handlers again. Long searches are kept in files by checkpoint and storage.
package search

import (
	"errors"
	"fmt"
	"maps"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"

	"contend/checker/search/absorb"
	"contend/checker/search/component"
	"contend/checker/search/decide"
	"contend/checker/search/doubt"
	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/graph"
	"contend/checker/search/parts"
	"contend/checker/search/profile"
	"contend/checker/search/runs"
	"contend/checker/search/statespace"
	"contend/checker/search/step"
	"contend/checker/search/storage"
	"contend/checker/search/symmetry"
	"contend/checker/search/visited"
	"contend/model"
	"contend/model/value"
)

// Run searches a system. Claims of the Linearizable kind come with a monitor.
func Run(s *model.System, claims []model.Claim, opt Options) (res *Result, err error) {
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
	if err := opt.refuseParts(s); err != nil {
		return nil, err
	}
	return searchWith(s, codec, claims, opt, component.Closing)
}

// usualSpurious is how many spurious candidates are tried where nothing else is said.
const usualSpurious = 20

// inOneProcess is said of a search that was to have several parts.
const inOneProcess = "it is searched by one process: a claim of what can or must come is decided on the graph of all states, which one memory holds"

// searchWith searches with one reading of bounds, again for each guess that is refuted.
func searchWith(s *model.System, codec *value.Codec, claims []model.Claim, opt Options, refine component.Refinement) (*Result, error) {
	g := newGuesses()
	if opt.Crew != nil && graph.New(claims, opt.Dense) != nil {
		opt.Crew, g.notes = nil, append(g.notes, inOneProcess)
	}
	if err := opt.gather(nil); err != nil {
		return nil, err
	}
	files, from, err := opt.directory()
	if err != nil {
		return nil, err
	}
	defer files.Close()
	losses := losses{}
	if from != nil {
		g, opt.Exact = from.guesses(), from.Exact
	}
	before := map[int]Candidate{} // violations that searches found which began again
	for {
		x := newExplorer(s, codec, claims, opt, refine, g)
		x.files, x.held.Directory = files, files
		res, err := x.attempt(from)
		if lost := (parts.Lost{}); errors.As(err, &lost) && opt.Crew != nil {
			if from, err = losses.goOn(x, &opt, lost); err != nil {
				return x.cutOff(err), nil
			}
			if g = newGuesses(); from != nil {
				g, opt.Exact = from.guesses(), from.Exact
			}
			continue
		}
		if again := g.learn(x.refusals()) || x.again; err != nil || !again {
			if res != nil {
				res.Notes = append(g.notes, res.Notes...)
				res.takeOver(before)
			}
			return res, err
		}
		maps.Copy(before, x.res.Violated)
		opt.Exact, from = opt.Exact || x.again, nil
	}
}

// takeOver takes over violations that a search found before it began again: it may be stopped before it
// comes to them once more.
func (r *Result) takeOver(before map[int]Candidate) {
	for claim, c := range before {
		if _, known := r.Violated[claim]; !known && r.Disputed[claim] == "" {
			r.Violated[claim] = c
			delete(r.Undecided, claim)
		}
	}
}

// guesses are what a search does not assume any more.
type guesses struct {
	spared map[string]bool // messages, by type, that absorption leaves alone
	unlike map[string]bool // groups that are not interchangeable
	notes  []string
}

func newGuesses() guesses { return guesses{spared: map[string]bool{}, unlike: map[string]bool{}} }

// learn takes what a search found to be wrong; false when it found nothing.
func (g *guesses) learn(r refusals) bool {
	for _, message := range slices.Sorted(maps.Keys(r.matter)) {
		g.spared[message] = true
		g.notes = append(g.notes, absorptionOff(message, r.matter[message]))
	}
	for _, name := range slices.Sorted(maps.Keys(r.unlike)) {
		g.unlike[name] = true
		g.notes = append(g.notes, fmt.Sprintf("symmetry of %s is refused: %s", name, slices.Min(r.unlike[name])))
	}
	return r.any()
}

func absorptionOff(message, why string) string {
	return fmt.Sprintf("stale absorption is off for %s: one that did nothing %s", message, why)
}

// refusals are what the search found that it had assumed wrongly. It goes on to the
// end of the layer, so that what is refused does not depend on who found it first, and
// begins again.
type refusals struct {
	matter map[string]string   // messages, by type, that were absorbed and matter, with what they did
	unlike map[string][]string // why the members of a group are not interchangeable
}

func (r refusals) any() bool { return len(r.matter)+len(r.unlike) > 0 }

func (x *explorer) refusals() (r refusals) {
	if x.absorber != nil {
		r.matter = x.absorber.Matter
	}
	if x.sym != nil {
		r.unlike = x.sym.Unlike
	}
	return r
}

// refused reports whether there are any.
func (x *explorer) refused() bool { return x.refusals().any() }

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
	parts    *company           // nil unless the search has other parts
	space    *statespace.Keeper // nil unless it is drawn
	res      *Result
	workers  []*searcher

	_         [64]byte        // what workers write all the time is not beside what they read
	held      frontier.Memory // of chunks
	fresh     atomic.Int64    // states met in the present layer, as far as the table knows
	generated atomic.Int64
	_         [64]byte

	layer     frontier.Layer
	files     *storage.Directory
	states    int64 // met in the layers that are complete
	roots     []fingerprint.Print
	taker     *runs.Taker
	finals    []fingerprint.Print
	judged    int   // finals of earlier layers
	failures  bool  // a handler fails
	locked    int64 // states in which time cannot go on
	looks     int
	stop      atomic.Bool
	halted    atomic.Pointer[string] // what stopped it from outside
	costs     []extremes             // of the layers that are complete, by claim
	exact     bool                   // the least parents are kept
	guessed   guesses
	confirmed []candidate // of the claims that are broken

	checkpointAt   time.Time
	checkpointTook time.Duration
	begun          time.Time
	spent          time.Duration // on the search before it was resumed
	absorbed       bool          // something was, before it was resumed
	tried          float64       // orders of tied members, before it was resumed
	before         counts        // when the present layer began

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
	x := &explorer{Engine: e, opt: opt, claims: claims, graph: graph.New(claims, opt.Dense), guessed: g}
	x.exact = x.graph == nil
	if x.graph == nil && (opt.MaxMemory > 0 || opt.Checkpoint != "") { // a graph numbers its states with the notes
		x.mark = 1
	}
	if e.Fair = x.graph.Fair(); e.Fair {
		e.Sets = &x.graph.Edges.Sets
	}
	e.Uses = opt.uses(conditionsOf(st), g.unlike)
	if e.Uses.Stale {
		x.absorber = absorb.New(e, g.spared)
	}
	x.res = &Result{
		Cut: map[string]int64{}, Violated: map[int]Candidate{}, Spurious: map[int]int{}, Witnessed: map[int]bool{},
		Reached: map[int]bool{}, Undecided: map[int]string{}, Disputed: map[int]string{}, Costs: map[int]Extremes{},
	}
	x.costs = newExtremes(claims)
	for i, c := range claims {
		if c.Monitor != nil {
			x.claimOf = append(x.claimOf, i)
		}
	}
	for _, c := range s.Cuts {
		x.res.Cut[c.Name] = 0
	}
	x.permute(symmetry.New(e, map[string]bool{symmetry.Servers: e.Uses.Servers, symmetry.Clients: e.Uses.Clients}))
	x.res.Workers = max(opt.Workers, 1)
	if x.graph != nil {
		x.res.Workers = 1 // the graph numbers the states as they come
	}
	for i := range x.res.Workers {
		x.workers = append(x.workers, newSearcher(x, i))
	}
	if opt.Exchange != nil && x.graph == nil {
		x.parts = newCompany(x, opt.Exchange)
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
		case parts.Lost:
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
	if x.parts != nil {
		x.parts.begin(from)
	}
	if from != nil {
		if err := x.restore(from); err != nil {
			return nil, err
		}
		goes = true
	} else {
		x.workers[0].begin()
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
	if !x.refused() && !x.again {
		x.finishUp()
		whole := x.res.Limit == ""
		if x.parts != nil {
			x.parts.end(whole)
		}
		if x.opt.Checkpoint != "" && whole {
			x.files.Forget()
		}
	}
	return x.res, nil
}

func (x *explorer) goesOn() bool {
	return x.res.Limit == "" && !x.refused() && !x.again && !x.decided()
}

// promote makes what was found the present layer; false when it is nothing.
func (x *explorer) promote() bool {
	var found []*frontier.Part
	for _, s := range x.workers {
		found = append(found, &s.next)
	}
	width := int64(0)
	if x.parts != nil {
		width = x.parts.next()
	}
	x.layer.Replace(found)
	if width += x.layer.States; width == 0 {
		x.res.Complete = true
		return false
	}
	x.res.Widths = append(x.res.Widths, width)
	x.res.Depth = len(x.res.Widths) - 1
	x.set.BeginLayer(len(x.res.Widths))
	x.before = counts{x.generated.Load(), x.Calls}
	x.tell(x.met())
	return true
}

// decided reports whether a claim is refuted, and every other one too, or reached, or without a verdict
// for good, so that nothing is left to find.
func (x *explorer) decided() bool {
	if len(x.res.Violated) == 0 && len(x.res.Disputed) == 0 {
		return false
	}
	for i := range x.claims {
		if _, violated := x.res.Violated[i]; !violated && !x.res.Reached[i] && x.res.Disputed[i] == "" {
			return false
		}
	}
	return len(x.claims) > 0
}

// tellViolated tells of the violations so far, since the search goes on for other claims.
func (x *explorer) tellViolated() {
	if x.opt.Violated == nil {
		return
	}
	for _, claim := range slices.Sorted(maps.Keys(x.res.Violated)) {
		x.opt.Violated(claim)
	}
}

// finishUp settles what can be said only of the whole state space.
func (x *explorer) finishUp() {
	x.afterwards(x.doubt)
	r := x.res
	r.States, r.HandlerCalls, r.Transitions = x.states, x.Calls, x.generated.Load()
	if x.classes != nil {
		x.classes.finish()
	} else {
		r.Bytes, r.DiskBytes = x.set.Bytes(), x.set.DiskBytes()
		if x.parts != nil {
			x.parts.addUp(r)
		}
		r.Omission = omission(r.States, r.Transitions, x.opt.Wide) * x.crowding()
	}
	if x.sym != nil {
		for _, g := range x.sym.Groups {
			r.Reductions = append(r.Reductions, g.Reduction())
		}
	}
	if x.absorbs() {
		r.Reductions = append(r.Reductions, "stale absorption")
	}
	if x.graph != nil {
		x.afterwards(x.judgeLiveness)
		x.leaveLiveness()
	}
	for _, i := range slices.Sorted(maps.Keys(r.Spurious)) {
		if r.Spurious[i] < x.opt.MaxSpurious {
			x.refineClaim(i)
		}
	}
	for i, c := range x.claims {
		if c.Kind == model.Sometimes && !r.Reached[i] && x.wasCut() {
			r.Undecided[i] = decide.Cut
		}
	}
	x.leaveUnfollowed()
	x.leaveFailed()
	x.leaveLocked()
	x.judgeHistories()
	x.settleCosts()
	r.Profile = x.profile
	if x.space != nil {
		var whole *graph.Graph
		if r.Complete {
			whole = x.graph
		}
		r.Space = x.space.Finish(whole)
	}
}

// leaveLocked leaves open what rests on states in which time cannot go on. On an exact grid
// there are more of them than in real time, and only violations are taken from it.
func (x *explorer) leaveLocked() {
	if x.locked == 0 || x.Refine.Exact {
		return
	}
	for i, c := range x.claims {
		if c.Done && c.Kind == model.Always || x.res.Undecided[i] == "cut" && !x.wasCut() {
			x.res.Undecided[i] = timeLock
		}
	}
	x.res.Notes = append(x.res.Notes, fmt.Sprintf("time cannot go on in %d states: what has to happen there in time cannot happen any more", x.locked))
}

// timeLock is the limit of a verdict that rests on states in which time cannot go on.
const timeLock = "time-lock"

// absorbs reports whether a message was absorbed.
func (x *explorer) absorbs() bool {
	return x.absorbed || slices.ContainsFunc(x.workers, func(s *searcher) bool { return s.absorption != nil && s.absorption.Count > 0 })
}

// crowding is how many times likelier two orbits have one name than two states have one
// print: an orbit's is the least of as many prints as orders of tied members were tried,
// at most.
func (x *explorer) crowding() float64 {
	k := x.orders()
	return k * k / (2*k - 1)
}

// orders is how many orders of tied members were tried for one state, at most.
func (x *explorer) orders() float64 {
	k := max(x.tried, 1)
	for _, s := range x.workers {
		if s.orbits != nil {
			k = max(k, float64(s.orbits.Servers.Tried)*float64(s.orbits.Clients.Tried))
		}
	}
	return k
}

// omission is the expected number of states lost because two had one fingerprint:
// d distinct states among g generated are lost with probability about d·(g−d/2)/2⁶⁴, or
// 2¹²⁸ for wide fingerprints.
func omission(distinct, generated int64, wide bool) float64 {
	d, g := float64(distinct), float64(max(generated, distinct))
	p := d * (g - d + d/2) / (1 << 32) / (1 << 32)
	if wide {
		p = p / (1 << 32) / (1 << 32)
	}
	return p
}

// wasCut reports whether there was more to explore than the cuts let.
func (x *explorer) wasCut() bool {
	for _, states := range x.res.Cut {
		if states > 0 {
			return true
		}
	}
	return false
}

// judgeHistories hands runs to their ends to the judge.
func (x *explorer) judgeHistories() {
	for _, key := range x.finals {
		if x.outside() != "" {
			x.called()
			x.res.Complete = false
			return // nothing is said to hold
		}
		if err := x.judgeHistory(key); err != nil {
			for i, c := range x.claims {
				if c.Kind == model.Linearizable {
					x.dispute(i, err)
				}
			}
			return
		}
		x.res.Histories++
	}
}

func (x *explorer) judgeHistory(key fingerprint.Print) (err error) {
	defer disputed(&err)
	r := x.runTo(key)
	return x.opt.Judge(Candidate{Boot: r.Boot, Steps: r.Steps, InFlight: r.Flights, Loop: -1})
}

// doubt asks the handlers again: finer grids ask those of the search before. That invariants have changed no node is
// looked at first.
func (x *explorer) doubt(beat func()) {
	for _, s := range x.workers {
		s.asked.MustBeUnchanged()
	}
	if x.parts != nil && x.parts.number == 0 {
		x.parts.doubt()
	}
	doubt.Ask(doubt.Search{Engine: x.Engine, Steps: x.generated.Load(), Stopped: x.stopped(), Often: !x.opt.Pure && !x.Refine.Exact}, beat)
}

// impurity asks the handlers again, and returns what is found.
func (x *explorer) impurity() (err error) {
	defer value.Caught(&err)
	x.doubt(func() {})
	return nil
}

// profile tells what splits states.
func (x *explorer) profile() string {
	p := profile.Search{Engine: x.Engine, Widths: x.res.Widths}
	for _, s := range x.workers {
		p.Lookups += s.Lookups
		p.Asked += int64(len(s.Reactions))
	}
	return p.Text()
}
