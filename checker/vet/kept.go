package vet

import (
	"go/ast"
	"go/types"
)

// kept reports an Env, and closures over an Env or a message, that are put where they outlast
// their handler.
func (c *checker) kept(f *function) {
	k := &keeping{checker: c, local: map[types.Object]string{}}
	for v := range f.is.Signature().Params().Variables() {
		if isEnv(v.Type()) {
			k.local[v] = "its Env"
		}
	}
	given := c.given(f)
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
			_, alone := ast.Unparen(to).(*ast.Ident) // a parameter itself is a local variable
			if _, root := c.steps(to); !isGlobal(root) && (alone && root != nil || !outlives(f, root)) {
				k.local[root] = what
				continue
			}
			c.report(f, assign, "keeps %s, which is valid until the handler returns", what)
		}
		return true
	})
}

// keeping follows, through local variables, what may not be kept.
type keeping struct {
	*checker
	local map[types.Object]string
}

// outlives reports whether what is put into a variable outlasts the call: one of its parameters, or
// its receiver, may point to what does.
func outlives(f *function, root *types.Var) bool {
	if root == nil {
		return true
	}
	s := f.is.Signature()
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

// holds says what of that which may not be kept is in a value; "" when nothing is. What a
// function that is called keeps is not followed.
func (k *keeping) holds(e ast.Expr, given map[*types.Var]bool) (what string) {
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
			if is := k.local[k.TypesInfo.Uses[n]]; is != "" {
				what = is
			}
		}
		return true
	})
	return what
}

// captured says what of that which may not be kept a closure refers to.
func (k *keeping) captured(closure *ast.FuncLit, given map[*types.Var]bool) (what string) {
	ast.Inspect(closure.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch is := k.TypesInfo.Uses[id].(type) {
			case *types.Var:
				if k.local[is] != "" {
					what = "a closure over " + k.local[is]
				} else if what == "" && given[is] {
					what = "a closure over what it was given"
				}
			}
		}
		return true
	})
	return what
}
