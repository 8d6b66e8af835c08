package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// findMutable finds the package-level variables that some function writes, init aside.
func (c *checker) findMutable() {
	c.mutable = map[*types.Var]bool{}
	mark := func(e ast.Expr) {
		if _, v := c.steps(e); isGlobal(v) {
			c.mutable[v] = true
		}
	}
	for f, decl := range c.decls {
		if f.Name() == "init" {
			continue
		}
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			for _, w := range c.writesOf(n) {
				mark(w.place)
			}
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
				mark(u.X)
			}
			if s, ok := n.(*ast.SelectorExpr); ok && c.byAddress(s) {
				mark(s.X)
			}
			return true
		})
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

// globals reports package-level variables that a handler writes, or reads though they are written
// somewhere.
func (c *checker) globals(f *function) {
	written := map[*types.Var]bool{}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		for _, w := range c.writesOf(n) {
			if _, v := c.steps(w.place); isGlobal(v) {
				written[v] = true
				c.report(f, w.at, "writes the package-level variable %s", v.Name())
			}
		}
		return true
	})
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := c.TypesInfo.Uses[id].(*types.Var); ok && c.mutable[v] && !written[v] {
				c.report(f, id, "reads the package-level variable %s, which is not constant", v.Name())
			}
		}
		return true
	})
}
