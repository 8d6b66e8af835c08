// Package vet finds, in the source of a protocol, what its handlers may not do: a handler is a
// function of its node's state, of what it is given, and of the answers of its Env. The search
// runs handlers twice and compares, so it refuses most impure handlers, too, but only when the
// two runs differ; this package says in the editor which line it is.
//
// A handler is an exported method that takes a model.Env first, such as Start, Invoke, Receive
// and Timeout, or a model.Watch, such as Observe; and the Reached of a monitor. Reported are, in
// handlers and in the functions of their package that they use:
//
//   - clocks, random numbers, goroutines, channels, locks, and what reaches outside of the
//     process, such as package os
//   - package-level variables that are written, by whatever name, or that are read and written elsewhere
//   - loops over maps whose order reaches the Env, a result, or the order of a slice that is not
//     sorted afterwards
//   - writes to the unexported fields of a node, which are its configuration, and to the values
//     that a handler was given
//   - an Env, or a closure over an Env or a message, that is kept after the handler returns
//
// Generated files are not reported on.
//
// [Analyzer] is for gopls, golangci-lint and other drivers of go/analysis; the command
// contend-vet is for go vet.
package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"contend/model"
)

// Analyzer reports what handlers may not do.
var Analyzer = &analysis.Analyzer{
	Name: "contend",
	Doc: "find handlers that are not functions of what they are given\n\n" +
		"The handlers of a protocol read no clock, draw no random number, start no goroutine, and touch\n" +
		"nothing but the exported fields of their node and the Env. The order of maps does not reach the Env.",
	Run: run,
}

// language is the import path of package model.
var language = reflect.TypeFor[model.Claim]().PkgPath()

func run(pass *analysis.Pass) (any, error) {
	c := &checker{Pass: pass, decls: map[*types.Func]*ast.FuncDecl{}}
	c.declarations()
	if c.findNodes(); len(c.nodes) == 0 {
		return nil, nil
	}
	c.findMutable()
	generated := c.generated()
	for _, f := range c.reached() {
		if !generated[c.Fset.File(f.decl.Pos())] {
			c.function(f)
		}
	}
	return nil, nil
}

// checker looks at one package.
type checker struct {
	*analysis.Pass
	decls   map[*types.Func]*ast.FuncDecl
	nodes   map[*types.TypeName]bool // nodes and monitors
	configs map[*types.TypeName]bool // what their unexported fields point to
	mutable map[*types.Var]bool      // package-level variables that are written
	written map[*types.Var]bool      // parameters that their functions write through
}

// generated returns which files of the package are generated.
func (c *checker) generated() map[*token.File]bool {
	are := map[*token.File]bool{}
	for _, file := range c.Files {
		are[c.Fset.File(file.FileStart)] = ast.IsGenerated(file)
	}
	return are
}

func (c *checker) declarations() {
	for _, file := range c.Files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				if is, ok := c.TypesInfo.Defs[f.Name].(*types.Func); ok {
					c.decls[is] = f
				}
			}
		}
	}
}

// function reports on one function that runs in handlers.
func (c *checker) function(f *function) {
	c.forbidden(f)
	c.globals(f)
	c.writes(f)
	c.kept(f)
	c.order(f)
}

// report reports what a function does, and says which handler it is or runs in.
func (c *checker) report(f *function, at ast.Node, format string, args ...any) {
	c.Reportf(at.Pos(), "%s "+format, append([]any{f.who()}, args...)...)
}
