package schemata

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// dullFunction reports whether a function only makes text, or is init or main.
func dullFunction(f *ast.FuncDecl) bool {
	if f.Recv != nil && slices.Contains([]string{"String", "GoString", "Error", "Format"}, f.Name.Name) {
		return true
	}
	return f.Name.Name == "init" || f.Name.Name == "main" && f.Recv == nil
}

// dull reports whether a node gets no edits: texts of errors, panics and logs, types, constant declarations,
// and recover.
func (c *collector) dull(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok.String() != "var"
	case *ast.ArrayType, *ast.StructType, *ast.InterfaceType, *ast.FuncType, *ast.MapType, *ast.ChanType, *ast.LabeledStmt:
		_, labelled := n.(*ast.LabeledStmt)
		return !labelled
	case *ast.CallExpr:
		return c.dullCall(n)
	case *ast.TypeSwitchStmt:
		return false
	}
	return false
}

// dullCall reports whether a call makes text, ends the program, or allocates memory in advance.
func (c *collector) dullCall(call *ast.CallExpr) bool {
	switch callee := c.callee(call).(type) {
	case *types.Builtin:
		return slices.Contains([]string{"panic", "recover", "print", "println", "make", "new", "cap"}, callee.Name())
	case *types.TypeName:
		return c.isConstant(call)
	case *types.Func:
		if callee.Pkg() == nil {
			return callee.Name() == "Error"
		}
		switch path := callee.Pkg().Path(); path {
		case "log", "log/slog", "errors", "runtime", "testing":
			return true
		case "fmt":
			return true
		case "sync", "sync/atomic":
			return strings.HasSuffix(callee.Name(), "ock")
		}
		return callee.Name() == "String" && callee.Signature().Params().Len() == 0 || formats(callee.Signature())
	}
	return false
}

// recovers reports whether an expression calls recover directly. It cannot be moved into a function literal:
// there recover returns nil.
func (c *collector) recovers(x ast.Expr) (does bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			callee, builtin := c.callee(call).(*types.Builtin)
			does = does || builtin && callee.Name() == "recover"
		}
		_, within := n.(*ast.FuncLit)
		return !within
	})
	return does
}

// formats reports whether a function takes a format and arguments, as those of package fmt do.
func formats(s *types.Signature) bool {
	n := s.Params().Len()
	if !s.Variadic() || n < 2 {
		return false
	}
	rest := s.Params().At(n - 1).Type().(*types.Slice).Elem()
	empty, ok := rest.Underlying().(*types.Interface)
	text, isText := s.Params().At(n - 2).Type().(*types.Basic)
	return ok && empty.Empty() && isText && text.Kind() == types.String
}

// callee returns the named function, builtin or type that is called; nil for others.
func (c *collector) callee(call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) { // an instance of a generic function
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return c.source.Info.Uses[fun]
	case *ast.SelectorExpr:
		return c.source.Info.Uses[fun.Sel]
	}
	return nil
}

// onlyPanics reports whether a block only panics.
func (c *collector) onlyPanics(b *ast.BlockStmt) bool {
	if len(b.List) != 1 {
		return false
	}
	s, ok := b.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	callee, ok := c.callee(call).(*types.Builtin)
	return ok && callee.Name() == "panic"
}
