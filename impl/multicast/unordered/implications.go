package unordered

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/claims"
)

// The lecture's hybrid orders: "FIFO+total ordering and causal+total ordering".
const (
	FIFOTotal   = "FIFO + total order"
	CausalTotal = "causal + total order"
)

// Orders are the compared ordering requirements. Comings are the properties about eventual deliveries.
var (
	Orders  = []string{multicast.FIFOOrder, multicast.CausalOrder, multicast.TotalOrder, multicast.UniformTotalOrder, FIFOTotal, CausalTotal}
	Comings = []string{multicast.Validity, multicast.Agreement, multicast.UniformAgreement}
)

// Implication returns the name of the property that a premise implies a conclusion, in every state or at the
// end of a run: see [claims.Implies] and [claims.ImpliesInTheEnd].
func Implication(premise, conclusion string, inTheEnd bool) string {
	name := premise + " implies " + conclusion
	if inTheEnd {
		name += " in the end"
	}
	return name
}

// implications are the implications between orders, in every state and at the end of a run, and the
// implications between eventual deliveries. Only the end of a run decides these.
func implications() []model.Claim {
	var all []model.Claim
	for _, pair := range pairs(Orders) {
		all = append(all, claims.Implies(pair[0], pair[1]), claims.ImpliesInTheEnd(pair[0], pair[1]))
	}
	for _, pair := range pairs(Comings) {
		all = append(all, claims.ImpliesInTheEnd(pair[0], pair[1]))
	}
	return all
}

// pairs returns all pairs of two properties.
func pairs(names []string) (all [][2]model.Claim) {
	for _, premise := range names {
		for _, conclusion := range names {
			if premise != conclusion {
				all = append(all, [2]model.Claim{property(premise), property(conclusion)})
			}
		}
	}
	return all
}

func property(name string) model.Claim {
	total := multicast.Claim(multicast.Group, multicast.TotalOrder, "", "")
	switch name {
	case FIFOTotal:
		return claims.Both(name, multicast.Claim(multicast.Group, multicast.FIFOOrder, "", ""), total)
	case CausalTotal:
		return claims.Both(name, multicast.Claim(multicast.Group, multicast.CausalOrder, "", ""), total)
	}
	return multicast.Claim(multicast.Group, name, "", "")
}
