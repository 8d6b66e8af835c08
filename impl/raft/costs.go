package raft

import "contend/model"

// costed are the delays of a leader. The least value of a delay is the delay in the best case.
var costed = []*model.Cost{
	delay("latency of an election", "from the time-out of a server to its election",
		func(v any) bool { _, is := v.(Asked); return is },
		func(v any) bool { _, is := v.(Elected); return is }),
	delay("latency of a commit", "from the time a leader appends an entry until an entry is committed",
		func(v any) bool { _, is := v.(Appended); return is },
		func(v any) bool { _, is := v.(Committed); return is }),
}

// delay returns a cost: the length of the longest chain of messages between two notes.
func delay(name, meaning string, since, until func(v any) bool) *model.Cost {
	cost := &model.Cost{
		Name: name, Unit: "messages, one after another", Source: "Ongaro–Ousterhout 2014, §5.2, §5.3",
		Meaning: "Messages of the longest chain " + meaning + ", each sent after the one before arrived at its sender.",
		Chains:  true, Most: 4, // a chain of heartbeats has no end
		Since: func(o model.Observation) bool { return o.Kind == model.Noted && since(o.Value) },
		Meter: func(*model.System) model.Monitor { return &delayed{until} },
	}
	cost.Check.Config = one(3, 1, 1).Config // an election, and an entry, with no rival
	return cost
}

type delayed struct{ until func(v any) bool }

func (d *delayed) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && d.until(o.Value) {
		w.Measure(o.Chain)
	}
}
