package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// writes reports writes of a handler to read-only state.
func (c *checker) writes(f *function) {
	given := c.parameters(f)
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		for _, w := range c.writesOf(n) {
			path, root := c.steps(w.place)
			switch field := c.configuration(w, path); {
			case isGlobal(root): // reported by globals
			case field != "":
				c.report(f, w.node, "writes %s: unexported fields are configuration, which no handler may change", field)
			case given[root] && c.refers(w, path):
				c.report(f, w.node, "changes the value that the handler was given")
			}
		}
		return true
	})
}

// configuration returns the first unexported field of a node, or of its pointer fields, on the path to a
// written place; "" if there is none.
func (c *checker) configuration(w write, path []ast.Expr) string {
	for _, e := range path {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		sel := c.TypesInfo.Selections[s]
		if sel == nil || sel.Kind() != types.FieldVal {
			continue
		}
		if t := typeName(sel.Recv()); t != nil && c.configs[t] && !c.nodes[t] && isPointer(sel.Recv()) {
			return t.Name() + "." + s.Sel.Name
		}
		if field := c.unexported(sel); field != "" {
			return field
		}
	}
	return ""
}

// unexported returns the first unexported field of a node in a selection; "" if there is none.
func (c *checker) unexported(sel *types.Selection) string {
	t := sel.Recv()
	for _, i := range sel.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return ""
		}
		field := s.Field(i)
		if n := typeName(t); n != nil && c.nodes[n] && !field.Exported() {
			return n.Name() + "." + field.Name()
		}
		t = field.Type()
	}
	return ""
}

// givers lists the handlers with a value parameter: a message, a call, a key or an observation.
var givers = []string{"Invoke", "Receive", "Timeout", "Observe", "Expire"}

// parameters returns the value parameters of a handler, and the local variables that alias parts of them. It
// returns none for other functions: their arguments may be local.
func (c *checker) parameters(f *function) map[*types.Var]bool {
	given := map[*types.Var]bool{}
	if f.object != f.handler || !slices.Contains(givers, f.object.Name()) {
		return given
	}
	for v := range f.object.Signature().Params().Variables() {
		if !isEnv(v.Type()) {
			given[v] = true
		}
	}
	set := map[*types.Var]int{}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		for _, w := range c.writesOf(n) {
			if v, ok := c.objectOf(w.place).(*types.Var); ok && !w.through {
				set[v]++
			}
		}
		return true
	})
	c.share(f.decl.Body, func(to *types.Var, from *types.Var) {
		if given[from] && set[to] == 0 {
			given[to] = true
		}
	})
	return given
}

func (c *checker) objectOf(e ast.Expr) types.Object {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return c.TypesInfo.ObjectOf(id)
	}
	return nil
}

// share calls f for each variable that is defined as a part of another.
func (c *checker) share(body ast.Node, f func(to, from *types.Var)) {
	define := func(to types.Object, from ast.Expr) {
		if v, ok := to.(*types.Var); ok {
			_, root := c.steps(from)
			f(v, root)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for i, to := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) || i == 0 { // of two results, the second is a boolean
						define(c.objectOf(to), n.Rhs[i])
					}
				}
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE && n.Value != nil {
				define(c.objectOf(n.Value), n.X)
			}
		case *ast.TypeSwitchStmt:
			if assign, ok := n.Assign.(*ast.AssignStmt); ok {
				for _, clause := range n.Body.List {
					define(c.TypesInfo.Implicits[clause], assign.Rhs[0])
				}
			}
		}
		return true
	})
}
