package changroberts

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/costs"
)

const comparison = "SDX lecture, comparison of election algorithms"

// costed are the lecture's numbers, "worst case … 3N-1", "best case … 2N", and how many Election
// messages there are where several elect at a time.
var costed = []*model.Cost{
	election.Messages(comparison), election.Sequential(comparison), elections(),
}

// elections are the Election messages alone: 2N-1 to N in the lecture, with a sole election.
func elections() *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "Election messages", comparison
	c.Meaning = "Election messages that are sent in a whole run."
	c.Meter = func(*model.System) model.Monitor { return &sent{cost: c} }
	return c
}

type sent struct {
	cost *model.Cost
	Sent int
}

func (s *sent) Observe(_ model.Watch, o model.Observation) {
	if _, is := o.Value.(Election); is && o.Kind == model.Sent {
		s.Sent = s.cost.Counted(s.Sent)
	}
}

// Total returns how many there were.
func (s *sent) Total() int { return s.Sent }
