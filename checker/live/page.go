package live

import (
	"fmt"

	"contend/model"
)

// mostOps is the largest number of operations of an application in a run.
const mostOps = 10_000

// live is the name of the variant that [lasting] returns.
const live = "live"

// lasting returns a protocol whose only variant is that of a name, for a run that lasts: applications repeat their
// scripts, and no cut ends a run.
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
		scripts := map[*model.Op][]model.Op{} // nodes with the same script keep the same script
		for i := range s.Nodes {
			script := s.Nodes[i].Script
			if len(script) == 0 {
				continue
			}
			if scripts[&script[0]] == nil {
				scripts[&script[0]] = repeated(script)
			}
			s.Nodes[i].Script = scripts[&script[0]]
		}
	}
	q := *p
	q.Variants = []model.Variant{v}
	return &q, nil
}

// repeated returns a script again and again.
func repeated(script []model.Op) []model.Op {
	all := make([]model.Op, 0, mostOps)
	for len(all)+len(script) <= mostOps || len(all) == 0 {
		all = append(all, script...)
		for i := len(all) - len(script); i < len(all); i++ {
			all[i].AtBoot = all[i].AtBoot && i == 0
		}
	}
	return all
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
