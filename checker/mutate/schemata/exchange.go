package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// exchange exchanges neighbouring arguments of one type, and unnamed elements of a struct literal.
func exchange(c *collector, n ast.Node) {
	switch x := n.(type) {
	case *ast.CallExpr:
		if !c.symmetric(x) && x.Ellipsis == token.NoPos {
			c.exchanged(x, x.Args)
		}
	case *ast.CompositeLit:
		if _, ok := c.underlying(x).(*types.Struct); ok && x.Type != nil {
			c.exchanged(x, x.Elts)
		}
	}
}

func (c *collector) exchanged(x ast.Expr, parts []ast.Expr) {
	switch c.parent().(type) {
	case *ast.DeferStmt, *ast.GoStmt:
		return // they have to be calls
	}
	for i := 1; i < len(parts); i++ {
		a, b := parts[i-1], parts[i]
		s, t := c.source.Info.TypeOf(a), c.source.Info.TypeOf(b)
		if s == nil || t == nil || !types.Identical(s, t) || c.text(a) == c.text(b) || c.text(a) == "nil" {
			continue
		}
		whole, from := c.text(x), c.source.offset(x.Pos())
		cut := func(n ast.Node) (int, int) { return c.source.offset(n.Pos()) - from, c.source.offset(n.End()) - from }
		a0, a1 := cut(a)
		b0, b1 := cut(b)
		c.replace("exchange", x, strings.Join([]string{whole[:a0], whole[b0:b1], whole[a1:b0], whole[a0:a1], whole[b1:]}, ""))
	}
}

// symmetric reports whether the order of a call's arguments is irrelevant.
func (c *collector) symmetric(call *ast.CallExpr) bool {
	switch callee := c.callee(call).(type) {
	case *types.Builtin:
		return slices.Contains([]string{"min", "max"}, callee.Name())
	case *types.Func:
		return slices.Contains([]string{"Equal", "DeepEqual", "EqualFunc"}, callee.Name())
	}
	return false
}
