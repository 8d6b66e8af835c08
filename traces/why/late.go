package why

import (
	"bytes"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces/draw"
)

// mostLate is the largest number of overtaken messages that explainOvertaking tries.
const mostLate = 32

// explainOvertaking adds a message that overtook another, if the run does not violate its claim otherwise. A
// message overtakes another if it was sent later and arrives earlier at the same node. It must be sent by the
// same node or in a step that the first sending caused. Run.Sooner replays the run with the overtaken message
// delivered in time, so each attempt costs a replay. There may be other ways to violate the claim.
func (s *scene) explainOvertaking() {
	if len(s.run.Records) > mostSeen {
		return
	}
	broken, _ := s.violation()
	tries := 0
	for _, a := range s.d.Arrows {
		by, is := s.overtaker(a, broken)
		if !is || tries == mostLate {
			continue
		}
		tries++
		if breaks, ok := s.run.Sooner(s.message(a), by.End); breaks || !ok {
			continue
		}
		s.mainf("%s of %s, sent at %s, overtook %s of %s, sent at %s, on the way to %s, and arrived at %s. If they arrive in the order in which they were sent, the other steps of this run do not break the claim.",
			short(by.Label), s.d.Lanes[by.From].Name, s.step(by.Sent), short(a.Label), s.d.Lanes[a.From].Name, s.step(a.Sent),
			s.d.Lanes[by.To].Name, s.when(by.End))
		return
	}
}

// overtaker returns the first message that overtakes another by the given step.
func (s *scene) overtaker(a draw.Arrow, broken int) (by draw.Arrow, found bool) {
	if a.From == a.To || a.Fate != draw.Arrived && a.Fate != draw.InFlight {
		return by, false
	}
	for _, b := range s.d.Arrows {
		overtakes := b.To == a.To && b.From != b.To && b.Fate == draw.Arrived && b.Sent > a.Sent && b.End <= broken && (a.Fate == draw.InFlight || b.End < a.End)
		if overtakes && (b.From == a.From || s.past(b.Sent)[a.Sent]) {
			return b, true
		}
	}
	return by, false
}

// message returns the event of an arrow.
func (s *scene) message(a draw.Arrow) *world.Event {
	if a.Fate == draw.Arrived {
		return s.record(a.End).Move.Event
	}
	codec := s.run.World.Codec
	want := codec.Any(a.Value, nil)
	pending := s.run.World.Pending()
	return pending[slices.IndexFunc(pending, func(e *world.Event) bool {
		return e.Kind == model.Deliver && int(e.Node) == a.To && int(e.From) == a.From && e.BornStep == a.Sent && bytes.Equal(codec.Any(e.Value, nil), want)
	})]
}
