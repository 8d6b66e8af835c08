package fuzz

import (
	"maps"

	"pgregory.net/rapid"

	"contend/checker/sample"
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/impl/multicast/causal"
	"contend/model"
	"contend/model/world"
)

// pasts is an account of which message precedes which, by deliveries alone.
type pasts struct {
	delivered map[model.NodeID]map[multicast.Message]bool
	past      map[multicast.Message]map[multicast.Message]bool
	stamps    map[multicast.Message]clocks.Vector
}

// fewCausal is a group small enough for rapid.
func fewCausal(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(multicast.Messages.Is(1 + c.Choose(3)))
	config.Faults = model.Faults{Loss: c.Choose(2), Duplication: c.Choose(2), Crashes: c.Choose(2)}
	return model.Check{Config: config}
}

func newPasts(*model.System) func(*rapid.T, *interpreter, world.Record) {
	a := &pasts{
		delivered: map[model.NodeID]map[multicast.Message]bool{},
		past:      map[multicast.Message]map[multicast.Message]bool{},
		stamps:    map[multicast.Message]clocks.Vector{},
	}
	return a.check
}

func (a *pasts) check(t *rapid.T, _ *interpreter, r world.Record) {
	for _, o := range r.Observations {
		switch v := o.Value.(type) {
		case multicast.Numbered:
			if o.Kind == model.Invoked {
				a.multicasts(o.Node, multicast.Message{Sender: o.Node, Number: v.Number})
			}
		case multicast.Message:
			a.delivers(t, o.Node, v)
		}
	}
	for _, e := range r.Sent {
		a.stamped(t, e.Value.(causal.Data))
	}
}

// multicasts gives a message its past: what its sender has delivered, and what precedes that.
func (a *pasts) multicasts(by model.NodeID, m multicast.Message) {
	a.past[m] = map[multicast.Message]bool{}
	for before := range a.delivered[by] {
		a.past[m][before] = true
		maps.Copy(a.past[m], a.past[before])
	}
}

// A message is delivered once, and after all that precede it.
func (a *pasts) delivers(t *rapid.T, by model.NodeID, m multicast.Message) {
	if a.delivered[by] == nil {
		a.delivered[by] = map[multicast.Message]bool{}
	}
	if a.delivered[by][m] {
		t.Fatalf("process %d delivers %v again", by, m)
	}
	for before := range a.past[m] {
		if !a.delivered[by][before] {
			t.Fatalf("process %d delivers %v before %v, which precedes it", by, m, before)
		}
	}
	a.delivered[by][m] = true
}

// The timestamps of two messages say whether one precedes the other.
func (a *pasts) stamped(t *rapid.T, d causal.Data) {
	if _, known := a.stamps[d.Message]; known {
		return // another copy
	}
	for other, ts := range a.stamps {
		if got := ts.Before(d.TS); got != a.past[d.Message][other] {
			t.Fatalf("%v precedes %v: %v, but their timestamps are %v and %v", other, d.Message, !got, ts, d.TS)
		}
		if d.TS.Before(ts) {
			t.Fatalf("%v has the timestamp %v, and %v, which was multicast before, %v", d.Message, d.TS, other, ts)
		}
	}
	a.stamps[d.Message] = d.TS
}
