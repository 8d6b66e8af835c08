package claims

import "contend/model"

// Vacuous returns a claim with a reason for not being tested, in the systems for which in returns true: see
// [model.Claim.Vacuous].
func Vacuous(c model.Claim, in func(s *model.System) bool, why string) model.Claim {
	was := c.Vacuous
	c.Vacuous = func(s *model.System) string {
		if in(s) {
			return why
		}
		if was != nil {
			return was(s)
		}
		return ""
	}
	return c
}

// Invokers returns the number of nodes that have an operation, and the largest number of operations of a node.
func Invokers(s *model.System) (nodes, most int) {
	for _, n := range s.Nodes {
		if len(n.Script) > 0 {
			nodes++
		}
		most = max(most, len(n.Script))
	}
	return nodes, most
}

// lonely reports whether fewer than two nodes have an operation.
func lonely(s *model.System) bool {
	nodes, _ := Invokers(s)
	return nodes < 2
}

// once reports whether every sender multicasts at most once.
func (g *Group) once(s *model.System) bool {
	for _, n := range s.Nodes {
		sent := 0
		for _, op := range n.Script {
			if g.multicasts(op.Call) {
				sent++
			}
		}
		if sent > 1 {
			return false
		}
	}
	return true
}
