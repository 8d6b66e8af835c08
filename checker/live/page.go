package live

import (
	"fmt"

	"contend/model"
)

// live is the name of the variant that [lasting] returns.
const live = "live"

// lasting returns a protocol whose only variant is that of a name, without cuts: no bound of a search ends a run.
func lasting(p *model.Protocol, variant string) (*model.Protocol, error) {
	v := model.Variant{}
	if variant != "" {
		var err error
		if v, err = p.Variant(variant); err != nil {
			return nil, err
		}
	}
	edit := v.Edit
	v.Name, v.Edit = live, func(s *model.System) {
		if edit != nil {
			edit(s)
		}
		s.Cuts = nil
	}
	q := *p
	q.Variants = []model.Variant{v}
	return &q, nil
}

// usualOps is the number of operations of an application, unless the configuration has another. Some pages grow with it.
const usualOps = 200

// busy returns a configuration in which applications have usualOps operations, or half of that, and so on, as the protocol
// permits. It returns c if c has their number, or if the protocol has no such parameter.
func busy(p *model.Protocol, c model.Config) model.Config {
	d, ok := p.Declared(model.Ops.Name)
	if _, set := c.Setting(model.Ops.Name); !ok || set {
		return c
	}
	for n := min(d.Most, usualOps); n > d.Default; n /= 2 {
		more := c.With(model.Setting{Name: model.Ops.Name, Value: n})
		if _, err := p.System(live, more); err == nil {
			return more
		}
	}
	return c
}

// system builds the system of a lasting protocol. The error is a sentence on what a run of processes cannot have.
func system(p *model.Protocol, c model.Config) (*model.System, error) {
	s, err := p.System(live, c)
	switch {
	case err != nil:
		return nil, err
	case s.Informs() != nil:
		return nil, fmt.Errorf("protocol %s has a failure detector, and live nodes have none", p.Name)
	case c.Drift != 0:
		return nil, fmt.Errorf("drift is %d, but live nodes have the machine's clock", c.Drift)
	case c.Faults.Duplication > 0 || c.Faults.Suspicions > 0:
		return nil, fmt.Errorf("live nodes have no duplication and no suspicions; the faults are -f, --restarts, --loss, --partitions and --late")
	}
	return s, nil
}

// alone returns the system in which only one node has code. The messages of the others arrive as forged ones, and
// messages to them leave the system.
func alone(s *model.System, id model.NodeID) *model.System {
	own := *s
	own.Nodes, own.Faults, own.Network.Channel = append([]model.NodeSpec{}, s.Nodes...), model.Faults{}, model.Bag
	own.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return nil }
	for i := range own.Nodes {
		if model.NodeID(i) != id {
			own.Nodes[i].Byzantine, own.Nodes[i].Script = true, nil
		}
	}
	return &own
}
