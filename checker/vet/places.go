package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A write is a written expression. If through is set, the write changes what the expression refers to.
type write struct {
	node    ast.Node
	place   ast.Expr
	through bool
}

// mutators lists functions that change what their first argument refers to.
var mutators = map[string][]string{
	"slices": {"Sort", "SortFunc", "SortStableFunc", "Reverse"},
	"sort":   {"Sort", "Stable", "Slice", "SliceStable", "Ints", "Strings", "Float64s"},
	"maps":   {"Copy", "DeleteFunc"},
}

// writesOf returns the writes of a node, without those of its children.
func (c *checker) writesOf(n ast.Node) (all []write) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, to := range n.Lhs {
				all = append(all, write{n, to, false})
			}
		}
	case *ast.IncDecStmt:
		all = append(all, write{n, n.X, false})
	case *ast.RangeStmt:
		for _, to := range []ast.Expr{n.Key, n.Value} {
			if to != nil && n.Tok == token.ASSIGN {
				all = append(all, write{n, to, false})
			}
		}
	case *ast.CallExpr:
		if len(n.Args) > 0 && c.mutates(n) {
			all = append(all, write{n, n.Args[0], true})
		}
	}
	return all
}

func (c *checker) mutates(call *ast.CallExpr) bool {
	switch callee := c.callee(call).(type) {
	case *types.Builtin:
		return slices.Contains([]string{"delete", "clear", "copy"}, callee.Name())
	case *types.Func:
		return callee.Pkg() != nil && slices.Contains(mutators[callee.Pkg().Path()], callee.Name())
	}
	return false
}

// callee returns the named function or builtin that is called; nil for others.
func (c *checker) callee(call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok { // an instance of a generic function
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return c.TypesInfo.Uses[fun]
	case *ast.SelectorExpr:
		return c.TypesInfo.Uses[fun.Sel]
	}
	return nil
}

// steps returns the expressions from a place to its root variable, the root last. The root is nil if the
// place has none.
func (c *checker) steps(e ast.Expr) (path []ast.Expr, root *types.Var) {
	for {
		e = ast.Unparen(e)
		path = append(path, e)
		switch x := e.(type) {
		case *ast.Ident:
			root, _ = c.TypesInfo.ObjectOf(x).(*types.Var)
			return path, root
		case *ast.SelectorExpr:
			if v, ok := c.TypesInfo.Uses[x.Sel].(*types.Var); ok && !v.IsField() {
				return path, v // of another package
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		default:
			return path, nil
		}
	}
}

// refers reports whether the path to a place contains a pointer, a slice or a map. Then the place is outside of the root variable.
func (c *checker) refers(w write, path []ast.Expr) bool {
	if w.through {
		return true
	}
	for _, e := range path {
		switch x := e.(type) {
		case *ast.StarExpr:
			return true
		case *ast.IndexExpr:
			if _, array := c.TypesInfo.TypeOf(x.X).Underlying().(*types.Array); !array {
				return true
			}
		case *ast.SelectorExpr:
			if t := c.TypesInfo.TypeOf(x.X); t != nil && isPointer(t) {
				return true
			}
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// isGlobal reports whether a variable is package-level.
func isGlobal(v *types.Var) bool { return v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }
