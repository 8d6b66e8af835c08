package election

import (
	"contend/model"
	"contend/model/costs"
)

// Messages returns the cost "messages per election" of a run with one election. It counts all messages, whether they
// arrive or not.
func Messages(source string) *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "messages per election", source
	c.Meaning = "Messages that are sent in a whole run; they are those of one election if one process elects once."
	return c
}

// Sequential returns the length of the longest chain of messages in an election. Each message of a chain is sent after
// the previous message arrived at its sender. The chain begins after the initiation. It ends where a process decides,
// or notes that the election is [Over].
func Sequential(source string) *model.Cost {
	c := &model.Cost{
		Name: "sequential messages", Unit: "messages, one after another", Source: source,
		Meaning: "Messages in the longest chain from the initiation of an election to the last decision, or to the point where a process knows that all have decided.",
		Chains:  true, AtEnd: true,
		Since: func(o model.Observation) bool { return o.Kind == model.Invoked },
	}
	c.Meter = func(*model.System) model.Monitor { return &sequential{} }
	return c
}

type sequential struct{ Longest int }

func (s *sequential) Observe(_ model.Watch, o model.Observation) {
	switch o.Value.(type) {
	case Decided, Over:
		s.Longest = max(s.Longest, o.Chain)
	}
}

// Total returns the length of the longest chain.
func (s *sequential) Total() int { return s.Longest }
