package adversary

import "contend/model"

// arbitrary says anything at any time: the most general adversary, drawn.
type arbitrary struct{}

func drawArbitrary(Choices, *Adversary, model.NodeID) behaviour { return arbitrary{} }

func (arbitrary) name() string { return general }

func (arbitrary) narrow(_ *turn, offers []Offer) []Offer { return offers }
