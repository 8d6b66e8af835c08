package schemata

import (
	"go/ast"
	"go/token"
)

// logic replaces && and || by each operand, and drops !.
func logic(c *collector, n ast.Node) {
	switch x := n.(type) {
	case *ast.BinaryExpr:
		if (x.Op == token.LAND || x.Op == token.LOR) && !c.isConstant(x) {
			c.replace("logic", x, c.text(x.X))
			c.replace("logic", x, c.text(x.Y))
		}
	case *ast.UnaryExpr:
		if x.Op == token.NOT && !c.isConstant(x) && !c.isCondition(x) {
			c.replace("logic", x, c.text(x.X))
		}
	}
}
