package edits

import (
	"fmt"
	"go/ast"
)

// reach marks the methods of the generated file: the methods that an edit changes, and their callers in the
// node. A node whose methods pass the node to other functions is an error, since these would call the unedited
// methods. A node that is not exported is an error, since a type that embeds it would not have its state.
func (p *pkg) reach() (wrong []error) {
	for _, n := range p.nodes {
		any := false
		for _, m := range n.methods {
			m.affected = len(m.versions) > 0
			any = any || m.affected
		}
		if any && !ast.IsExported(n.name) {
			wrong = append(wrong, fmt.Errorf("%s must be exported, so that the generated node can embed it", n.name))
		}
		for more := any; more; {
			more = false
			for _, m := range n.methods {
				if !m.affected && m.mentions(n.affected) {
					m.affected, more = true, true
				}
			}
		}
		for _, m := range n.methods {
			if any && m.handsOver() {
				wrong = append(wrong, fmt.Errorf("%s.%s hands over its receiver %s: make what it calls a method", n.name, m.name, m.recv))
			}
		}
	}
	return wrong
}

// affected reports whether the node's method with a name is affected.
func (n *node) affected(name string) bool {
	for _, m := range n.methods {
		if m.name == name {
			return m.affected
		}
	}
	return false
}

// mentions reports whether the method names an affected method of its receiver.
func (m *method) mentions(affected func(name string) bool) (found bool) {
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is && isIdent(s.X, m.recv) && affected(s.Sel.Name) {
			found = true
		}
		return !found
	})
	return found
}

// handsOver reports whether the method uses its receiver as a value. To return the receiver is allowed: claims
// see the page's node.
func (m *method) handsOver() bool {
	uses := 0
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if isIdent(n.X, m.recv) {
				return false
			}
		case *ast.ReturnStmt:
			if len(n.Results) == 1 && isIdent(n.Results[0], m.recv) {
				return false
			}
		case *ast.Ident:
			if n.Name == m.recv {
				uses++
			}
		}
		return true
	})
	return uses > 0
}
