package adversary

import (
	"slices"

	"contend/model"
)

// worst lets faults strike right after a step of a kind at which protocols are vulnerable, and at
// the place where it happened. For each fault of the budget it draws a kind of moment and how many of
// these pass before: like the change points of PCT, but among the moments of one kind, and log-uniform, since
// the length of the schedule is not known. The i-th moment of a kind, for i up to 16, is drawn
// with a probability of at least 1/(60·i) for each fault.
type worst struct {
	plans []plan
	also  swarm // restarts, and faults beyond the plans
}

// A plan is a fault that is to strike.
type plan struct {
	kind   model.EventKind
	moment moment
	after  int // moments that are to come first
	due    *Step
}

// A moment is a kind of step.
type moment int

const (
	afterSending    moment = iota // a step sent something
	afterBroadcast                // a step sent several messages, as when a quorum is reached
	afterCollecting               // a message arrived, and its receiver said nothing yet
	afterNote                     // something was noted, such as the entry of a critical section
	afterReturn                   // an operation returned
	afterAlarm                    // an alarm rang
	moments
)

// meets reports whether a step is such a moment.
func (m moment) meets(s Step) bool {
	switch m {
	case afterSending:
		return s.Sends > 0
	case afterBroadcast:
		return s.Sends > 1
	case afterCollecting:
		return s.Kind == model.Deliver && s.Sends == 0
	case afterNote:
		return s.Notes
	case afterReturn:
		return s.Returns
	}
	return s.Kind == model.Timeout
}

// mostPlans is how many faults of a kind are planned; those beyond strike at any step.
const mostPlans = 3

// latest is the binary logarithm of how many moments a plan lets pass at most.
const latest = 4

func drawWorst(s *model.System, c Choices) *worst {
	a := &worst{}
	for kind, budget := range budgets(s) {
		if budget == 0 {
			continue
		}
		if kind == int(model.Restart) { // what is down comes back, at any step
			a.also.weights[kind] = frequencies[1+c.Choose(len(frequencies)-1)]
			continue
		}
		a.also.weights[kind] = frequencies[c.Choose(len(frequencies))]
		for range min(budget, mostPlans) {
			a.plans = append(a.plans, plan{kind: model.EventKind(kind), moment: moment(c.Choose(int(moments))), after: c.Choose(1 << c.Choose(latest+1))})
		}
		if budget <= mostPlans {
			a.also.weights[kind] = 0
		}
	}
	return a
}

func (*worst) name() string { return worstMoment }

// took makes plans due.
func (a *worst) took(s Step) {
	if s.Kind.Adversarial() {
		return
	}
	for i := range a.plans {
		p := &a.plans[i]
		if p.due != nil || !p.moment.meets(s) {
			continue
		}
		if p.after--; p.after < 0 {
			p.due = &s
		}
	}
}

// strike lets what is due strike first. A plan whose fault cannot strike where its moment was, as
// when the node is down, is dropped.
func (a *worst) strike(c Choices, faults []Fault, sent func(place int) int, lies int, protocol bool) (int, Strike) {
	for i := 0; i < len(a.plans); {
		p := a.plans[i]
		if p.due == nil {
			i++
			continue
		}
		a.plans = slices.Delete(a.plans, i, i+1)
		if place := oneOf(c, faults, func(place int) bool { return p.hits(faults[place], func() int { return sent(place) }) }); place >= 0 {
			return place, Strikes
		}
	}
	return a.also.strike(c, faults, sent, lies, protocol)
}

// hits reports whether a fault is one of the plan's, at the place where its moment was.
func (p plan) hits(f Fault, sent func() int) bool {
	if f.Kind != p.kind {
		return false
	}
	switch f.Kind {
	case model.Lose, model.Duplicate:
		return p.due.Sends > 0 && sent() == p.due.Number || p.due.Sends == 0 && f.Node == p.due.Node
	case model.Partition, model.Mistake:
		return true
	}
	return f.Node == p.due.Node
}
