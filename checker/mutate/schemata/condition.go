package schemata

import (
	"go/ast"
	"go/types"
)

// condition replaces conditions and boolean results by true and by false. It omits conditions of loops: true
// would never end, and false is left to loop.
func condition(c *collector, n ast.Node) {
	switch x := n.(type) {
	case *ast.IfStmt:
		if c.isConstant(x.Cond) {
			return
		}
		c.replace("condition", x.Cond, "true")
		if x.Else != nil || !c.onlyPanics(x.Body) {
			c.replace("condition", x.Cond, "false")
		}
	case *ast.CaseClause:
		if s, ok := c.switchOf().(*ast.SwitchStmt); ok && s.Tag == nil {
			for _, cond := range x.List {
				c.replace("condition", cond, "true")
				c.replace("condition", cond, "false")
			}
		}
	case *ast.ReturnStmt:
		for _, r := range x.Results {
			if c.isBool(r) && !c.isConstant(r) && !c.isCallResult(x, r) {
				c.replace("condition", r, "true")
				c.replace("condition", r, "false")
			}
		}
	case *ast.Ident:
		c.flag(x)
	}
}

// flag negates a literal true or false.
func (c *collector) flag(x *ast.Ident) {
	k, ok := c.source.Info.Uses[x].(*types.Const)
	if !ok || k.Parent() != types.Universe || c.inConstant() {
		return
	}
	switch x.Name {
	case "true":
		c.replace("condition", x, "false")
	case "false":
		c.replace("condition", x, "true")
	}
}

// switchOf returns the statement of the present clause.
func (c *collector) switchOf() ast.Node {
	if len(c.parents) < 2 {
		return nil
	}
	return c.parents[len(c.parents)-2]
}

// isCallResult reports whether a result is a call with several results.
func (c *collector) isCallResult(x *ast.ReturnStmt, r ast.Expr) bool {
	_, many := c.source.Info.TypeOf(r).(*types.Tuple)
	return many
}
