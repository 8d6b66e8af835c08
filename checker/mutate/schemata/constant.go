package schemata

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// constants increments and decrements integer constants. It omits named constants: most stand for no number.
// In sums it only decrements; the rest is left to arithmetic.
func constants(c *collector, n ast.Node) {
	x, ok := n.(ast.Expr)
	if !ok || !c.isConstant(x) || !c.isInteger(x) || c.inConstant() || !hasLiteral(x) {
		return
	}
	value, exact := constant.Int64Val(constant.ToInt(c.source.Info.Types[x].Value))
	if !exact {
		return
	}
	if p, ok := c.parent().(*ast.BinaryExpr); !ok || p.Op != token.ADD && p.Op != token.SUB {
		c.replace("constant", x, constant.MakeInt64(value+1).ExactString())
	}
	if value > 0 {
		c.replace("constant", x, constant.MakeInt64(value-1).ExactString())
	}
}

// hasLiteral reports whether an expression contains an integer literal.
func hasLiteral(x ast.Expr) (has bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		has = has || ok && lit.Kind == token.INT
		return !has
	})
	return has
}
