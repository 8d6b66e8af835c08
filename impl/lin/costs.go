package lin

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers of the lecture's table, and the messages that its sum leaves out.
var costed = append(lockCosts(), excess())

// lockCosts returns the common costs of locks. While a message is slow, rounds of yields or retries have no bound. So
// the counts stop early.
func lockCosts() []*model.Cost {
	all, times := costs.OfLock(behalf), costs.DelaysInTime()
	for _, c := range all {
		c.Most = 6
	}
	all[0].Most = 20
	return append(all, times...)
}

// behalf returns the process whose entry a message serves. Requests, yields and releases serve their sender, and
// responses their receiver.
func behalf(o model.Observation) (model.NodeID, bool) {
	if _, answers := o.Value.(Response); answers {
		return o.To, true
	}
	return o.Node, true
}

// excess returns the number of messages of a run that exceed the lecture's sum. The sum has "N request + N vote + … + N
// release" for each entry, and at most two votes for each yield.
func excess() *model.Cost {
	c := &model.Cost{
		Name: "messages beyond 3N + f(k)", Unit: "messages", Source: lecture + ", bandwidth",
		Meaning: "Messages of a whole run, minus 3N for each request and three for each yield (the yield and two votes).",
		Sends:   true, AtEnd: true,
		Check: model.Check{Config: model.Config{N: 3}},
	}
	c.Meter = func(*model.System) model.Monitor { return &uncounted{} }
	return c
}

// uncounted subtracts the lecture's number of responses from the number of responses. Requests and releases are N for
// each entry, and each yield counts once, in the lecture and in the run.
type uncounted struct{ Over int }

func (u *uncounted) Observe(_ model.Watch, o model.Observation) {
	if o.Kind != model.Sent {
		return
	}
	switch o.Value.(type) {
	case Response:
		u.Over++
	case Request:
		u.Over--
	case Yield:
		u.Over -= 2
	}
}

func (u *uncounted) Totals() []int { return []int{max(u.Over, 0)} }
