package adversary

import "contend/model"

// swarm lets faults strike at any step. How often each kind strikes is drawn once for a schedule, so
// that schedules differ in kind (swarm testing, Groce et al., ISSTA 2012): a kind has a quarter of a
// chance never to strike.
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

func (*swarm) took(Step) {}

// enough is the weight of ending a schedule in which only faults can strike, and enoughLies where a
// Byzantine node may speak.
const (
	enough     = 8
	enoughLies = 1
)

// strike chooses between the protocol and the kinds of faults that may strike now; without
// anything of the protocol, between them and the end.
func (a *swarm) strike(c Choices, faults []Fault, _ func(place int) int, lies int, protocol bool) (place int, _ Strike) {
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
		return 0, Nothing
	}
	rest := enough
	switch {
	case protocol:
		rest = certain - total
	case lies > 0:
		rest = enoughLies
	}
	at := c.Choose(rest+total) - rest
	for kind, w := range now {
		if at >= 0 && at < w {
			if kind == int(model.Forge) {
				return 0, Lies
			}
			return oneOf(c, faults, func(place int) bool { return faults[place].Kind == model.EventKind(kind) }), Strikes
		}
		at -= w
	}
	return 0, Nothing
}

// oneOf draws the place of a fault for which ok is true; -1 if there is none.
func oneOf(c Choices, faults []Fault, ok func(place int) bool) int {
	n := 0
	for place := range faults {
		if ok(place) {
			n++
		}
	}
	if n == 0 {
		return -1
	}
	is := c.Choose(n)
	for place := range faults {
		if ok(place) {
			if is == 0 {
				return place
			}
			is--
		}
	}
	return -1
}
