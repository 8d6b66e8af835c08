package vet

import (
	"go/ast"
	"go/types"
)

// globals reports package-level variables that a handler writes, or that it reads and other code writes.
func (c *checker) globals(f *function) {
	written := map[*types.Var]bool{}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		for _, w := range c.writesOf(n) {
			if _, v := c.steps(w.place); isGlobal(v) {
				written[v] = true
				c.report(f, w.node, "writes the package-level variable %s", v.Name())
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
