package lin

import (
	"contend/model"
	"contend/model/costs"
)

var costed = []*model.Cost{messages(), beyond(), latency()}

// Behalf is for which process's entry a message is sent: requests, yields and releases for their
// sender's, and responses for that of the process which they go to.
func Behalf(o model.Observation) (model.NodeID, bool) {
	if _, answers := o.Value.(Response); answers {
		return o.To, true
	}
	return o.Node, true
}

// messages are those of the lecture's table, "3N + f(k)", where they are the same for every entry:
// with one operation of each process.
func messages() *model.Cost {
	c := &model.Cost{
		Name: "messages per entry and exit", Unit: "messages", Source: lecture + ", bandwidth",
		Meaning: "Messages that are sent for one operation in a run to its end: the most that any process has, where each has one operation.",
		Sends:   true, AtEnd: true,
		Check: model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(1))},
	}
	c.Meter = func(*model.System) model.Monitor { return &perProcess{cost: c} }
	return c
}

type perProcess struct {
	cost *model.Cost
	Sent map[model.NodeID]int
}

func (p *perProcess) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Sent {
		of, _ := Behalf(o)
		p.Sent[of] = p.cost.Counted(p.Sent[of])
	}
}

func (p *perProcess) Total() int {
	most := 0
	for _, sent := range p.Sent {
		most = max(most, sent)
	}
	return most
}

// beyond are the messages of a run that the lecture's sum does not have: for each entry "N request
// + N vote + … + N release", and for each yield two votes at most.
func beyond() *model.Cost {
	c := &model.Cost{
		Name: "messages beyond 3N + f(k)", Unit: "messages", Source: lecture + ", bandwidth",
		Meaning: "Messages of a run to its end, less 3N for each request and three for each yield, itself and two votes.",
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

func (u *uncounted) Total() int { return max(u.Over, 0) }

// latency is the client delay: "round-trip (N request + N vote)".
func latency() *model.Cost {
	c := costs.Latency()
	c.Name, c.Source = "latency of an entry", lecture+", client delay"
	c.Check.Config = model.Config{N: 3}.With(model.Clients.Is(1))
	return c
}
