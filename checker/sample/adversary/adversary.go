// Package adversary has what strikes and lies in a sampled schedule, a file each: the behaviours of
// Byzantine nodes, and the attitudes by which faults strike. Each schedule draws its own: for each
// Byzantine node one behaviour or two, and one attitude for the faults.
//
// A Byzantine node has no state and runs no code. What it may say is the alphabet of its receiver,
// [model.System.Forge], and no behaviour says anything else. A behaviour narrows the messages that
// the node may say now to those that it would say; which of them is said is drawn. Behaviours compose:
// each narrows what the one before it left.
//
// An adversary sees every message that is sent. What it does is a function of the choices of its
// schedule and of what it is told, and of nothing else.
package adversary

import (
	"slices"
	"strings"

	"contend/model"
)

// Choices is a stream of choices: see package sample.
type Choices interface {
	// Choose returns a number in [0, n); n ≥ 1.
	Choose(n int) int
}

// An Adversary is what strikes and lies in one schedule.
type Adversary struct {
	cast     *Cast
	liars    []*liar // those that ever speak
	attitude attitude
	lies     int // the weight of a lie in each step
	traffic  *traffic
}

// A liar is a Byzantine node in one schedule.
type liar struct {
	id         model.NodeID
	behaviours []behaviour
}

// A Lie is what a Byzantine node says.
type Lie struct {
	Offer
	// By names the behaviours that chose it.
	By string
}

// Draw draws the adversary of a schedule.
func (k *Cast) Draw(c Choices) *Adversary {
	a := &Adversary{cast: k, traffic: newTraffic(k)}
	a.attitude = k.drawAttitude(c)
	a.drawLiars(c)
	return a
}

// Took tells of each step of the schedule, in order.
func (a *Adversary) Took(s Step) { a.attitude.took(s) }

// Attentive reports whether the adversary wants to be told of messages.
func (a *Adversary) Attentive() bool { return a.traffic.wanted }

// Heard tells of a message that a node sent, to a Byzantine one or to another.
func (a *Adversary) Heard(m Sent) {
	a.traffic.heard(m)
	for _, l := range a.liars {
		for _, b := range l.behaviours {
			if listens, ok := b.(listener); ok && m.To == l.id {
				listens.heard(m)
			}
		}
	}
}

// Strike chooses what the environment does before the next step: the place of the fault that
// strikes, of those that may now, a lie, or nothing. Sent is the step that sent the message that a fault
// strikes, by its place. Protocol says that something else may happen.
func (a *Adversary) Strike(c Choices, faults []Fault, sent func(place int) int, protocol bool) (place int, s Strike) {
	return a.attitude.strike(c, faults, sent, a.lies, protocol)
}

// By names the attitude, where it chose more than how often faults strike.
func (a *Adversary) By() string { return a.attitude.name() }

// Pace is how a Byzantine node spends time; false where it spends it as the schedule does.
func (a *Adversary) Pace(id model.NodeID) (Pace, bool) {
	for _, l := range a.liars {
		for _, b := range l.behaviours {
			if paced, ok := b.(pacer); ok && l.id == id {
				return paced.pace(), true
			}
		}
	}
	return Pace{}, false
}

// Lie chooses who lies, to whom and what. Idle says that nothing else can happen now. There is no lie
// where no receiver would take any, or the node that is drawn is silent now.
func (a *Adversary) Lie(c Choices, of Alphabets, idle bool) (Lie, bool) {
	l := a.liars[c.Choose(len(a.liars))]
	t := &turn{Choices: c, liar: l, traffic: a.traffic, cast: a.cast, idle: idle}
	offers := a.cast.offers(l.id, of)
	var by []string
	for _, b := range l.behaviours {
		if len(offers) == 0 {
			return Lie{}, false
		}
		offers = b.narrow(t, offers)
		by = append(by, b.name())
	}
	if len(offers) == 0 {
		return Lie{}, false
	}
	o := drawOffer(c, offers)
	a.traffic.lied(o)
	return Lie{Offer: o, By: strings.Join(by, ", ")}, true
}

// drawOffer chooses a receiver, and then one of the messages to it.
func drawOffer(c Choices, offers []Offer) Offer {
	var to []model.NodeID
	for _, o := range offers {
		if !slices.Contains(to, o.To) {
			to = append(to, o.To)
		}
	}
	slices.Sort(to)
	is := to[c.Choose(len(to))]
	return choose(c, slices.DeleteFunc(offers, func(o Offer) bool { return o.To != is }))
}

func choose[T any](c Choices, all []T) T { return all[c.Choose(len(all))] }
