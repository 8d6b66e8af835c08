package schemata

import "go/ast"

// clause skips the body of a switch case. Cases that are conditions are left to condition.
func clause(c *collector, n ast.Node) {
	x, ok := n.(*ast.CaseClause)
	if !ok || len(x.Body) == 0 {
		return
	}
	if s, ok := c.switchOf().(*ast.SwitchStmt); ok && s.Tag == nil && x.List != nil {
		return
	}
	if b, ok := x.Body[0].(*ast.BranchStmt); ok && b.Label == nil {
		return
	}
	if len(x.Body) == 1 && c.droppable(x.Body[0]) && !isReturn(x.Body[0]) {
		return // drop does it
	}
	c.add(x.Body[0], before, edit{operator: "clause", text: "break", description: "skip " + flat(firstLine(c.text(x)))})
}
