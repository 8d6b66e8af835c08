// Package adversary injects faults and forges messages in sampled schedules. It has one file for each
// behaviour of Byzantine nodes, and for each attitude: a distribution of faults over a schedule. A schedule
// draws one or two behaviours for each Byzantine node, and one attitude.
//
// A Byzantine node has no state and runs no code. It may send any message of its receiver's alphabet,
// [model.System.Forge], and nothing else. A behaviour filters the messages that the node may send now.
// Several behaviours filter in turn, and the message is drawn from the rest.
//
// An adversary observes every message. Its actions are a function of the schedule's choices and of the
// observed steps and messages.
package adversary

import (
	"slices"
	"strings"

	"contend/model"
)

// Choices is a stream of choices, as in package sample.
type Choices interface {
	// Choose returns a number in [0, n); n ≥ 1.
	Choose(n int) int
}

// An Adversary injects the faults and forges the messages of one schedule.
type Adversary struct {
	cast     *Cast
	liars    []*liar // without the silent ones
	attitude attitude
	lies     int // weight of a forged message in each step, of certain
	traffic  *traffic
}

// A liar is a Byzantine node in one schedule.
type liar struct {
	id         model.NodeID
	behaviours []behaviour
}

// A Lie is a forged message.
type Lie struct {
	Offer
	// By names the behaviours that filtered the messages, separated by commas.
	By string
}

// Draw draws the adversary of a schedule.
func (k *Cast) Draw(c Choices) *Adversary {
	a := &Adversary{cast: k, traffic: newTraffic(k)}
	a.attitude = k.drawAttitude(c)
	a.drawLiars(c)
	return a
}

// ObserveStep must be called after each step of the schedule, in order.
func (a *Adversary) ObserveStep(s Step) { a.attitude.observe(s) }

// Attentive reports whether [Adversary.ObserveMessage] must be called.
func (a *Adversary) Attentive() bool { return a.traffic.needed }

// ObserveMessage must be called for each message that a node sends, whoever the receiver is.
func (a *Adversary) ObserveMessage(m Sent) {
	a.traffic.observe(m)
	for _, l := range a.liars {
		for _, b := range l.behaviours {
			if listens, ok := b.(listener); ok && m.To == l.id {
				listens.observe(m)
			}
		}
	}
}

// Next chooses the environment's action before the next step. For [InjectFault], place is an index into
// faults. The function sent returns the step that sent the message of a fault, by the fault's index. Protocol
// reports whether an event of the protocol is possible.
func (a *Adversary) Next(c Choices, faults []Fault, sent func(place int) int, protocol bool) (place int, s Action) {
	return a.attitude.act(c, faults, sent, a.lies, protocol)
}

// By returns the name of the attitude; "" for the default attitude, swarm.
func (a *Adversary) By() string { return a.attitude.name() }

// Pace returns the pace of a Byzantine node; false if the node has none of its own.
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

// Lie chooses a forged message. Idle reports whether nothing else can happen now. Lie returns false if the
// drawn node has no message to send.
func (a *Adversary) Lie(c Choices, alphabets Alphabets, idle bool) (Lie, bool) {
	l := a.liars[c.Choose(len(a.liars))]
	t := &turn{Choices: c, liar: l, traffic: a.traffic, cast: a.cast, idle: idle}
	offers := a.cast.offers(l.id, alphabets)
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
	a.traffic.observeLie(o)
	return Lie{Offer: o, By: strings.Join(by, ", ")}, true
}

// drawOffer draws a receiver, and then an offer to it.
func drawOffer(c Choices, offers []Offer) Offer {
	var to []model.NodeID
	for _, o := range offers {
		if !slices.Contains(to, o.To) {
			to = append(to, o.To)
		}
	}
	slices.Sort(to)
	receiver := to[c.Choose(len(to))]
	return choose(c, slices.DeleteFunc(offers, func(o Offer) bool { return o.To != receiver }))
}

func choose[T any](c Choices, all []T) T { return all[c.Choose(len(all))] }
