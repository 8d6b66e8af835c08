package claims

import "contend/model"

// Vacuous returns a claim that says why no run puts it to the test in the systems of which a
// condition is true: see the field of [model.Claim].
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

// Invokers is how many nodes have an operation in their script, and most how many operations
// one of them has.
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

// once reports whether no sender multicasts twice.
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
