package chandylamport

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the markers of a snapshot, one for each channel, and its longest chain of messages.
var costed = []*model.Cost{markers(), sequential()}

func markers() *model.Cost {
	c := costs.Messages()
	c.Name, c.Unit, c.Source = "markers", "markers", paper+"§3.1"
	c.Meaning = "Markers that are sent in a run to its end."
	c.Meter = func(*model.System) model.Monitor { return &sent{cost: c} }
	return c
}

type sent struct {
	cost    *model.Cost
	Markers int
}

func (s *sent) Observe(_ model.Watch, o model.Observation) {
	if _, is := o.Value.(Marker); is {
		s.Markers = s.cost.Counted(s.Markers)
	}
}

// Total returns the number of markers.
func (s *sent) Total() int { return s.Markers }

func sequential() *model.Cost {
	c := &model.Cost{
		Name: "sequential messages", Unit: "messages, one after another", Source: paper + "§3.1",
		Meaning: "Messages in the longest chain from the first record of a state to the last record of a channel, of a snapshot without a computation.",
		Chains:  true, AtEnd: true,
		Since: func(o model.Observation) bool { _, is := o.Value.(RecordedState); return is && o.Node == 0 },
		Check: model.Check{Config: sized(3, 1, 0)},
	}
	c.Meter = func(*model.System) model.Monitor { return &longest{} }
	return c
}

type longest struct{ Chain int }

func (l *longest) Observe(_ model.Watch, o model.Observation) {
	if _, is := o.Value.(RecordedChannel); is {
		l.Chain = max(l.Chain, o.Chain)
	}
}

// Total returns the length of the longest chain.
func (l *longest) Total() int { return l.Chain }
