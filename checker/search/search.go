package search

import (
	"errors"
	"fmt"

	"contend/model"
	"contend/model/value"
)

// Run searches a system. Claims of the Linearizable kind come with a monitor.
func Run(s *model.System, claims []model.Claim, opt Options) (res *Result, err error) {
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		if c.Monitor != nil {
			if err := value.CheckNode(c.Monitor(s)); err != nil {
				return nil, fmt.Errorf("claim %s: %w", c.Name, err)
			}
		}
	}
	if opt.MaxSpurious == 0 {
		opt.MaxSpurious = 20
	}
	return run(s, codec, claims, opt, closing)
}

// run searches with one reading of bounds, again for each guess that is refuted.
func run(s *model.System, codec *value.Codec, claims []model.Claim, opt Options, refine refinement) (*Result, error) {
	spared, symmetric, notes := map[string]bool{}, opt.Symmetry, []string(nil)
	for {
		x := newExplorer(s, codec, claims, opt, refine, symmetric, spared)
		res, again, err := x.attempt()
		var wrong refutation
		var asymmetric asymmetry
		switch {
		case errors.As(again, &wrong):
			spared[wrong.message] = true
			notes = append(notes, fmt.Sprintf("stale absorption is off for %s: one that did nothing did something later", wrong.message))
		case errors.As(again, &asymmetric):
			symmetric = false
			notes = append(notes, "symmetry is refused: "+asymmetric.Error())
		default:
			if res != nil {
				res.Notes = append(notes, res.Notes...)
			}
			return res, err
		}
	}
}

func (r refutation) Error() string { return r.message }

// explorer is one breadth-first search.
type explorer struct {
	*engine
	opt     Options
	claims  []model.Claim
	claimOf []int // of each monitor
	set     *visited
	graph   *graph // of the whole state space, when a liveness claim needs it
	res     *Result
	pending []candidate // found while the present state is expanded
	invs    *invariants

	layer, next frontier
	present     uint32 // the state that is expanded
	finals      []uint32
	onState     func(v []uint32) // told of each new state; for tests
}

// candidate is a claim that a step, or a state when ordinal is none, seems to
// break.
type candidate struct {
	claim           int
	text            string
	parent, ordinal uint32
}

const none = ^uint32(0)

// frontier holds the vectors of one layer back to back.
type frontier struct {
	first uint32 // the number of its first state
	data  []uint32
	ends  []int
}

func (f *frontier) add(v []uint32) {
	f.data = append(f.data, v...)
	f.ends = append(f.ends, len(f.data))
}

func (f *frontier) at(i int) []uint32 {
	begin := 0
	if i > 0 {
		begin = f.ends[i-1]
	}
	return f.data[begin:f.ends[i]:f.ends[i]]
}

func newExplorer(s *model.System, codec *value.Codec, claims []model.Claim, opt Options, refine refinement, symmetric bool, spared map[string]bool) *explorer {
	e := newEngine(newStore(s, codec, claims, opt.Timed, refine))
	e.noCache = opt.NoCache
	graph := newGraph(claims)
	plain := graph != nil && len(graph.eventually) > 0 // a reduction could take away the step that fairness owes
	// A delivery that does nothing to a node still adds to its causal past.
	e.absorb = newAbsorber(e, !opt.Stale || plain || e.causal != nil, spared)
	x := &explorer{engine: e, opt: opt, claims: claims, set: newVisited(), invs: newInvariants(e, claims)}
	x.res = &Result{
		Cut: map[string]int64{}, Violated: map[int]Candidate{}, Spurious: map[int]int{}, Witnessed: map[int]bool{},
		Reached: map[int]bool{}, Undecided: map[int]string{},
	}
	for i, c := range claims {
		if c.Monitor != nil {
			x.claimOf = append(x.claimOf, i)
		}
	}
	for _, c := range s.Cuts {
		x.res.Cut[c.Name] = 0
	}
	if symmetric && !plain && e.causal == nil {
		x.sym = newSymmetry(e)
	}
	x.graph = graph
	return x
}

// attempt searches once. The second result asks for another attempt.
func (x *explorer) attempt() (res *Result, again, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case refutation:
			again = p
		case asymmetry:
			again = p
		case model.Misuse:
			err = p
		case value.Unlisted:
			err = p
		case Impure:
			err = p
		default:
			panic(p)
		}
	}()
	return x.search(), nil, nil
}

// search goes through the state space layer by layer.
func (x *explorer) search() *Result {
	x.present = root
	x.emit = x.found
	if x.sym != nil {
		x.sym.checkInitial()
	}
	x.initial()
	x.settle()
	for x.res.Limit == "" && !x.decided() && x.promote() {
		for i := 0; i < len(x.layer.ends); i++ {
			if i&255 == 0 && x.limited(i) {
				break
			}
			x.expandState(i)
			if x.decided() {
				break
			}
		}
	}
	x.finishUp()
	return x.res
}

// promote makes the next layer the present one; false when it is empty.
func (x *explorer) promote() bool {
	x.layer, x.next = x.next, frontier{data: x.layer.data[:0], ends: x.layer.ends[:0]}
	x.layer.first, x.next.first = uint32(x.set.len()-len(x.layer.ends)), uint32(x.set.len())
	if len(x.layer.ends) == 0 {
		x.res.Complete = true
		return false
	}
	x.res.Widths = append(x.res.Widths, int64(len(x.layer.ends)))
	x.res.Depth = len(x.res.Widths) - 1
	return true
}

func (x *explorer) expandState(i int) {
	v := x.layer.at(i)
	x.present = x.layer.first + uint32(i)
	x.expand(v)
	if x.cuts != 0 {
		for k, c := range x.sys.Cuts {
			if x.cuts>>k&1 != 0 {
				x.res.Cut[c.Name]++
			}
		}
	}
	if !x.movable && x.cuts == 0 {
		x.stopped(v)
	}
	if x.graph != nil {
		x.graph.close(x.cuts != 0)
	}
	if len(x.pending) > 0 {
		x.settle()
	}
}

// stopped deals with a state in which nothing but the environment can move.
func (x *explorer) stopped(v []uint32) {
	if x.opt.Judge != nil && len(x.finals) < x.opt.Histories {
		x.finals = append(x.finals, x.present)
	}
	done := x.done(v)
	for i, c := range x.claims {
		if c.Done && c.Kind == model.Always {
			if x.res.Witnessed[i] = true; done {
				continue
			}
			x.pending = append(x.pending, candidate{i, "nothing can happen any more, but a script is not done", x.present, none})
		}
	}
}

// done reports whether every application has finished its script, or is down.
func (e *engine) done(v []uint32) bool {
	for i, spec := range e.sys.Nodes {
		if len(spec.Script) > 0 && v[i] != down && v[e.appAt+i] != uint32(len(spec.Script))<<1 {
			return false
		}
	}
	for _, id := range v[e.head:] {
		if e.flat[id].kind == kind(model.Release) {
			return false
		}
	}
	return true
}

// found is told of each successor.
func (x *explorer) found(v []uint32) {
	if x.present != root {
		x.res.Transitions++
	}
	if x.move.witness != 0 || len(x.move.broken) > 0 {
		x.report()
	}
	n, fresh := x.set.find(x.key(v), x.present, x.emitted)
	if x.graph != nil && x.present != root {
		x.graph.edge(n, x.move)
	}
	if !fresh {
		return
	}
	if x.onState != nil {
		x.onState(v)
	}
	x.next.add(v)
	x.invs.check(x, v, n)
	if x.graph != nil {
		x.graph.state(x.engine, v)
	}
}

func (x *explorer) key(v []uint32) uint64 {
	if x.sym != nil {
		return x.sym.key(v)
	}
	return fingerprint(v)
}

// report keeps what monitors said of the present step.
func (x *explorer) report() {
	for i, m := range x.claimOf {
		if x.move.witness>>i&1 != 0 {
			x.res.Witnessed[m] = true
		}
	}
	for _, b := range x.move.broken {
		text := b.text
		if b.who >= 0 {
			text = x.sys.Name(model.NodeID(b.who)) + ": " + text
		}
		x.pending = append(x.pending, candidate{x.claimOf[b.monitor], text, x.present, x.emitted})
	}
}

// settle takes the candidates that the present state gave to the interpreter.
func (x *explorer) settle() {
	for _, c := range x.pending {
		if _, known := x.res.Violated[c.claim]; known || x.res.Spurious[c.claim] >= x.opt.MaxSpurious {
			continue
		}
		x.confirm(c)
	}
	x.pending = x.pending[:0]
}

func (x *explorer) confirm(c candidate) {
	steps, flights, end := x.way(c.parent, c.ordinal)
	found := Candidate{Claim: c.claim, Text: c.text, Steps: steps, Nodes: x.nodeBytes(end), InFlight: flights, Loop: -1}
	is := Real
	if x.opt.Confirm != nil {
		var err error
		if is, err = x.opt.Confirm(found); err != nil {
			panic(Disagreement{err})
		}
	}
	if is == StrictBound {
		if x.res.Spurious[c.claim]++; x.res.Spurious[c.claim] == x.opt.MaxSpurious {
			x.refineClaim(c.claim)
		}
		return
	}
	x.res.Violated[c.claim] = found
}

// A Disagreement is the panic of a violation that the interpreter does not confirm:
// one of the two implementations of the semantics is wrong.
type Disagreement struct{ Err error }

func (d Disagreement) Error() string {
	return "the search and the interpreter disagree: " + d.Err.Error()
}

func (d Disagreement) Unwrap() error { return d.Err }

// decided reports whether every claim is refuted, so that nothing is left to find.
func (x *explorer) decided() bool { return len(x.claims) > 0 && len(x.res.Violated) == len(x.claims) }

// finishUp settles what can be said only of the whole state space.
func (x *explorer) finishUp() {
	r := x.res
	r.States, r.HandlerCalls = int64(x.set.len()), x.calls
	r.Bytes = x.set.bytes()
	r.Omission = omission(r.States, r.Transitions)
	if x.sym != nil {
		r.Reductions = append(r.Reductions, "symmetry")
	}
	if x.absorb.count > 0 {
		r.Reductions = append(r.Reductions, "stale absorption")
	}
	if x.graph != nil {
		x.graph.decide(x)
	}
	for i, n := range r.Spurious {
		if n < x.opt.MaxSpurious {
			x.refineClaim(i)
		}
	}
	for i, c := range x.claims {
		if c.Kind == model.Sometimes && !r.Reached[i] && x.wasCut() {
			r.Undecided[i] = "cut"
		}
	}
	x.judgeHistories()
	r.Profile = x.profile
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
	for _, n := range x.finals {
		steps, _, _ := x.way(n, none)
		if err := x.opt.Judge(steps); err != nil {
			panic(Disagreement{err})
		}
		x.res.Histories++
	}
}
