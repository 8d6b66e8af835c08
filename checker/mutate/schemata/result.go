package schemata

import (
	"go/ast"
	"go/types"
	"strings"
)

// result returns zero values. Booleans are left to condition, numeric constants to constants. Results that
// are only text are omitted.
func result(c *collector, n ast.Node) {
	x, ok := n.(*ast.ReturnStmt)
	if _, listed := c.listed(); !ok || !listed || len(x.Results) == 0 {
		return
	}
	zeros, changes := make([]string, len(x.Results)), false
	for i, r := range x.Results {
		zeros[i] = c.zero(r)
		if zeros[i] == "" {
			return
		}
		changes = changes || !c.isBool(r) && !c.isConstant(r) && !c.isText(r) && !c.isZero(r, zeros[i])
	}
	if changes {
		c.add(x, before, edit{operator: "result", text: "return " + strings.Join(zeros, ", ")})
	}
}

// zero returns the zero value of an expression's type; "" if it cannot be written.
func (c *collector) zero(x ast.Expr) string {
	switch t := c.underlying(x).(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsNumeric != 0:
			return "0"
		case t.Info()&types.IsString != 0:
			return `""`
		case t.Info()&types.IsBoolean != 0:
			return "false"
		}
		return "nil"
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return "nil"
	case *types.Interface:
		if _, parameter := types.Unalias(c.source.Info.TypeOf(x)).(*types.TypeParam); !parameter {
			return "nil"
		}
	case *types.Tuple, nil:
		return ""
	}
	name := c.source.typeName(c.source.Info.TypeOf(x), c.file)
	if name == "" {
		return ""
	}
	return "*new(" + name + ")"
}

func (c *collector) isText(x ast.Expr) bool {
	b, ok := c.underlying(x).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isZero reports whether an expression is literally the zero value.
func (c *collector) isZero(x ast.Expr, zero string) bool {
	lit, empty := ast.Unparen(x).(*ast.CompositeLit)
	return c.text(x) == zero || empty && len(lit.Elts) == 0
}
