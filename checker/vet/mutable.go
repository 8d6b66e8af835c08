package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Two steps find the package-level variables that are not constant. The first finds the parameters and
// receivers through which a function writes, directly or by passing them to such a function. This is a least
// fixed point, since functions call each other. The second finds writes to package-level variables in all
// functions but init: by name, through local variables that alias them, and through such functions. The cost
// is a few passes over the source, as many as the depth of calls.

// findMutable finds the package-level variables that some function but init writes.
func (c *checker) findMutable() {
	c.mutable, c.written = map[*types.Var]bool{}, map[*types.Var]bool{}
	for again := true; again; {
		again = false
		for f, decl := range c.decls {
			c.changes(decl, func(v *types.Var) {
				if isParameter(f, v) && !c.written[v] {
					c.written[v], again = true, true
				}
			})
		}
	}
	for f, decl := range c.decls {
		if f.Name() != "init" {
			c.changes(decl, func(v *types.Var) { c.mutable[v] = c.mutable[v] || isGlobal(v) })
		}
	}
	c.findCounters()
}

// isParameter reports whether a variable is a parameter or the receiver of a function.
func isParameter(f *types.Func, v *types.Var) bool {
	s := f.Signature()
	if v == s.Recv() {
		return true
	}
	for p := range s.Params().Variables() {
		if p == v {
			return true
		}
	}
	return false
}

// changes calls mark for each package-level variable that a function writes, and for each variable that it
// writes through.
func (c *checker) changes(decl *ast.FuncDecl, mark func(*types.Var)) {
	shares := c.aliases(decl.Body)
	through := func(e ast.Expr) {
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		if _, v := c.steps(e); v != nil {
			mark(origin(shares, v))
		}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		for _, w := range c.writesOf(n) {
			if path, v := c.steps(w.place); isGlobal(v) || c.refers(w, path) {
				through(w.place)
			}
		}
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if _, v := c.steps(n.X); n.Op == token.AND && isGlobal(v) {
				mark(v)
			}
		case *ast.SelectorExpr:
			if _, v := c.steps(n.X); c.byAddress(n) && isGlobal(v) {
				mark(v)
			}
		case *ast.CallExpr:
			c.writtenArguments(n, through)
		}
		return true
	})
}

// aliases maps each local variable that is set once, to a part of another variable, to that variable.
func (c *checker) aliases(body *ast.BlockStmt) map[*types.Var]*types.Var {
	set, shares := map[*types.Var]bool{}, map[*types.Var]*types.Var{}
	ast.Inspect(body, func(n ast.Node) bool {
		for _, w := range c.writesOf(n) {
			if v, ok := c.objectOf(w.place).(*types.Var); ok && !w.through {
				set[v] = true
			}
		}
		return true
	})
	c.share(body, func(to, from *types.Var) {
		if from != nil && from != to && !set[to] {
			shares[to] = from
		}
	})
	return shares
}

// origin returns the variable at the end of a chain of aliases.
func origin(shares map[*types.Var]*types.Var, v *types.Var) *types.Var {
	for range len(shares) {
		from, ok := shares[v]
		if !ok {
			break
		}
		v = from
	}
	return v
}

// writtenArguments calls through for the arguments and the receiver of a call that the called function writes
// through. An interface's method stands for the implementations in the package.
func (c *checker) writtenArguments(call *ast.CallExpr, through func(ast.Expr)) {
	f, ok := c.callee(call).(*types.Func)
	if !ok {
		return
	}
	all := []*types.Func{f.Origin()}
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		all = c.implementations(f)
	}
	for _, f := range all {
		s := f.Signature()
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && s.Recv() != nil && c.written[s.Recv()] {
			through(sel.X)
		}
		for i, arg := range call.Args {
			if k := min(i, s.Params().Len()-1); k >= 0 && c.written[s.Params().At(k)] {
				through(arg)
			}
		}
	}
}

// byAddress reports whether a selector takes the address of a variable to call a pointer method.
func (c *checker) byAddress(s *ast.SelectorExpr) bool {
	sel := c.TypesInfo.Selections[s]
	if sel == nil || sel.Kind() != types.MethodVal || isPointer(sel.Recv()) {
		return false
	}
	recv := sel.Obj().(*types.Func).Signature().Recv()
	return recv != nil && isPointer(recv.Type())
}

// findCounters marks the package-level variables whose initial value is a closure that writes an outer
// variable.
func (c *checker) findCounters() {
	for _, file := range c.Files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				s := s.(*ast.ValueSpec)
				for i, name := range s.Names {
					if v, ok := c.TypesInfo.Defs[name].(*types.Var); ok && i < len(s.Values) && c.counts(v, s.Values[i]) {
						c.mutable[v] = true
					}
				}
			}
		}
	}
}

// counts reports whether a function variable has state: its value is a closure that writes an outer variable, or the result of a function with such a closure.
func (c *checker) counts(v *types.Var, value ast.Expr) (does bool) {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	look := ast.Node(value)
	if call, ok := ast.Unparen(value).(*ast.CallExpr); ok {
		f, _ := c.callee(call).(*types.Func)
		if f == nil || c.decls[f.Origin()] == nil {
			return false
		}
		look = c.decls[f.Origin()].Body
	}
	ast.Inspect(look, func(n ast.Node) bool {
		if closure, ok := n.(*ast.FuncLit); ok {
			does = does || c.writesOutside(closure)
		}
		return true
	})
	return does
}

// writesOutside reports whether a closure writes an outer variable.
func (c *checker) writesOutside(closure *ast.FuncLit) (does bool) {
	ast.Inspect(closure.Body, func(n ast.Node) bool {
		for _, w := range c.writesOf(n) {
			_, v := c.steps(w.place)
			does = does || v != nil && (v.Pos() < closure.Pos() || v.Pos() >= closure.End())
		}
		return true
	})
	return does
}
