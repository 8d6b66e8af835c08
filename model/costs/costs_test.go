package costs

import (
	"slices"
	"testing"

	"contend/model"
)

// A measuring is a watch that records measurements.
type measuring struct {
	model.Watch
	got   []int
	armed bool // an alarm is set
}

func (m *measuring) Measure(n int)           { m.got = append(m.got, n) }
func (m *measuring) After(any, model.Window) { m.armed = true }
func (m *measuring) Cancel(any)              { m.armed = false }

func sent(from, to model.NodeID) model.Observation {
	return model.Observation{Kind: model.Sent, Node: from, Op: -1, To: to}
}

// passes is a pseudo-kind for the passing of a tick.
const passes = model.ObservationKind(-1)

// told passes a run to a meter, and returns its measurements.
func told(c *model.Cost, run ...model.Observation) ([]int, model.Monitor) {
	meter := c.Meter(nil)
	switch m := meter.(type) { // as a state begins
	case *perOperation:
		m.Sent = map[model.NodeID]int{}
	case *perPassage:
		m.Sent = map[model.NodeID][]int{}
	case *clientDelay:
		m.Busy = map[model.NodeID]bool{}
	case *synchronizationDelay:
		m.Waiting = map[model.NodeID]bool{}
	case *clientTime:
		m.Busy = map[model.NodeID]bool{}
	case *handoverTime:
		m.Waiting = map[model.NodeID]bool{}
	}
	w := &measuring{}
	for _, o := range run {
		if o.Kind == passes {
			if w.armed {
				meter.(model.Expirer).Expire(w, tick)
			}
			continue
		}
		meter.Observe(w, o)
	}
	return w.got, meter
}

// All messages count. Numbers above the largest distinguished number are equal.
func TestMessages(t *testing.T) {
	c := Messages()
	c.Most = 2
	for n, want := range []int{0, 1, 2, 3, 3, 3} {
		_, meter := told(c, slices.Repeat([]model.Observation{sent(0, 1), {Kind: model.Noted}}, n)...)
		if got := meter.(model.Total).Total(); got != want {
			t.Errorf("%d messages are %d, want %d", n, got, want)
		}
	}
}

// A message counts for the operation on whose behalf it is sent, while the operation runs. It does not count
// before or after the operation, for another node's operation, or for an operation whose node has crashed.
func TestPerOperation(t *testing.T) {
	for2 := func(o model.Observation) (model.NodeID, bool) { return o.To, o.To != 9 }
	invoked := func(n model.NodeID) model.Observation { return model.Observation{Kind: model.Invoked, Node: n} }
	returned := func(n model.NodeID) model.Observation { return model.Observation{Kind: model.Returned, Node: n} }
	got, meter := told(PerOperation(for2),
		sent(0, 1), invoked(1), sent(0, 1), sent(1, 2), sent(0, 9), invoked(2), sent(3, 2), sent(0, 1), returned(1),
		sent(0, 1), sent(1, 2), returned(2), invoked(1), returned(1),
		invoked(2), sent(0, 2), model.Observation{Kind: model.Crashed, Node: 2}, sent(0, 2))
	if want := []int{2, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("measured %v, want %v", got, want)
	}
	if left := meter.(*perOperation).Sent; len(left) > 0 {
		t.Errorf("it remembers %v of operations that are over", left)
	}
}

// Of operations that send nothing the same cost may say nothing.
func TestPerOperationThatSends(t *testing.T) {
	forSender := func(o model.Observation) (model.NodeID, bool) { return o.Node, true }
	got, _ := told(PerOperationThatSends(forSender),
		model.Observation{Kind: model.Invoked, Node: 1}, model.Observation{Kind: model.Returned, Node: 1},
		model.Observation{Kind: model.Invoked, Node: 1}, sent(1, 2), sent(1, 3), model.Observation{Kind: model.Returned, Node: 1})
	if want := []int{2}; !slices.Equal(got, want) {
		t.Errorf("measured %v, want %v", got, want)
	}
}

// A latency is the length of the chain that a return ends.
func TestLatency(t *testing.T) {
	got, _ := told(Latency(), model.Observation{Kind: model.Invoked}, model.Observation{Kind: model.Returned, Chain: 4},
		model.Observation{Kind: model.Delivered, Chain: 7}, model.Observation{Kind: model.Returned})
	if want := []int{4, 0}; !slices.Equal(got, want) {
		t.Errorf("measured %v, want %v", got, want)
	}
}
