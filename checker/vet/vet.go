// Package vet is an analyzer of a protocol's handlers. A handler must be a function of its node's state, its
// arguments, and the answers of its Env. The search refuses most other handlers too, as it calls handlers
// twice and compares. But it does so only if both calls differ. This package finds the line in the editor.
//
// A handler is an exported method with a model.Env as first parameter, such as Start, Invoke, Receive and
// Timeout, or with a model.Watch, such as Observe; or a monitor's Reached. The analyzer reports, in handlers
// and in the functions of their package that they use:
//
//   - clocks, random numbers, goroutines, channels, locks, and access to the outside of the process
//   - package-level variables that are written, or read and written elsewhere
//   - loops over maps whose order reaches the Env, a result, or a slice that is not sorted afterwards
//   - writes to the unexported fields of a node (its configuration), and to the handler's arguments
//   - an Env, or a closure over an Env or a message, that is stored beyond the handler's return
//
// Generated files are not reported on.
//
// [Analyzer] is for gopls, golangci-lint and other drivers of go/analysis. The command contend-vet is for go vet.
package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"contend/model"
)

// Analyzer reports what handlers must not do.
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
	for _, f := range c.reachable() {
		if !generated[c.Fset.File(f.decl.Pos())] {
			c.function(f)
		}
	}
	return nil, nil
}

// A checker analyzes one package.
type checker struct {
	*analysis.Pass
	decls   map[*types.Func]*ast.FuncDecl
	nodes   map[*types.TypeName]bool // nodes and monitors
	configs map[*types.TypeName]bool // element types of their unexported pointer fields
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
				if fn, ok := c.TypesInfo.Defs[f.Name].(*types.Func); ok {
					c.decls[fn] = f
				}
			}
		}
	}
}

// function reports on one function.
func (c *checker) function(f *function) {
	c.forbidden(f)
	c.globals(f)
	c.writes(f)
	c.escapes(f)
	c.order(f)
}

// report reports a violation, with the function and its handler.
func (c *checker) report(f *function, at ast.Node, format string, args ...any) {
	c.Reportf(at.Pos(), "%s "+format, append([]any{f.description()}, args...)...)
}
