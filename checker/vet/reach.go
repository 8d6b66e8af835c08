package vet

import (
	"go/ast"
	"go/types"
	"slices"
)

// A function is a handler, or a function that a handler uses.
type function struct {
	decl    *ast.FuncDecl
	object  *types.Func
	handler *types.Func // the function itself, or the handler that uses it
}

// description returns the function's description for a message.
func (f *function) description() string {
	if f.object == f.handler {
		return nameOf(f.handler)
	}
	return nameOf(f.object) + ", which runs in " + nameOf(f.handler) + ","
}

func nameOf(f *types.Func) string {
	if recv := f.Signature().Recv(); recv != nil {
		if t := typeName(recv.Type()); t != nil {
			return f.Name() + " of " + t.Name()
		}
	}
	return f.Name()
}

// typeName returns the name of a type, or of its element if it is a pointer; nil if there is none.
func typeName(t types.Type) *types.TypeName {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// isEnv reports whether a type is model.Env or model.Watch.
func isEnv(t types.Type) bool { return isOf(t, "Env") || isOf(t, "Watch") }

func isOf(t types.Type, name string) bool {
	n := typeName(t)
	return n != nil && n.Pkg() != nil && n.Pkg().Path() == language && n.Name() == name
}

// isHandler reports whether a function is a handler of a node or a monitor: an exported method with an Env or
// a Watch as first parameter, or a monitor's Reached.
func isHandler(f *types.Func) bool {
	s := f.Signature()
	switch {
	case s.Recv() == nil || typeName(s.Recv().Type()) == nil || types.IsInterface(s.Recv().Type()) || !f.Exported():
		return false
	case f.Name() == "Reached":
		return s.Params().Len() == 0 && isMonitor(s.Recv().Type())
	}
	return s.Params().Len() > 0 && isEnv(s.Params().At(0).Type())
}

func isMonitor(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Observe")
	f, ok := obj.(*types.Func)
	return ok && isHandler(f)
}

// findNodes finds the types with handlers, and the element types of their unexported pointer fields.
func (c *checker) findNodes() {
	c.nodes, c.configs = map[*types.TypeName]bool{}, map[*types.TypeName]bool{}
	for f := range c.decls {
		if isHandler(f) {
			c.nodes[typeName(f.Signature().Recv().Type())] = true
		}
	}
	for n := range c.nodes {
		s, ok := n.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for field := range s.Fields() {
			_, points := types.Unalias(field.Type()).(*types.Pointer)
			if typ := typeName(field.Type()); points && typ != nil && !field.Exported() {
				c.configs[typ] = true
			}
		}
	}
}

// reachable returns the handlers and the functions of the package that they use, in source order.
func (c *checker) reachable() []*function {
	var all []*function
	for f, decl := range c.decls {
		if isHandler(f) {
			all = append(all, &function{decl, f, f})
		}
	}
	sortByPlace(all)
	seen := map[*types.Func]bool{}
	for _, f := range all {
		seen[f.object] = true
	}
	for i := 0; i < len(all); i++ {
		for _, next := range c.uses(all[i].decl.Body) {
			if !seen[next] {
				seen[next] = true
				all = append(all, &function{c.decls[next], next, all[i].handler})
			}
		}
	}
	sortByPlace(all)
	return all
}

func sortByPlace(all []*function) {
	slices.SortFunc(all, func(a, b *function) int { return int(a.decl.Pos() - b.decl.Pos()) })
}

// uses returns the functions of the package that a body names. An interface's method stands for its
// implementations in the package.
func (c *checker) uses(body ast.Node) (all []*types.Func) {
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		f, ok := c.TypesInfo.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		f = f.Origin()
		if c.decls[f] != nil {
			all = append(all, f)
		}
		if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) && !isEnv(recv.Type()) {
			all = append(all, c.implementations(f)...)
		}
		return true
	})
	return all
}

func (c *checker) implementations(method *types.Func) (all []*types.Func) {
	iface, ok := method.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for f := range c.decls {
		recv := f.Signature().Recv()
		if recv == nil || f.Name() != method.Name() {
			continue
		}
		if n := typeName(recv.Type()); n != nil && types.Implements(types.NewPointer(n.Type()), iface) {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b *types.Func) int { return int(a.Pos() - b.Pos()) })
	return all
}
