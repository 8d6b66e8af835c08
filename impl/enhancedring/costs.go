package enhancedring

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/costs"
)

const comparison = "SDX lecture, comparison of election algorithms"

// costed are the lecture's numbers, "2N (N Election + N Coordinator) sequential messages always", and the
// responses. The lecture does not count the responses.
var costed = onTime(messages(), election.Sequential(comparison), responses())

// onTime makes costs be read on the grid: in other readings processes that are up may be skipped.
func onTime(all ...*model.Cost) []*model.Cost {
	for _, c := range all {
		c.Assumes = []model.Assumption{model.Synchronous}
		c.Check = model.Check{Config: election.Of(3, 1, 1), Reading: model.Grid}
	}
	return all
}

// messages returns the cost of Election and Coordinator messages, including messages to processes that are
// down.
func messages() *model.Cost {
	c := election.Messages(comparison)
	c.Meaning = "Election and Coordinator messages that are sent in a whole run, including those to processes that are down; responses are counted separately."
	c.Meter = func(*model.System) model.Monitor { return &sent{cost: c} }
	return c
}

func responses() *model.Cost {
	c := costs.Messages()
	c.Name, c.Meaning = "responses", "Responses that are sent in a whole run."
	c.Meter = func(*model.System) model.Monitor { return &sent{cost: c, responses: true} }
	return c
}

type sent struct {
	cost      *model.Cost
	responses bool // or all other messages
	Sent      int
}

func (s *sent) Observe(_ model.Watch, o model.Observation) {
	if _, responds := o.Value.(Response); o.Kind == model.Sent && responds == s.responses {
		s.Sent = s.cost.Counted(s.Sent)
	}
}

// Total returns how many there were.
func (s *sent) Total() int { return s.Sent }
