package costs

import (
	"slices"
	"testing"

	"contend/model"
)

// at returns an observation of a node at the end of a chain.
func at(kind model.ObservationKind, n model.NodeID, chain int) model.Observation {
	return model.Observation{Kind: kind, Node: n, Chain: chain}
}

func asks(n model.NodeID) model.Observation              { return at(model.Invoked, n, 0) }
func enters(n model.NodeID, chain int) model.Observation { return at(model.Returned, n, chain) }
func leaves(n model.NodeID) model.Observation            { return at(model.Released, n, 0) }

// Messages of a passage count until the next passage of the same node begins, also after the exit. Messages
// before the first passage, and of a node that crashes, do not count.
func TestPerPassage(t *testing.T) {
	toReceiver := func(o model.Observation) (model.NodeID, bool) { return o.To, o.To != 9 }
	_, meter := told(PerPassage(toReceiver),
		sent(0, 1), asks(1), sent(0, 1), sent(1, 2), sent(0, 9), enters(1, 0), leaves(1), sent(0, 1), // two for 1
		asks(2), sent(0, 2), sent(1, 2), sent(1, 2), // three for 2
		asks(1), sent(0, 1), sent(0, 2), // one for the second passage of 1, and a fourth for 2
		asks(3), sent(0, 3), at(model.Crashed, 3, 0), sent(0, 3))
	if got, want := meter.(model.Totals).Totals(), []int{1, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("passages have %v messages, want %v", got, want)
	}
	c := PerPassage(toReceiver)
	c.Most = 2
	_, meter = told(c, asks(1), sent(0, 1), sent(0, 1), sent(0, 1), sent(0, 1))
	if got := meter.(model.Totals).Totals(); !slices.Equal(got, []int{3}) {
		t.Errorf("four messages are %v, want one beyond the largest, 2", got)
	}
}

// Between two entries all messages count, whatever their sender and purpose. Before the first entry none
// count.
func TestBetweenEntries(t *testing.T) {
	got, _ := told(BetweenEntries(), sent(0, 1), asks(1), enters(1, 0), sent(0, 1), leaves(1), sent(1, 0), enters(2, 0), enters(0, 0))
	if want := []int{2, 0}; !slices.Equal(got, want) {
		t.Errorf("measured %v, want %v", got, want)
	}
}

// A client delay is measured only where nobody else was in the section, or waited, from the
// request to the entry.
func TestClientDelay(t *testing.T) {
	for what, c := range map[string]struct {
		run  []model.Observation
		want []int
	}{
		"alone":                         {[]model.Observation{asks(1), enters(1, 4)}, []int{4}},
		"another is in the section":     {[]model.Observation{asks(1), enters(1, 4), asks(2), leaves(1), enters(2, 5)}, []int{4}},
		"another has left":              {[]model.Observation{asks(1), enters(1, 4), leaves(1), asks(2), enters(2, 5)}, []int{4, 5}},
		"another comes meanwhile":       {[]model.Observation{asks(1), asks(2), enters(1, 4), leaves(1), enters(2, 5)}, nil},
		"another waits that crashed":    {[]model.Observation{asks(1), at(model.Crashed, 1, 0), asks(2), enters(2, 5)}, []int{5}},
		"the same once more, by itself": {[]model.Observation{asks(1), enters(1, 4), leaves(1), asks(1), enters(1, 0)}, []int{4, 0}},
	} {
		if got, _ := told(ClientDelay(), c.run...); !slices.Equal(got, c.want) {
			t.Errorf("%s: measured %v, want %v", what, got, c.want)
		}
	}
}

// A synchronization delay is measured only where one alone waited at the exit, and still alone
// when it entered.
func TestSynchronizationDelay(t *testing.T) {
	in := []model.Observation{asks(1), enters(1, 4)}
	for what, c := range map[string]struct {
		run  []model.Observation
		want []int
	}{
		"one waits":                 {[]model.Observation{asks(2), leaves(1), enters(2, 5)}, []int{5}},
		"it asks after the exit":    {[]model.Observation{leaves(1), asks(2), enters(2, 5)}, nil},
		"two wait":                  {[]model.Observation{asks(2), asks(3), leaves(1), enters(2, 5), leaves(2), enters(3, 6)}, []int{6}},
		"a second comes after exit": {[]model.Observation{asks(2), leaves(1), asks(3), enters(2, 5)}, nil},
		"the one who left is first": {[]model.Observation{asks(2), leaves(1), asks(1), enters(1, 5), leaves(1), enters(2, 6)}, []int{6}},
		"who waits crashes":         {[]model.Observation{asks(2), leaves(1), at(model.Crashed, 2, 0), asks(3), enters(3, 5)}, nil},
		"one of two crashes":        {[]model.Observation{asks(2), asks(3), at(model.Crashed, 3, 0), leaves(1), enters(2, 5)}, []int{5}},
	} {
		if got, _ := told(SynchronizationDelay(), slices.Concat(in, c.run)...); !slices.Equal(got, c.want) {
			t.Errorf("%s: measured %v, want %v", what, got, c.want)
		}
	}
}

// The delays' chains begin with a request, and with an exit.
func TestSince(t *testing.T) {
	for kind := model.Invoked; kind <= model.Sent; kind++ {
		o := model.Observation{Kind: kind}
		if got, want := ClientDelay().Since(o), kind == model.Invoked; got != want {
			t.Errorf("client delay since what is %v: %v", kind, got)
		}
		if got, want := SynchronizationDelay().Since(o), kind == model.Released; got != want {
			t.Errorf("synchronization delay since what is %v: %v", kind, got)
		}
	}
}

// Times are counted from the same moments to the same entries, in ticks.
func TestDelaysInTime(t *testing.T) {
	client, handover := DelaysInTime()[0], DelaysInTime()[1]
	pass := model.Observation{Kind: passes}
	in := []model.Observation{asks(1), pass, enters(1, 0)}
	for what, c := range map[string]struct {
		cost *model.Cost
		run  []model.Observation
		want []int
	}{
		"alone":                     {client, []model.Observation{pass, asks(1), pass, pass, enters(1, 0), pass, leaves(1), pass, asks(1), enters(1, 0)}, []int{2, 0}},
		"another is inside":         {client, []model.Observation{asks(1), enters(1, 0), asks(2), leaves(1), pass, enters(2, 0)}, []int{0}},
		"another comes meanwhile":   {client, []model.Observation{asks(1), pass, asks(2), enters(1, 0), pass, leaves(1), enters(2, 0)}, nil},
		"who asked crashes":         {client, []model.Observation{asks(1), pass, at(model.Crashed, 1, 0), asks(2), pass, enters(2, 0)}, []int{1}},
		"one waits":                 {handover, []model.Observation{asks(2), pass, leaves(1), pass, pass, pass, enters(2, 0)}, []int{3}},
		"it asks after the exit":    {handover, []model.Observation{leaves(1), asks(2), pass, enters(2, 0)}, nil},
		"a second comes after exit": {handover, []model.Observation{asks(2), leaves(1), pass, asks(3), enters(2, 0)}, nil},
		"who waits crashes":         {handover, []model.Observation{asks(2), leaves(1), at(model.Crashed, 2, 0), asks(3), pass, enters(3, 0)}, nil},
	} {
		run := c.run
		if c.cost == handover {
			run = slices.Concat(in, run)
		}
		if got, _ := told(c.cost, run...); !slices.Equal(got, c.want) {
			t.Errorf("%s: measured %v, want %v", what, got, c.want)
		}
	}
	client.Most = 2
	if got, _ := told(client, asks(1), pass, pass, pass, pass, enters(1, 0)); !slices.Equal(got, []int{3}) {
		t.Errorf("four ticks are %v, want one beyond the largest, 2", got)
	}
}
