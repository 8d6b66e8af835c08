package agreed

import (
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// ceiling checks that no proposal for a message is larger than its agreed number.
type ceiling struct {
	Proposed map[multicast.Message]clocks.Stamp // the largest proposal for a message without agreed number
	Agreed   map[multicast.Message]clocks.Stamp
}

// Observe compares a proposal or an agreed number with earlier notes.
func (c *ceiling) Observe(w model.Watch, o model.Observation) {
	switch noted := o.Value.(type) {
	case Proposal:
		if n, agreed := c.Agreed[noted.Message]; agreed {
			c.compare(w, noted.Number, n)
		} else if c.Proposed[noted.Message].Before(noted.Number) {
			c.Proposed[noted.Message] = noted.Number
		}
	case Agreed:
		c.compare(w, c.Proposed[noted.Message], noted.Number)
		delete(c.Proposed, noted.Message)
		c.Agreed[noted.Message] = noted.Number
	}
}

func (c *ceiling) compare(w model.Watch, proposed, agreed clocks.Stamp) {
	w.Witness()
	if agreed.Before(proposed) {
		w.Violate("%d.%d is agreed, and %d.%d was proposed", agreed.Time, agreed.ID, proposed.Time, proposed.ID)
	}
}

// unique checks that no two messages have the same agreed number.
type unique struct {
	Of map[clocks.Stamp]multicast.Message
}

// Observe stores an agreed number.
func (u *unique) Observe(w model.Watch, o model.Observation) {
	noted, is := o.Value.(Agreed)
	if !is {
		return
	}
	w.Witness()
	if other, taken := u.Of[noted.Number]; taken && other != noted.Message {
		w.Violate("%d.%d is agreed for two messages", noted.Number.Time, noted.Number.ID)
	}
	u.Of[noted.Number] = noted.Message
}

// increasing checks that each process delivers messages in the order of their agreed numbers.
type increasing struct {
	Agreed map[multicast.Message]clocks.Stamp
	Last   map[model.NodeID]clocks.Stamp // the number of the last delivery
}

// Observe stores an agreed number, or checks the number of a delivery.
func (i *increasing) Observe(w model.Watch, o model.Observation) {
	switch m := o.Value.(type) {
	case Agreed:
		i.Agreed[m.Message] = m.Number
	case multicast.Message:
		n, agreed := i.Agreed[m]
		if !agreed {
			w.Violate("it delivers a message that has no agreed number")
			return
		}
		w.Witness()
		if last, any := i.Last[o.Node]; any && !last.Before(n) {
			w.Violate("it delivers a message of number %d.%d after one of %d.%d", n.Time, n.ID, last.Time, last.ID)
		}
		i.Last[o.Node] = n
	}
}
