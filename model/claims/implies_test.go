package claims_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
)

// An implication of always claims is judged at every moment. It may hold in the end without holding at every
// moment, and never conversely. Total order is an example: a node that delivers a message before an earlier one
// violates it only when another node has delivered both.
func TestImplies(t *testing.T) {
	none, lost, crash := model.Faults{}, model.Faults{Loss: 1}, model.Faults{Crashes: 1}
	fifo, causal, total := group.FIFOOrder(), group.CausalOrder(), group.TotalOrder()
	uniform := group.UniformTotalOrder()
	fifoTotal := claims.Both("FIFO + total order", fifo, total)
	one, two, three := multicast(toSelf, model.Bag, none, 1, 1), multicast(toSelf, model.Bag, none, 2), multicast(toSelf, model.Bag, none, 2, 1)
	decide(t, []verdict{
		{"all manners", three, claims.Implies(causal, fifo), checker.Holds},
		{"all manners", three, claims.ImpliesInTheEnd(causal, fifo), checker.Holds},
		{"all manners", one, claims.Implies(fifo, causal), checker.Violated},
		{"all manners", one, claims.ImpliesInTheEnd(fifo, causal), checker.Violated},
		{"all manners", two, claims.Implies(total, fifo), checker.Violated},
		{"all manners", two, claims.ImpliesInTheEnd(total, fifo), checker.Violated},
		{"all manners", two, claims.Implies(total, total), checker.Holds},
		{"all manners", one, claims.Implies(fifoTotal, causal), checker.Violated},
		{"all manners", one, claims.ImpliesInTheEnd(fifoTotal, causal), checker.Holds},
		{"with a crash", multicast(toSelf, model.Bag, crash, 1, 1), claims.ImpliesInTheEnd(fifoTotal, causal), checker.Violated},
		{"with a crash", multicast(toSelf, model.Bag, crash, 1, 1), claims.Implies(total, uniform), checker.Violated},
		{"with a crash", multicast(toSelf, model.Bag, crash, 1, 1), claims.Implies(uniform, total), checker.Holds},
		{"with a loss", multicast(toSelf, model.Bag, lost, 1), claims.ImpliesInTheEnd(group.Agreement(), group.Validity()), checker.Holds},
		{"with a loss", multicast(toSelf, model.Bag, lost, 1), claims.ImpliesInTheEnd(group.Validity(), group.Agreement()), checker.Violated},
		{"with a crash", multicast(toSelf, model.Bag, crash, 1), claims.ImpliesInTheEnd(group.UniformAgreement(), group.Agreement()), checker.Holds},
	})
}

// toSelf delivers in any order: a node also sends to itself.
var toSelf = manner{func(_ *tiny, env model.Env, p packet) { env.Broadcast([]model.NodeID{0, 1, 2}, p) }, deliver}

// A conjunction is violated where either claim is, and reached where both are.
func TestBoth(t *testing.T) {
	lost := model.Faults{Loss: 1}
	orders := claims.Both("FIFO + total order", group.FIFOOrder(), group.TotalOrder())
	comes := claims.Both("validity and agreement", group.Validity(), group.Agreement())
	decide(t, []verdict{
		{"sequenced on FIFO", multicast(sequenced, model.FIFO, model.Faults{}, 1, 1), orders, checker.Holds},
		{"plain on FIFO", multicast(plain, model.FIFO, model.Faults{}, 2, 1), orders, checker.Violated},
		{"sequenced on a bag", multicast(sequenced, model.Bag, model.Faults{}, 0, 2), orders, checker.Violated},
		{"floods", multicast(floods, model.Bag, lost, 1), comes, checker.Holds},
		{"plain", multicast(plain, model.Bag, lost, 1), comes, checker.Violated},
	})
	assert.Equal(t, []model.Assumption{model.NoMemoryLoss}, orders.Assumes, "what both assume, once")
}

// Claims that need more than a monitor are refused.
func TestOfWhatIsNotMade(t *testing.T) {
	ends := model.Claim{Name: "ends", Kind: model.Always, Done: true}
	always, eventually := group.FIFOOrder(), group.Validity()
	for want, make := range map[string]func(){
		"Implies of ends: it needs claims with a monitor that sees no causal past, of the kind always":                                        func() { claims.Implies(always, ends) },
		"Implies of validity: it needs claims with a monitor that sees no causal past, of the kind always":                                    func() { claims.Implies(eventually, always) },
		"ImpliesInTheEnd of happened-before order: it needs claims with a monitor that sees no causal past, of the kind always or eventually": func() { claims.ImpliesInTheEnd(claims.HappenedBefore(), always) },
		"Both of FIFO order and validity: they are of the kinds always and eventually, but must be of one":                                    func() { claims.Both("both", always, eventually) },
	} {
		assert.PanicsWithError(t, want, make)
	}
	w := &struct{ model.Watch }{}
	alarmed := claims.Both("alarmed", model.Claim{Name: "a", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &alarming{} }}, always)
	assert.Panics(t, func() { alarmed.Monitor(&model.System{}).Observe(w, model.Observation{}) }, "it sets an alarm")
}

type alarming struct{}

func (*alarming) Observe(w model.Watch, _ model.Observation) { w.After("k", model.Anytime()) }
