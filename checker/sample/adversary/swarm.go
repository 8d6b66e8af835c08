package adversary

import "contend/model"

// swarm is the attitude whose faults occur at any step. The frequency of each kind is drawn once for a
// schedule (swarm testing, Groce et al., ISSTA 2012). A kind never occurs with probability 1/4.
type swarm struct{ weights [model.EventKinds]int }

func drawSwarm(s *model.System, c Choices) *swarm {
	a := &swarm{}
	for kind, budget := range budgets(s) {
		if budget > 0 {
			a.weights[kind] = frequencies[c.Choose(len(frequencies))]
		}
	}
	return a
}

func (*swarm) name() string { return "" }

func (*swarm) observe(Step) {}

// enough is the weight of the schedule's end if only faults are possible. It is soon enough if a Byzantine node may
// send, or a node may restart: then more may follow.
const (
	enough     = 8
	soonEnough = 1
)

// act draws between the protocol and the possible kinds of faults. If the protocol has no event, it draws
// between these kinds and the schedule's end.
func (a *swarm) act(c Choices, faults []Fault, _ func(place int) int, lies int, protocol bool) (place int, _ Action) {
	var now [model.EventKinds]int
	for _, f := range faults {
		now[f.Kind] = a.weights[f.Kind]
	}
	now[model.Forge] = lies
	total := 0
	for _, w := range now {
		total += w
	}
	if total == 0 {
		return 0, NoAction
	}
	rest := enough
	switch {
	case protocol:
		rest = certain - total
	case lies > 0 || now[model.Restart] > 0:
		rest = soonEnough
	}
	at := c.Choose(rest+total) - rest
	for kind, w := range now {
		if at >= 0 && at < w {
			if kind == int(model.Forge) {
				return 0, SendLie
			}
			return drawFault(c, faults, func(place int) bool { return faults[place].Kind == model.EventKind(kind) }), InjectFault
		}
		at -= w
	}
	return 0, NoAction
}

// drawFault draws the index of a fault for which ok returns true; -1 if there is none.
func drawFault(c Choices, faults []Fault, ok func(place int) bool) int {
	n := 0
	for place := range faults {
		if ok(place) {
			n++
		}
	}
	if n == 0 {
		return -1
	}
	index := c.Choose(n)
	for place := range faults {
		if ok(place) {
			if index == 0 {
				return place
			}
			index--
		}
	}
	return -1
}
