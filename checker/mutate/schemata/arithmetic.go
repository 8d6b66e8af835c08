package schemata

import (
	"go/ast"
	"go/token"
)

// opposites maps operators to their replacements.
var opposites = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR, token.AND_NOT: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
}

// arithmetic replaces operators, and drops signs.
func arithmetic(c *collector, n ast.Node) {
	switch x := n.(type) {
	case *ast.BinaryExpr:
		if to, ok := opposites[x.Op]; ok && c.isNumber(x) && !c.isConstant(x) {
			c.replace("arithmetic", x, c.text(x.X)+" "+to.String()+" "+c.text(x.Y))
		}
	case *ast.UnaryExpr:
		if (x.Op == token.SUB || x.Op == token.XOR) && !c.isConstant(x) {
			c.replace("arithmetic", x, c.text(x.X))
		}
	}
}
