package model

import (
	"fmt"
	"reflect"

	"contend/model/internal/same"
)

// probeN is an N that no protocol is likely to compute itself.
const probeN = 13

// readsN returns an error if Build reads [Config.N] although the protocol does not declare [N]. Nobody can set
// N then, so Build reads 0. That may cause an empty quorum or a division by zero. The read of a field cannot be
// observed, so the system is built again with another N and compared. The argument built is the first system;
// nil if Build failed.
func (p *Protocol) readsN(c Config, built *System) error {
	if _, declared := p.Declared(N.Name); declared || c.N != 0 {
		return nil
	}
	c.N = probeN
	again, err := p.build(c)
	if err != nil && built == nil || err == nil && built != nil && sameSystem(built, again) {
		return nil
	}
	return fmt.Errorf("protocol %s: Build reads Config.N, but Params does not list model.N, so it is 0: list model.N, or read a parameter of your own by its Of", p.Name)
}

// sameSystem compares what Build computes: the nodes with their scripts, Setup, and the windows.
func sameSystem(a, b *System) bool {
	if len(a.Nodes) != len(b.Nodes) {
		return false
	}
	s := same.Comparing(reflect.TypeFor[Config]())
	for i := range a.Nodes {
		x, y := a.Nodes[i], b.Nodes[i]
		if m, n := x.fresh(), y.fresh(); !s.Values(m, n) {
			return false
		}
		if !s.Values(x, y) {
			return false
		}
	}
	return s.Values(a.Setup, b.Setup) &&
		s.Values(a.Network, b.Network) &&
		s.Values(a.Returned, b.Returned)
}

// fresh returns a new node, or nil if New is missing or panics. Other code reports that.
func (n NodeSpec) fresh() (node Node) {
	defer func() {
		if recover() != nil {
			node = nil
		}
	}()
	if n.New == nil {
		return nil
	}
	return n.New()
}
