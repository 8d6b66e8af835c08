package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Which package-level variables are not constant is found in two steps. The first one finds the parameters, receivers included, that a
// function of the package writes through: it changes what they refer to, or hands them to a function that does. That is a least fixed point,
// since functions call each other. The second one looks at all functions but init for writes to package-level variables, by their names, by
// local variables that share with them, and by such functions. The cost is that of some passes over the source, as many as calls are deep.

// findMutable finds the package-level variables that some function writes, init aside.
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

// isParameter reports whether a variable is a parameter of a function or its receiver.
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

// changes calls mark for each variable that a function writes, if it is package-level, or writes through.
func (c *checker) changes(decl *ast.FuncDecl, mark func(*types.Var)) {
	shares := c.shared(decl.Body)
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
			c.handed(n, through)
		}
		return true
	})
}

// shared maps local variables that are set once, to a part of another variable, to that variable.
func (c *checker) shared(body *ast.BlockStmt) map[*types.Var]*types.Var {
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

// origin is the variable that a variable shares with in the end.
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

// handed calls through for the arguments of a call, and for its receiver, that a function of the package writes through. A method of an
// interface stands for those of all types of the package that implement it.
func (c *checker) handed(call *ast.CallExpr, through func(ast.Expr)) {
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

// byAddress reports whether a selector calls a method with a pointer to a variable that is
// none.
func (c *checker) byAddress(s *ast.SelectorExpr) bool {
	is := c.TypesInfo.Selections[s]
	if is == nil || is.Kind() != types.MethodVal || isPointer(is.Recv()) {
		return false
	}
	recv := is.Obj().(*types.Func).Signature().Recv()
	return recv != nil && isPointer(recv.Type())
}

// findCounters finds the package-level variables that begin as a closure which writes a variable from outside of it.
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

// counts reports whether a variable is a function, and its value a closure that writes a variable from outside of it, or the result of a
// function of the package that has such a closure.
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

// writesOutside reports whether a closure writes a variable that is declared outside of it.
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
