package adversary

import "contend/model"

// delay is the behaviour that sends as late as possible. With time, a message arrives at its latest instant.
// Without time, the node skips a number of turns for each receiver, unless nothing else can happen.
type delay struct {
	turns int
	waits map[model.NodeID]int
}

// mostTurns is the maximum number of skipped turns.
const mostTurns = 8

func drawDelay(c Choices, _ *Adversary, _ model.NodeID) behaviour {
	return &delay{turns: c.Choose(mostTurns + 1), waits: map[model.NodeID]int{}}
}

func (*delay) name() string { return "delay" }

func (*delay) pace() Pace { return Pace{Latest: 8} }

func (d *delay) narrow(t *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(to model.NodeID, candidates []Offer) []Offer {
		if d.waits[to]++; d.waits[to] <= d.turns && !t.idle {
			return nil
		}
		return candidates
	})
}
