package mutate

import (
	"go/ast"
	"go/types"
	"reflect"

	"contend/checker/mutate/schemata"
	"contend/model"
)

// language is the import path of package model.
var language = reflect.TypeFor[model.Claim]().PkgPath()

// handlers is the scope of a protocol: the exported methods with an Env as first parameter, and the functions
// of the package that they use. Claims, workloads and Build are not mutated: mutants are judged by them.
func handlers(p *schemata.Source) map[*ast.FuncDecl]bool {
	decls, in := map[*types.Func]*ast.FuncDecl{}, map[*ast.FuncDecl]bool{}
	var todo []*ast.FuncDecl
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				fn := p.Info.Defs[f.Name].(*types.Func)
				decls[fn] = f
				if isHandler(fn) {
					in[f], todo = true, append(todo, f)
				}
			}
		}
	}
	for len(todo) > 0 {
		f := todo[0]
		todo = todo[1:]
		for _, next := range usedFunctions(p, f, decls) {
			if !in[next] {
				in[next], todo = true, append(todo, next)
			}
		}
	}
	return in
}

// isHandler reports whether a function is an exported method with an Env as first parameter.
func isHandler(f *types.Func) bool {
	s := f.Signature()
	if s.Recv() == nil || types.IsInterface(s.Recv().Type()) || !f.Exported() || s.Params().Len() == 0 {
		return false
	}
	n, ok := types.Unalias(s.Params().At(0).Type()).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == language && n.Obj().Name() == "Env"
}

// usedFunctions returns the functions of the package that a function names. An interface's method stands for
// all methods of that name.
func usedFunctions(p *schemata.Source, f *ast.FuncDecl, decls map[*types.Func]*ast.FuncDecl) (all []*ast.FuncDecl) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		fn, ok := p.Info.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		fn = fn.Origin()
		if d := decls[fn]; d != nil {
			all = append(all, d)
		}
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			for other, d := range decls {
				if other.Name() == fn.Name() && other.Signature().Recv() != nil {
					all = append(all, d)
				}
			}
		}
		return true
	})
	return all
}

// Protocols returns the names of the package's exported variables of type *model.Protocol.
func Protocols(p *schemata.Source) (names []string) {
	for _, name := range p.Types.Scope().Names() {
		v, ok := p.Types.Scope().Lookup(name).(*types.Var)
		if !ok || !v.Exported() {
			continue
		}
		pointer, ok := types.Unalias(v.Type()).(*types.Pointer)
		if !ok {
			continue
		}
		n, ok := types.Unalias(pointer.Elem()).(*types.Named)
		if ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == language && n.Obj().Name() == "Protocol" {
			names = append(names, name)
		}
	}
	return names
}
