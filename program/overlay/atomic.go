package overlay

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// raw begins the names of the twins, without points, of what package sync/atomic exports.
const raw = "Contend"

// inRuntime are the functions that package runtime implements; assembly does the others.
var inRuntime = map[string]bool{"StorePointer": true, "SwapPointer": true, "CompareAndSwapPointer": true}

//go:embed hooks/atomic.go.txt
var atomicHook string

// atomics edits package sync/atomic: its functions have a point, and so have its types, which call them. What package sync does within
// its own operations uses twins that have none. The names of the operations themselves begin with bare. Where that is not raw, the twins
// tell the race detector.
func atomics(o *release, bare string) {
	var twins strings.Builder
	twins.WriteString(atomicHook)
	assembly := o.open("sync/atomic/asm.s")
	functions := map[string]bool{}
	for _, name := range []string{"sync/atomic/doc.go", "sync/atomic/doc_64.go"} {
		s := o.open(name)
		s.importUnsafe()
		for _, f := range s.bodiless() {
			functions[f.Name.Name] = true
			fmt.Fprintf(&twins, "\n%s\nfunc %s%s%s\n", pointed(s, f), bare, f.Name.Name, strings.TrimPrefix(s.code(f.Type), "func"))
			if bare != raw {
				twins.WriteString(watched(s, f, bare))
			}
			if !inRuntime[f.Name.Name] {
				assembly.line("TEXT ·"+f.Name.Name+"(SB)", "TEXT ·"+bare+f.Name.Name+"(SB)")
			}
		}
	}
	if len(functions) == 0 {
		o.open("sync/atomic/doc.go").fail("has no functions without a body")
	}
	types, values := o.open("sync/atomic/type.go"), o.open("sync/atomic/value.go")
	exported := map[string]bool{}
	for _, s := range []*source{types, values} {
		for _, name := range s.exportedTypes() {
			exported[name] = true
		}
	}
	for _, s := range []*source{types, values} {
		twins.WriteString(s.twin(exported, functions))
	}
	const value = "uintptr(unsafe.Pointer(v))"
	values.rename(functions)
	values.enter("func (v *Value) Load() (val any)", fmt.Sprintf("contendPoint(%d, %s)", AtomicLoad, value))
	values.enter("func (v *Value) Store(val any)", fmt.Sprintf("contendPoint(%d, %s)", AtomicStore, value))
	values.enter("func (v *Value) Swap(new any) (old any)", fmt.Sprintf("contendPoint(%d, %s)", AtomicSwap, value))
	values.enter("func (v *Value) CompareAndSwap(old, new any) (swapped bool)", fmt.Sprintf("contendPoint(%d, %s)", AtomicCompareAndSwap, value))
	if bare != raw {
		twins.WriteString(watchHook)
	}
	o.add(o.named("sync/atomic/contend"), strings.Replace(twins.String(), `import _ "unsafe"`, `import "unsafe"`, 1))
}

// pointed gives a function a body that has a point and calls its twin. It returns the directive that the twin needs, if any.
func pointed(s *source, f *ast.FuncDecl) (directive string) {
	for _, c := range f.Doc.List {
		if c.Text == "//go:noescape" {
			directive = c.Text
			s.replace(c.Pos(), c.End(), "//")
		}
	}
	args := arguments(f)
	kind := kindOf(f.Name.Name)
	if kind == 0 || len(args) == 0 || args[0] != "addr" {
		s.fail("has an unknown function %s", f.Name.Name)
		return directive
	}
	back := ""
	if f.Type.Results != nil {
		back = "return "
	}
	s.replace(f.End(), f.End(), fmt.Sprintf(" { contendPoint(%d, uintptr(unsafe.Pointer(addr))); %s%s%s(%s) }", kind, back, raw, f.Name.Name, strings.Join(args, ", ")))
	return directive
}

// arguments are the names of a function's parameters.
func arguments(f *ast.FuncDecl) (args []string) {
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			args = append(args, name.Name)
		}
	}
	return args
}

// kindOf is the kind of a function of package sync/atomic, 0 if there is none.
func kindOf(name string) Kind {
	for _, k := range []struct {
		prefix string
		kind   Kind
	}{{"CompareAndSwap", AtomicCompareAndSwap}, {"Swap", AtomicSwap}, {"Add", AtomicAdd}, {"And", AtomicAnd}, {"Or", AtomicOr}, {"Load", AtomicLoad}, {"Store", AtomicStore}} {
		if strings.HasPrefix(name, k.prefix) {
			return k.kind
		}
	}
	return 0
}

// bodiless lists the exported functions that are declared only.
func (s *source) bodiless() (all []*ast.FuncDecl) {
	if s.file == nil {
		return nil
	}
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil && f.Recv == nil && f.Name.IsExported() && f.Doc != nil {
			all = append(all, f)
		}
	}
	return all
}

func (s *source) exportedTypes() (names []string) {
	if s.file == nil {
		return nil
	}
	for _, d := range s.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, spec := range g.Specs {
				if name := spec.(*ast.TypeSpec).Name; name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// uses calls f with each identifier below a node that is not the name of a field, a method or something of another package.
func uses(n ast.Node, f func(*ast.Ident)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			uses(n.X, f)
			return false
		case *ast.FuncDecl:
			if n.Recv != nil {
				uses(n.Recv, f)
			}
			uses(n.Type, f)
			if n.Body != nil {
				uses(n.Body, f)
			}
			return false
		case *ast.Ident:
			f(n)
		}
		return true
	})
}

// rename has a file use the twins of functions.
func (s *source) rename(functions map[string]bool) {
	if s.file == nil {
		return
	}
	uses(s.file, func(id *ast.Ident) {
		if functions[id.Name] {
			s.replace(id.Pos(), id.Pos(), raw)
		}
	})
}

// receiver is the name of the type that a method is of.
func receiver(f *ast.FuncDecl) (name string) {
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}

// twin is the source of the twins of the exported types of a file, with their methods.
func (s *source) twin(types, functions map[string]bool) string {
	if s.file == nil {
		return ""
	}
	t := &source{name: s.name, text: s.text, fset: s.fset, file: s.file}
	uses(s.file, func(id *ast.Ident) {
		if types[id.Name] || functions[id.Name] {
			t.replace(id.Pos(), id.Pos(), raw)
		}
	})
	var out strings.Builder
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || !ast.IsExported(receiver(d)) {
				continue
			}
		case *ast.GenDecl:
			if d.Tok != token.TYPE || !d.Specs[0].(*ast.TypeSpec).Name.IsExported() {
				continue
			}
		}
		out.WriteString("\n" + t.part(d) + "\n")
	}
	return out.String()
}
