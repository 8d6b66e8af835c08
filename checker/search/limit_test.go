package search

import (
	"testing"

	"contend/impl/ricartagrawala"
	"contend/model"
)

// A search that is stopped never says that it is complete, wherever it is stopped:
// not even before the first state of a layer, when the next layer is still empty.
func TestStoppedIsNotComplete(t *testing.T) {
	s, err := ricartagrawala.Protocol.System("", model.Config{N: 2}.With(model.Ops.Is(2)))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Run(s, nil, pure(Options{}))
	if err != nil || !whole.Complete {
		t.Fatal(whole, err)
	}
	for most := int64(1); most < whole.States; most++ {
		res, err := Run(s, nil, pure(Options{MaxStates: most}))
		if err != nil {
			t.Fatal(err)
		}
		if res.Complete == (!res.Limit.None()) || res.Complete && res.States != whole.States {
			t.Errorf("at most %d states: complete %v, limit %q, %d states", most, res.Complete, res.Limit, res.States)
		}
	}
}

// A bound on memory that is not met changes nothing, for a claim of liveness either:
// its graph numbers the states where other searches keep what they may have to spill.
func TestMemoryBoundAndLiveness(t *testing.T) {
	for _, mk := range []func() *model.System{retrier, chooser, func() *model.System { return counting(9) }, func() *model.System { return pingPong(false, true) }} {
		for _, kind := range []model.Kind{model.PossibleFromEverywhere, model.Eventually} {
			free := explore(t, mk(), Options{}, reach(kind, 1))
			bound := explore(t, mk(), Options{MaxMemory: 1 << 30}, reach(kind, 1))
			if free.verdict(0) != bound.verdict(0) || len(free.broken(0).Steps) != len(bound.broken(0).Steps) {
				t.Errorf("%v: %+v, but %+v with a bound on memory", kind, free.verdict(0), bound.verdict(0))
			}
		}
	}
}

// A graph has numbers for so many states, and a search without one needs none.
func TestStatesAreNumberedForLiveness(t *testing.T) {
	defer func(was int64) { mostNumbered = was }(mostNumbered)
	mostNumbered = 10
	for kind, limit := range map[model.Kind]string{model.Eventually: "states: 2³² of them are numbered for a liveness claim", model.Always: ""} {
		claim := never(1)
		if kind == model.Eventually {
			claim = reach(kind, 1)
		}
		if r := explore(t, counting(50), Options{}, claim, never(9)); r.Limit.String() != limit {
			t.Errorf("%v: limit %q", kind, r.Limit)
		}
	}
}

// What interrupts a search once interrupts it for good, whoever asks.
func TestInterruptedForGood(t *testing.T) {
	x, stop := unsearched(t, never(1)), make(chan struct{}, 1)
	x.opt.Interrupt = stop
	if got := x.outside(); got != "" {
		t.Errorf("before: %q", got)
	}
	stop <- struct{}{}
	for range 3 {
		if got := x.outside(); got != Interrupted {
			t.Errorf("afterwards: %q", got)
		}
	}
}
