package election

import (
	"contend/model"
	"contend/model/costs"
)

// Messages are those of a run with one election, of whatever kind and whether they arrive or
// not: "messages per election".
func Messages(source string) *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "messages per election", source
	c.Meaning = "Messages that are sent in a whole run; they are those of one election if one process elects once."
	return c
}

// Sequential is how many messages an election takes one after another: those of the longest chain
// that is sent after the initiation and ends where a process decides or notes that the election
// is [Over], in which each message was sent after the one before had arrived at its sender.
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
