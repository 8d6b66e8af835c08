package driver

import (
	"contend/model"
)

// A Given is a check that the protocol does not list, in a form that can be sent.
type Given struct {
	Variant  string
	N, B     int
	Network  model.NetworkModel
	Faults   model.Faults
	Settings []model.Setting
	Reading  model.Reading
	Claims   []string
}

// given returns the form of a check to send.
func given(c model.Check) *Given {
	return &Given{c.Variant, c.Config.N, c.Config.B, c.Config.Network, c.Config.Faults, c.Config.Settings(), c.Reading, c.Claims}
}

// check returns the check that g was made from.
func (g *Given) check() model.Check {
	c := model.Config{N: g.N, B: g.B, Network: g.Network, Faults: g.Faults}.With(g.Settings...)
	return model.Check{Variant: g.Variant, Config: c, Reading: g.Reading, Claims: g.Claims}
}
