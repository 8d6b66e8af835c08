package adversary

import (
	"slices"

	"contend/model"
)

// inflation is the behaviour that maximizes one field, such as a rank, a version or a term. The field is
// drawn once for the schedule, from the fields in which the possible messages differ.
type inflation struct{ field int }

func drawInflation(c Choices, _ *Adversary, _ model.NodeID) behaviour {
	return inflation{c.Choose(mostFields)}
}

// mostFields is a multiple of all small numbers of fields, so that the draw is uniform.
const mostFields = 2520

func (inflation) name() string { return "inflation" }

func (i inflation) narrow(t *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(_ model.NodeID, candidates []Offer) []Offer {
		fields := t.cast.varying(candidates)
		if len(fields) == 0 {
			return candidates
		}
		field := fields[i.field%len(fields)]
		largest, met := int64(0), false
		for _, o := range candidates {
			if n, ok := t.cast.shape(o).number(field); ok && (!met || n > largest) {
				largest, met = n, true
			}
		}
		return slices.DeleteFunc(candidates, func(o Offer) bool {
			n, ok := t.cast.shape(o).number(field)
			return !ok || n < largest
		})
	})
}
