package judge

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"contend/impl/pages"
	"contend/model"
)

// register is an object whose reads return what was written last, and whose flip
// returns either of two values: one that the monitor and porcupine must both follow
// through more than one possible state.
var register = model.Object{
	Name: "register", Init: 0, Unknown: "who knows",
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		switch op := op.(type) {
		case string: // flip
			return []model.Effect{{State: 1, Result: "ok"}, {State: 2, Result: "ok"}}
		case int:
			if op == 0 { // read
				return []model.Effect{{State: state, Result: state}}
			}
			return []model.Effect{{State: op, Result: "ok"}}
		}
		return nil
	},
}

// violations is a Watch that counts.
type violations struct {
	model.Watch
	n int
}

func (v *violations) Violate(string, ...any) { v.n++ }
func (v *violations) Witness()               {}

// randomHistory makes a history of three clients whose results are right more often
// than not. In one of four, some are unknown.
func randomHistory(r *rand.Rand) []model.Observation {
	var h []model.Observation
	running := map[model.NodeID]any{}
	at := map[model.NodeID]int{}
	value, lost := 0, r.IntN(4) == 0
	for range 4 + r.IntN(10) {
		c := model.NodeID(r.IntN(3))
		op, busy := running[c]
		if !busy {
			op = []any{0, 0, 1, 2, "flip"}[r.IntN(5)]
			running[c] = op
			h = append(h, model.Observation{Kind: model.Invoked, Node: c, Op: at[c], Value: op})
			continue
		}
		delete(running, c)
		var result any = "ok"
		switch op {
		case 0:
			result = value
			if r.IntN(6) == 0 {
				result = r.IntN(3)
			}
		case 1, 2:
			value = op.(int)
		default:
			value = 1 + r.IntN(2)
		}
		if lost && r.IntN(3) == 0 {
			result = "who knows"
		}
		h = append(h, model.Observation{Kind: model.Returned, Node: c, Op: at[c], Value: result})
		at[c]++
	}
	return h
}

// The monitor and porcupine, which share nothing, agree on every history, and on
// every prefix of it; and so does the monitor that holds the history to the page of an atomic object.
func TestMonitorAgreesWithPorcupine(t *testing.T) {
	const followed = 150 // histories are held to the page, too, which takes a hundred times as long
	counts := map[Verdict]int{}
	held := Watched([]model.Claim{pages.RefinesObject(register)})[0].Monitor
	nodes := &model.System{Nodes: make([]model.NodeSpec, 3)}
	for seed := range uint64(1500) {
		h := randomHistory(rand.New(rand.NewPCG(seed, 0)))
		l, v := newLinearizer(register), &violations{}
		follower, refuses := held(nodes), &violations{}
		for i, o := range h {
			l.Observe(v, o)
			if seed < followed {
				follower.Observe(refuses, o)
			}
			want, err := History(register, h[:i+1], time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			counts[want]++
			if (want == Illegal) != (v.n > 0) {
				t.Fatalf("seed %d, prefix %d of %v: porcupine %v, monitor %d violations", seed, i+1, h, want, v.n)
			}
			if seed < followed && (want == Illegal) != (refuses.n > 0) {
				t.Fatalf("seed %d, prefix %d of %v: porcupine %v, the page refuses %d", seed, i+1, h, want, refuses.n)
			}
		}
	}
	if counts[Illegal] < 500 || counts[Linearizable] < 500 || counts[Unknown] > 0 {
		t.Errorf("the histories are one-sided: %v", counts)
	}
}

// Of calls whose results nobody knows, and of those of nodes that crashed, a monitor keeps as many ways as there are states to be in, and not one
// for each subset or order.
func TestLostCallsAreFew(t *testing.T) {
	const nodes, calls = 3, 4
	l, v := newLinearizer(register), &violations{}
	for i := range calls {
		for n := range model.NodeID(nodes) {
			l.Observe(v, model.Observation{Kind: model.Invoked, Node: n, Op: i, Value: 1 + (int(n)+i)%2})
			l.Observe(v, model.Observation{Kind: model.Returned, Node: n, Op: i, Value: "who knows"})
		}
		l.Observe(v, model.Observation{Kind: model.Invoked, Node: nodes, Op: i, Value: 0}) // a read
		l.Observe(v, model.Observation{Kind: model.Returned, Node: nodes, Op: i, Value: i % 3})
		if (v.n > 0) != (i == 3) { // 0 is what was there before 1 and 2
			t.Fatalf("after %d calls of each: %d violations", i, v.n)
		}
		if len(l.Ways) > 60 {
			t.Fatalf("after %d calls of each: %d ways", i+1, len(l.Ways))
		}
	}
}

// Either of two calls whose results nobody knows may have taken effect where both lead to one state, and neither has a result.
func TestEitherOfTwoLostCalls(t *testing.T) {
	for flips := range model.NodeID(2) {
		l, v := newLinearizer(register), &violations{}
		call := func(node model.NodeID, at int, op, result any) {
			l.Observe(v, model.Observation{Kind: model.Invoked, Node: node, Op: at, Value: op})
			l.Observe(v, model.Observation{Kind: model.Returned, Node: node, Op: at, Value: result})
		}
		call(flips, 0, "flip", "who knows")
		call(1-flips, 0, 1, "who knows")
		call(flips, 1, 0, 0)
		call(1-flips, 1, 0, 0) // both are lost now
		call(2, 0, 0, 1)       // by either
		for _, way := range l.Ways {
			if len(way.Effects) != 1 || way.Effects[0].Value != nil {
				t.Errorf("a way to 1: %v", way)
			}
		}
		if call(2, 1, 0, 2); v.n > 0 || len(l.Ways) != 1 {
			t.Errorf("1 and then 2 is read, and node %d flips last: %d violations, %d ways", flips, v.n, len(l.Ways))
		}
	}
}

// A call whose result nobody knows takes effect once, also where it had before its node called again.
func TestLostCallsTakeEffectOnce(t *testing.T) {
	l, v := newLinearizer(register), &violations{}
	call := func(node model.NodeID, at int, op, result any) {
		l.Observe(v, model.Observation{Kind: model.Invoked, Node: node, Op: at, Value: op})
		l.Observe(v, model.Observation{Kind: model.Returned, Node: node, Op: at, Value: result})
	}
	call(0, 0, 1, "who knows")
	call(1, 0, 0, 1) // it has taken effect
	call(0, 1, 0, 1) // it is lost now
	for _, way := range l.Ways {
		if slices.ContainsFunc(way.Effects, func(r Result) bool { return r.Value != nil }) {
			t.Errorf("a lost call will return %v", way.Effects)
		}
	}
	call(1, 1, 2, "ok")
	if call(1, 2, 0, 2); v.n > 0 {
		t.Fatal("2 was written, and is read")
	}
	if call(1, 3, 0, 1); v.n != 1 {
		t.Error("1 is read, which was written before 2, and only once")
	}
}

// A pending call may have taken effect or not, to the end of the history.
func TestPendingCallMayTakeEffect(t *testing.T) {
	write := model.Observation{Kind: model.Invoked, Node: 0, Value: 2}
	read := func(result any) []model.Observation {
		return []model.Observation{write, {Kind: model.Invoked, Node: 1, Value: 0}, {Kind: model.Returned, Node: 1, Value: result}}
	}
	for result, want := range map[int]Verdict{0: Linearizable, 2: Linearizable, 1: Illegal} {
		if got, err := History(register, read(result), time.Minute); got != want || err != nil {
			t.Errorf("read %d during write 2: %v, %v; want %v", result, got, err, want)
		}
	}
}

// A pending call that the object does not allow is no violation: it has not taken
// effect.
func TestPendingCallMayNeverBeAllowed(t *testing.T) {
	lock := model.Object{Name: "lock", Init: false, Step: func(held any, _ model.NodeID, _ any) []model.Effect {
		if held.(bool) {
			return nil
		}
		return []model.Effect{{State: true}}
	}}
	h := []model.Observation{
		{Kind: model.Invoked, Node: 0, Value: "acquire"}, {Kind: model.Returned, Node: 0}, {Kind: model.Invoked, Node: 1, Value: "acquire"},
	}
	if v, err := History(lock, h, time.Minute); v != Linearizable || err != nil {
		t.Errorf("one holds, one waits: %v, %v", v, err)
	}
	if v, err := History(lock, append(h, model.Observation{Kind: model.Returned, Node: 1}), time.Minute); v != Illegal || err != nil {
		t.Errorf("both hold: %v, %v", v, err)
	}
}

// A panic of the specification is an error, not the end of the process.
func TestPanicInStep(t *testing.T) {
	bad := model.Object{Name: "bad", Init: 0, Step: func(any, model.NodeID, any) []model.Effect { panic("no") }}
	h := []model.Observation{{Kind: model.Invoked, Value: 0}, {Kind: model.Returned, Value: 0}}
	if v, err := History(bad, h, time.Minute); v != Unknown || err == nil {
		t.Errorf("verdict %v, error %v", v, err)
	}
}

// bag is an object that gives back all that was put into it; it answers with slices that
// are nil or empty as it likes.
var bag = model.Object{
	Name: "bag", Init: []int(nil),
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		switch all := state.([]int); {
		case op != nil:
			return []model.Effect{{State: append(slices.Clone(all), op.(int)), Result: []int{}}}
		default:
			return []model.Effect{{State: []int{}, Result: all}, {State: []int(nil), Result: all}}
		}
	},
}

// A slice that is empty and one that is nil are the same result, and the same state: the
// monitor does not count both.
func TestNilAndEmptyAreAlike(t *testing.T) {
	for _, empty := range []any{[]int(nil), []int{}} {
		h := []model.Observation{
			{Kind: model.Invoked, Value: 7}, {Kind: model.Returned, Value: empty},
			{Kind: model.Invoked}, {Kind: model.Returned, Value: []int{7}},
			{Kind: model.Invoked}, {Kind: model.Returned, Value: empty},
		}
		l, v := newLinearizer(bag), &violations{}
		for _, o := range h {
			l.Observe(v, o)
		}
		if v.n > 0 || len(l.Ways) != 1 {
			t.Errorf("answers %#v: %d violations, ways %#v", empty, v.n, l.Ways)
		}
		if got, err := History(bag, h, time.Minute); got != Linearizable || err != nil {
			t.Errorf("answers %#v: porcupine says %v, %v", empty, got, err)
		}
		h[3].Value = []int{8}
		if got, err := History(bag, h, time.Minute); got != Illegal || err != nil {
			t.Errorf("a wrong answer: porcupine says %v, %v", got, err)
		}
	}
}

// The longest order that is given of a history explains what its operations return, each after those
// that had returned before it began; of a history that is linearizable it has all that returned.
func TestLongestOrder(t *testing.T) {
	short := 0
	for seed := range uint64(1000) {
		h := randomHistory(rand.New(rand.NewPCG(seed, 1)))
		order := newLinearizer(register).Order(h)
		if order == nil {
			t.Errorf("seed %d: no order is found of %v", seed, h)
		}
		verdict, err := History(register, h, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range h {
			if o.Kind == model.Invoked && returnOf(h, i) >= 0 && !slices.Contains(order, i) {
				if verdict == Linearizable {
					t.Errorf("seed %d: %v leaves out place %d of %v", seed, order, i, h)
				}
				short++
			}
		}
		if least := returnedIn(h, linearizable(t, h)); countReturned(order, h) < least {
			t.Errorf("seed %d: %v has fewer than the %d operations that returned before anything was wrong in %v", seed, order, least, h)
		}
		if states := explained(order, h); len(states) == 0 {
			t.Errorf("seed %d: %v does not explain %v", seed, order, h)
		}
	}
	if short < 100 {
		t.Errorf("only %d operations have no place: the histories are one-sided", short)
	}
}

// linearizable is the length of the longest beginning of a history that is.
func linearizable(t *testing.T, h []model.Observation) int {
	t.Helper()
	for k := range h {
		verdict, err := History(register, h[:k+1], time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if verdict != Linearizable {
			return k
		}
	}
	return len(h)
}

// returnedIn counts the returns in a beginning of a history.
func returnedIn(h []model.Observation, length int) (n int) {
	for _, o := range h[:length] {
		if o.Kind == model.Returned && register.Knows(o.Value) {
			n++
		}
	}
	return n
}

// countReturned counts the operations of an order that have returned.
func countReturned(order []int, h []model.Observation) (n int) {
	for _, call := range order {
		if returnOf(h, call) >= 0 {
			n++
		}
	}
	return n
}

// returnOf is the place at which an operation returns with a result that is known, or -1.
func returnOf(h []model.Observation, call int) int {
	for i := call + 1; i < len(h); i++ {
		if h[i].Node == h[call].Node {
			if !register.Knows(h[i].Value) {
				break
			}
			return i
		}
	}
	return -1
}

// explained lists the states of the register after operations in an order; none where they cannot
// follow each other so. One that has not returned may also have had no effect.
func explained(order []int, h []model.Observation) (states []any) {
	states = []any{register.Init}
	for k, call := range order {
		for _, later := range order[k+1:] {
			if end := returnOf(h, later); end >= 0 && end < call {
				return nil
			}
		}
		var next []any
		for _, state := range states {
			end := returnOf(h, call)
			if end < 0 {
				next = append(next, state)
			}
			for _, e := range register.Step(state, h[call].Node, h[call].Value) {
				if end < 0 || e.Result == h[end].Value {
					next = append(next, e.State)
				}
			}
		}
		states = next
	}
	return states
}

// Of two orders that exclude each other the one is given that explains more.
func TestLongerOfTwoOrders(t *testing.T) {
	call := func(id model.NodeID, op any) model.Observation {
		return model.Observation{Kind: model.Invoked, Node: id, Value: op}
	}
	ends := func(id model.NodeID, with any) model.Observation {
		return model.Observation{Kind: model.Returned, Node: id, Value: with}
	}
	for _, two := range []model.NodeID{1, 2} { // who reads 2 begins first, or second
		one := 3 - two
		h := []model.Observation{
			call(0, "flip"), ends(0, "ok"), call(1, 0), call(2, 0), ends(one, 1), call(one, 0), ends(one, 1), ends(two, 2),
		}
		want := []int{0, 1 + int(one), 5} // the flip, and both reads of 1
		if got := newLinearizer(register).Order(h); !slices.Equal(got, want) {
			t.Errorf("node %d reads 2: the order is %v, want %v", two, got, want)
		}
	}
}
