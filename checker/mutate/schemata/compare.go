package schemata

import (
	"go/ast"
	"go/token"
)

// boundaries maps comparisons to others that differ at the boundary, and equality to its opposite.
var boundaries = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// compare moves the boundary of a comparison, or negates equality. Equality as a whole condition is left to
// condition.
func compare(c *collector, n ast.Node) {
	x, ok := n.(*ast.BinaryExpr)
	if !ok || c.isConstant(x) {
		return
	}
	to, ok := boundaries[x.Op]
	if !ok || (x.Op == token.EQL || x.Op == token.NEQ) && c.isCondition(x) {
		return
	}
	c.replace("compare", x, c.text(x.X)+" "+to.String()+" "+c.text(x.Y))
}

// isCondition reports whether the present node is its parent's whole condition.
func (c *collector) isCondition(x ast.Expr) bool {
	switch p := c.parent().(type) {
	case *ast.IfStmt:
		return p.Cond == x
	case *ast.CaseClause, *ast.ReturnStmt:
		return true
	}
	return false
}
