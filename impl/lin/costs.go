package lin

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers of the lecture's table, and what its sum of messages leaves out.
var costed = append(ofLock(), beyond())

// ofLock are the costs of any lock. There is no bound to the rounds of yields or retries while a
// message is slow, so little is counted.
func ofLock() []*model.Cost {
	all, times := costs.OfLock(Behalf), costs.DelaysInTime()
	for _, c := range all {
		c.Most = 6
	}
	all[0].Most = 20
	return append(all, times...)
}

// Behalf is for which process's entry a message is sent: requests, yields and releases for their
// sender's, and responses for that of the process which they go to.
func Behalf(o model.Observation) (model.NodeID, bool) {
	if _, answers := o.Value.(Response); answers {
		return o.To, true
	}
	return o.Node, true
}

// beyond are the messages of a run that the lecture's sum does not have: for each entry "N request
// + N vote + … + N release", and for each yield two votes at most.
func beyond() *model.Cost {
	c := &model.Cost{
		Name: "messages beyond 3N + f(k)", Unit: "messages", Source: lecture + ", bandwidth",
		Meaning: "Messages of a whole run, minus 3N for each request and three for each yield (the yield and two votes).",
		Sends:   true, AtEnd: true,
		Check: model.Check{Config: model.Config{N: 3}},
	}
	c.Meter = func(*model.System) model.Monitor { return &uncounted{} }
	return c
}

// uncounted counts responses against what the lecture allows for them. Requests and releases are N
// for each entry, and each yield is counted as one, by the lecture as here.
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
