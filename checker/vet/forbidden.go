package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A ban forbids names of packages, or all names, for a reason.
type ban struct {
	does     string
	packages []string
	names    []string // all if empty
}

var bans = []ban{
	{does: "reads a clock", packages: []string{"time"},
		names: []string{"Now", "Since", "Until"}},
	{does: "waits on a clock", packages: []string{"time"},
		names: []string{"Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}},
	{does: "draws a random number", packages: []string{"math/rand", "math/rand/v2", "crypto/rand", "hash/maphash"}},
	{does: "locks or waits", packages: []string{"sync", "sync/atomic"}},
	{does: "reaches outside of the process", packages: []string{"net", "net/http", "net/rpc", "net/smtp", "os", "os/exec",
		"os/signal", "os/user", "syscall"}},
	{does: "depends on the state of the process", packages: []string{"runtime", "runtime/debug"}},
	{does: "ends the process", packages: []string{"log"},
		names: []string{"Fatal", "Fatalf", "Fatalln"}},
}

// forbidden reports the use of clocks, random numbers, other state of the process, and Go's concurrency.
func (c *checker) forbidden(f *function) { c.forbiddenIn(f, f.decl.Body) }

func (c *checker) forbiddenIn(f *function, body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			c.forbiddenName(f, n)
		case *ast.GoStmt:
			c.report(f, n, "starts a goroutine")
		case *ast.SelectStmt:
			c.report(f, n, "selects among channels")
			for _, clause := range n.Body.List { // not the channel operations of the cases
				for _, s := range clause.(*ast.CommClause).Body {
					c.forbiddenIn(f, s)
				}
			}
			return false
		case *ast.SendStmt:
			c.report(f, n, "sends on a channel")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				c.report(f, n, "receives from a channel")
			}
		case *ast.RangeStmt:
			if _, ok := c.TypesInfo.TypeOf(n.X).Underlying().(*types.Chan); ok {
				c.report(f, n, "receives from a channel")
			}
		}
		return true
	})
}

func (c *checker) forbiddenName(f *function, id *ast.Ident) {
	obj := c.TypesInfo.Uses[id]
	if obj == nil || obj.Pkg() == nil {
		return
	}
	switch obj := obj.(type) {
	case *types.Func:
	case *types.Var:
		if obj.IsField() {
			return
		}
	default: // a type or a constant
		return
	}
	for _, b := range bans {
		if slices.Contains(b.packages, obj.Pkg().Path()) && (b.names == nil || slices.Contains(b.names, obj.Name()) && isPlain(obj)) {
			c.report(f, id, "%s: %s.%s", b.does, obj.Pkg().Name(), obj.Name())
		}
	}
}

// isPlain reports whether an object is not a method.
func isPlain(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return !ok || f.Signature().Recv() == nil
}
