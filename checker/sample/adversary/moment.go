package adversary

import (
	"slices"

	"contend/model"
)

// worst is the attitude whose faults follow a vulnerable step, and occur at the node of that step. It draws,
// for each fault of the budget, a kind of step and a number of such steps to skip. These resemble the change
// points of PCT, among the steps of one kind. The number is log-uniform, since the length of the schedule is
// unknown. A fault follows the i-th step of a kind, i ≤ 16, with probability at least 1/(60·i).
type worst struct {
	plans []plan
	also  swarm // restarts, and faults beyond the plans
}

// A plan is a planned fault.
type plan struct {
	kind   model.EventKind
	moment moment
	after  int // steps to skip
	due    *Step
}

// A moment is a kind of step.
type moment int

const (
	afterSending    moment = iota // a step that sent a message
	afterBroadcast                // a step that sent several messages, as at a quorum
	afterCollecting               // a delivery whose receiver sent nothing
	afterNote                     // a note, such as an entry of a critical section
	afterReturn                   // a return of an operation
	afterAlarm                    // a timeout
	moments
)

// meets reports whether a step is of this kind.
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

// mostPlans is the maximum number of planned faults of a kind. Further faults occur at any step.
const mostPlans = 3

// latest is the binary logarithm of the maximum number of skipped steps.
const latest = 4

func drawWorst(s *model.System, c Choices) *worst {
	a := &worst{}
	for kind, budget := range budgets(s) {
		if budget == 0 {
			continue
		}
		if kind == int(model.Restart) { // a node may restart at any step
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

// observe marks the plans whose step has come as due.
func (a *worst) observe(s Step) {
	if s.Kind.Adversarial() {
		return
	}
	for i := range a.plans {
		p := &a.plans[i]
		if p.due != nil || !p.moment.meets(s) {
			continue
		}
		if p.after--; p.after < 0 {
			due := s // only a step that is due is stored
			p.due = &due
		}
	}
}

// act injects the first due fault. It drops a plan whose fault is impossible at its node, as when the node is
// down.
func (a *worst) act(c Choices, faults []Fault, sent func(place int) int, lies int, protocol bool) (int, Action) {
	for i := 0; i < len(a.plans); {
		p := a.plans[i]
		if p.due == nil {
			i++
			continue
		}
		a.plans = slices.Delete(a.plans, i, i+1)
		if place := drawFault(c, faults, func(place int) bool { return p.hits(faults[place], func() int { return sent(place) }) }); place >= 0 {
			return place, InjectFault
		}
	}
	return a.also.act(c, faults, sent, lies, protocol)
}

// hits reports whether a fault matches the plan's kind, and its step or node.
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
