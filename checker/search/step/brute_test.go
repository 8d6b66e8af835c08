package step

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

var (
	windows = regexp.MustCompile(` from (\d+) open (true|false)(?: to (\d+) open (true|false))?`)
	holds   = regexp.MustCompile(` for (\d+), open (true|false)`)
)

// inTicks reads the bounds of a text on whole ticks: an open one is a tick further in.
func inTicks(text string) string {
	number := func(t, open string, in int) int {
		n, err := strconv.Atoi(t)
		if err != nil {
			panic(err)
		}
		if open == "true" {
			n += in
		}
		return n
	}
	text = windows.ReplaceAllStringFunc(text, func(s string) string {
		m := windows.FindStringSubmatch(s)
		if m[3] == "" {
			return fmt.Sprintf(" from %d", number(m[1], m[2], 1))
		}
		return fmt.Sprintf(" from %d to %d", number(m[1], m[2], 1), number(m[3], m[4], -1))
	})
	return holds.ReplaceAllStringFunc(text, func(s string) string {
		m := holds.FindStringSubmatch(s)
		return fmt.Sprintf(" for %d", number(m[1], m[2], -1))
	})
}

// watched are the claims that monitors decide.
func watched(claims []model.Claim) []model.Claim {
	return monitored(oracle.Watched(claims))
}

// seeds are those of small random systems of every kind.
func seeds(t *testing.T) (all []uint64) {
	t.Helper()
	text, err := os.ReadFile("../../../lab/compare/testdata/seeds")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(string(text)) {
		seed, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, seed)
	}
	return all
}

// most states of a system that is compared.
const most = 60

// A worker takes the steps that brute force takes, from the states and to the states that it has, in random systems
// of every kind; and claims are broken, and costs are measured, on the way to the same states.
func TestStepsOfBruteForce(t *testing.T) {
	compared := map[model.Reading]int{}
	for _, seed := range seeds(t) {
		it := random.Draw(seed)
		if it.Reading == model.Dense || it.Reading == model.Grid && it.System.Forge != nil {
			continue // in time brute force also waits for what is forged and makes no difference
		}
		all := [][]model.Claim{watched(it.Claims)}
		for _, c := range it.Costs {
			if !c.AtEnd { // a search looks for ends
				all = append(all, []model.Claim{c.Claim()})
			}
		}
		for _, claims := range append(all, spies[seed%4]) {
			if d, small := differs(t, it, claims, most); d != "" {
				t.Fatalf("seed %d (%v): %s", seed, it, d)
			} else if small {
				compared[it.Reading]++
			}
		}
	}
	if compared[model.Untimed] < 100 || compared[model.Grid] < 60 {
		t.Errorf("only so many systems are compared: %v", compared)
	}
}

// A spy keeps the last thing that it was told.
type spy struct{ Last string }

func (s *spy) Observe(_ model.Watch, o model.Observation) { s.Last = fmt.Sprintf("%+v", o) }

// spies are told of all that there is to know: of causal pasts, of what is sent, of chains of messages.
var spies = [][]model.Claim{
	{{Name: "spy", Monitor: newSpy}},
	{{Name: "spy", Monitor: newSpy, Causal: func(o model.Observation) bool { return o.Kind != model.Noted }}},
	{(&model.Cost{Name: "spy", Meter: newSpy, Sends: true, Chains: true, Most: 3}).Claim()},
	{(&model.Cost{Name: "spy", Meter: newSpy, Chains: true, Most: 3, Since: func(o model.Observation) bool { return o.Kind == model.Noted }}).Claim()},
}

func newSpy(*model.System) model.Monitor { return &spy{} }

// checked is what was told of what is computed.
type checked struct{ handled, watched, forged [][3]uint32 }

func (c *checked) Computed(from, trigger, i uint32) {
	c.handled = append(c.handled, [3]uint32{i, from, trigger})
}
func (c *checked) Watched(from, seen, i uint32) {
	c.watched = append(c.watched, [3]uint32{i, from, seen})
}
func (c *checked) Forged(state, i uint32) { c.forged = append(c.forged, [3]uint32{i, state}) }

// repeated computes all that a worker has asked for once more, which agrees. Each was computed once, and told of once.
func repeated(t *testing.T, e *Engine, told *checked) {
	t.Helper()
	all := e.Reactions()
	sorted, calls := 0, 0
	var is checked
	for _, a := range slices.Backward(all) {
		if calls += len(e.AllResults[a.result]); a.watches {
			is.Watched(a.from, a.trigger, a.result)
		} else {
			is.Computed(a.from, a.trigger, a.result)
		}
	}
	for _, s := range e.forged.Slots {
		if s.Key != 0 {
			is.Forged(uint32(s.Key), s.Val)
		}
	}
	slices.SortFunc(is.forged, func(a, b [3]uint32) int { return slices.Compare(a[:], b[:]) })
	if !slices.Equal(is.handled, told.handled) || !slices.Equal(is.watched, told.watched) || !slices.Equal(is.forged, told.forged) || int64(calls) != e.Calls {
		t.Errorf("%d calls: %v was computed, and it was told of %d: %v", calls, is, e.Calls, told)
	}
	for _, kind := range e.Kinds(all) {
		sorted += len(kind)
		for _, a := range kind {
			if runs, outcomes := e.Repeat(a, 2), len(e.AllResults[a.result]); runs != outcomes {
				t.Errorf("%+v: it has %d outcomes, and then %d", a, outcomes, runs)
			}
		}
	}
	if len(all) == 0 || sorted != len(all) || len(all) != len(e.AllResults) {
		t.Errorf("of %d reactions to %d results %d are of some kind", len(all), len(e.AllResults), sorted)
	}
	for i := range all {
		if i > 0 && all[i].result >= all[i-1].result {
			t.Errorf("reaction %d comes after %d", all[i].result, all[i-1].result)
		}
	}
}

// differs tells in what the pictures of a worker and of brute force differ, unless both find the system too large.
func differs(t *testing.T, it random.Case, claims []model.Claim, most int) (how string, small bool) {
	t.Helper()
	clock, r := oracle.None, untimed
	if it.Reading == model.Grid {
		clock, r = oracle.Whole, exact
	}
	var got *picture
	w, told := working(t, it.System, r, claims...), &checked{}
	w.Checks = told
	if how := FailureOf(func() { got = paint(t, w, most); repeated(t, w.Engine, told) }); how != "" {
		return how, true
	}
	want, err := brute(it.System, claims, clock, most)
	switch {
	case errors.Is(err, oracle.ErrLarge) && got == nil:
		return "", false
	case err != nil || got == nil:
		return fmt.Sprintf("the worker has too many states: %v, and brute force: %v", got == nil, err), true
	}
	return got.differ(want), true
}

// A watcher knows whom it takes to be down. The first greets the second.
type watcher struct {
	Down map[model.NodeID]bool
	Met  bool
}

func (x *watcher) Start(env model.Env) {
	if env.Self() == 0 {
		env.Send(1, "hello")
	}
}

func (x *watcher) Receive(model.Env, model.NodeID, any) { x.Met = true }
func (x *watcher) Suspect(_ model.Env, n model.NodeID)  { x.Down[n] = true }
func (x *watcher) Trust(_ model.Env, n model.NodeID)    { delete(x.Down, n) }

func watchers(d model.DetectorKind, f model.Faults) *model.System {
	s := &model.System{Detector: model.Detector{Kind: d, Report: model.By(1)}, Faults: f, Network: model.Network{Delay: model.By(1), Partition: model.By(1)}}
	for i := range model.NodeID(3) {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("w", i), Crash: model.CrashStopRecovery, New: func() model.Node { return &watcher{} }})
	}
	return s
}

// So it is where two nodes are down at once, and a failure detector tells of both.
func TestStepsWhereTwoAreDown(t *testing.T) {
	for _, c := range []struct {
		detector model.DetectorKind
		faults   model.Faults
		liar     bool // the third is a liar, of whom the detector tells nothing
	}{
		{model.Perfect, model.Faults{Crashes: 2}, false},
		{model.Perfect, model.Faults{Crashes: 1, Restarts: 1}, false},
		{model.Perfect, model.Faults{Restarts: 2}, true},
		{model.EventuallyPerfect, model.Faults{Suspicions: 1, Crashes: 1}, false},
		{model.NoDetector, model.Faults{Partitions: 1, Restarts: 1}, false},
	} {
		it := random.Case{System: watchers(c.detector, c.faults)}
		if c.liar {
			it.System.Nodes[2] = model.NodeSpec{Name: "liar", Byzantine: true}
			it.System.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return nil }
		}
		if how, small := differs(t, it, nil, 600); how != "" || !small {
			t.Errorf("%v: small: %v, %s", it, small, how)
		}
	}
}

// An asker asks whether its hold lasts, and sets one of two alarms anew by the answer.
type asker struct{}

func (asker) Observe(w model.Watch, _ model.Observation) {
	if w.Held("hold") {
		w.After("lasts", model.Anytime())
		return
	}
	w.Hold("hold", model.Through(1))
	w.After("over", model.Anytime())
}

func (asker) Expire(model.Watch, any) {}

// So it is where a monitor has several outcomes, of which each sets alarms anew by itself.
func TestStepsWithAnAsker(t *testing.T) {
	compared := 0
	for _, seed := range seeds(t)[:120] {
		it := random.Draw(seed)
		if it.Reading != model.Untimed || it.System.Faults.Restarts > 0 {
			continue
		}
		how, small := differs(t, it, []model.Claim{{Name: "asker", Monitor: func(*model.System) model.Monitor { return &asker{} }}}, most)
		if how != "" {
			t.Fatalf("seed %d (%v): %s", seed, it, how)
		}
		if small {
			compared++
		}
	}
	if compared < 5 {
		t.Errorf("only %d systems are compared", compared)
	}
}
