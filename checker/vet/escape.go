package vet

import (
	"go/ast"
	"go/types"
)

// escapes reports an Env, and closures over an Env or a message, that are stored beyond the handler's return.
func (c *checker) escapes(f *function) {
	k := &tracker{checker: c, local: map[types.Object]string{}}
	for v := range f.object.Signature().Params().Variables() {
		if isEnv(v.Type()) {
			k.local[v] = "its Env"
		}
	}
	given := c.parameters(f)
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != len(assign.Rhs) {
			return true
		}
		for i, to := range assign.Lhs {
			what := k.holds(assign.Rhs[i], given)
			if what == "" {
				continue
			}
			_, alone := ast.Unparen(to).(*ast.Ident) // assigning to a parameter itself is local
			if _, root := c.steps(to); !isGlobal(root) && (alone && root != nil || !outlives(f, root)) {
				k.local[root] = what
				continue
			}
			c.report(f, assign, "keeps %s, which is valid until the handler returns", what)
		}
		return true
	})
}

// A tracker tracks values that must not be stored, through local variables.
type tracker struct {
	*checker
	local map[types.Object]string
}

// outlives reports whether a value stored in a variable may outlive the call: so for parameters and the receiver, since they may be pointers.
func outlives(f *function, root *types.Var) bool {
	if root == nil {
		return true
	}
	s := f.object.Signature()
	if root == s.Recv() {
		return true
	}
	for v := range s.Params().Variables() {
		if v == root {
			return true
		}
	}
	return false
}

// holds returns the first value in an expression that must not be stored, as text; "" if there is none. It
// does not follow calls.
func (k *tracker) holds(e ast.Expr, given map[*types.Var]bool) (what string) {
	if t := k.TypesInfo.TypeOf(e); t != nil && isEnv(t) {
		return "an Env"
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			b, ok := k.callee(n).(*types.Builtin)
			return ok && b.Name() == "append"
		case *ast.FuncLit:
			if what == "" {
				what = k.captured(n, given)
			}
			return false
		case *ast.Ident:
			if text := k.local[k.TypesInfo.Uses[n]]; text != "" {
				what = text
			}
		}
		return true
	})
	return what
}

// captured returns the first value in a closure that must not be stored, as text.
func (k *tracker) captured(closure *ast.FuncLit, given map[*types.Var]bool) (what string) {
	ast.Inspect(closure.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch v := k.TypesInfo.Uses[id].(type) {
			case *types.Var:
				if k.local[v] != "" {
					what = "a closure over " + k.local[v]
				} else if what == "" && given[v] {
					what = "a closure over what it was given"
				}
			}
		}
		return true
	})
	return what
}
