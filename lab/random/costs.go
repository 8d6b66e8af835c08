package random

import (
	"math/rand/v2"

	"contend/model"
	"contend/model/costs"
)

// Costs returns costs of every sort: of a whole run, of an operation, along chains, of each operation at the
// end, since events of any node, and between observations. Their maximum is small, so that endless runs have
// few states. Most reset when they are measured, so that runs of different cost reach the same state.
func Costs() []*model.Cost {
	behalf := func(o model.Observation) (model.NodeID, bool) {
		return min(o.Node, o.To), o.To != 1 // some for nobody
	}
	first := costs.PerOperation(func(model.Observation) (model.NodeID, bool) { return 0, true })
	first.Name = "messages while the first operates"
	all := []*model.Cost{first, costs.Messages(), costs.PerOperation(behalf), costs.Latency(), costs.PerPassage(behalf),
		chainSince("since requests", model.Invoked), chainSince("since notes", model.Noted), chainSince("since returns", model.Returned),
		costs.BetweenEntries(), costs.ClientDelay(), costs.SynchronizationDelay(), between()}
	for _, c := range all {
		c.Most = 4
	}
	return all
}

// drawCosts draws one or two costs.
func drawCosts(r *rand.Rand) []*model.Cost {
	all := Costs()
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:1+r.IntN(2)]
}

// chainSince returns a cost that measures, at every observation, the longest chain since the last observation of a
// kind.
func chainSince(name string, kind model.ObservationKind) *model.Cost {
	return &model.Cost{
		Name: name, Chains: true,
		Since: func(o model.Observation) bool { return o.Kind == kind },
		Meter: func(*model.System) model.Monitor { return &chains{} },
	}
}

type chains struct{}

func (*chains) Observe(w model.Watch, o model.Observation) { w.Measure(o.Chain) }

// between returns a cost that measures the messages between notes, deliveries and returns.
func between() *model.Cost {
	c := &model.Cost{Name: "messages between observations", Sends: true}
	c.Meter = func(*model.System) model.Monitor { return &counter{cost: c} }
	return c
}

type counter struct {
	cost *model.Cost

	Sent int
}

func (c *counter) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Sent:
		c.Sent = c.cost.Counted(c.Sent)
	case model.Noted, model.Delivered, model.Returned:
		w.Measure(c.Sent)
		c.Sent = 0
	}
}
