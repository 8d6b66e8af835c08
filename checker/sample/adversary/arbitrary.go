package adversary

import "contend/model"

// arbitrary is the behaviour that allows every message at any time.
type arbitrary struct{}

func drawArbitrary(Choices, *Adversary, model.NodeID) behaviour { return arbitrary{} }

func (arbitrary) name() string { return general }

func (arbitrary) narrow(_ *turn, offers []Offer) []Offer { return offers }
