package schemata

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A form is the way in which an edit is inserted.
type form int

const (
	replaced form = iota // an expression is replaced
	dropped              // a statement is dropped
	before               // a statement is inserted before this one
	last                 // a statement is inserted at the end of this block
)

// An edit is one alternative of a site.
type edit struct {
	operator    string
	text        string // replacement or inserted statement; "" for a dropped one
	description string // description; "" if it follows from the text
}

// A site is a node with its edits.
type site struct {
	node  ast.Node
	form  form
	typ   string // type of the expression
	fn    string
	decl  *ast.FuncDecl
	edits []edit
	first int // number of the first edit
}

// ranks orders the operators by the significance of survivors; 0 is the most significant.
var ranks = map[string]int{
	"drop": 0, "clause": 1, "condition": 1, "logic": 2, "result": 3, "compare": 4, "exchange": 4, "loop": 5, "arithmetic": 5, "constant": 6,
}

// An operator adds the edits of one node. The collector has the node's parents.
type operator func(c *collector, n ast.Node)

var operators = []operator{compare, logic, condition, arithmetic, constants, drop, loop, clause, result, exchange}

// A collector collects the sites of a package.
type collector struct {
	source  *Source
	file    *ast.File
	decl    *ast.FuncDecl
	parents []ast.Node // of the present node, the nearest last
	sites   []*site
}

// function collects the sites of one function.
func (c *collector) function(f *ast.FuncDecl) {
	c.decl = f
	for _, file := range c.source.Files {
		if file.FileStart <= f.Pos() && f.End() <= file.FileEnd {
			c.file = file
		}
	}
	c.parents = []ast.Node{f}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if n == nil {
			c.parents = c.parents[:len(c.parents)-1]
			return true
		}
		if c.dull(n) {
			return false
		}
		for _, op := range operators {
			op(c, n)
		}
		c.parents = append(c.parents, n)
		return true
	})
}

// parent returns the parent of the present node.
func (c *collector) parent() ast.Node { return c.parents[len(c.parents)-1] }

// add adds an edit to the site of its node. It drops edits that would change the numbers of lines.
func (c *collector) add(n ast.Node, f form, e edit) {
	if strings.Contains(e.text, "\n") {
		return // it would move the lines behind it
	}
	typ := ""
	if x, ok := n.(ast.Expr); ok && f == replaced {
		var named bool
		if typ, named = c.result(x); !named || c.recovers(x) {
			return
		}
	}
	i := slices.IndexFunc(c.sites, func(s *site) bool { return s.node == n && s.form == f })
	if i < 0 {
		i = len(c.sites)
		c.sites = append(c.sites, &site{node: n, form: f, typ: typ, fn: nameOf(c.decl), decl: c.decl})
	}
	same := func(x edit) bool { return x.text == e.text && x.description == e.description }
	if !slices.ContainsFunc(c.sites[i].edits, same) {
		c.sites[i].edits = append(c.sites[i].edits, e)
	}
}

// result returns the type of an expression in the form of a function's result; "" for a call without a
// result. It returns false if the type has no name in the file.
func (c *collector) result(x ast.Expr) (text string, named bool) {
	t := c.source.Info.TypeOf(x)
	list, many := t.(*types.Tuple)
	if !many && t != nil {
		t = types.Default(t)
		text = c.source.typeName(t, c.file)
		return text, text != "" && text != "untyped nil"
	}
	var parts []string
	for v := range list.Variables() {
		part := c.source.typeName(v.Type(), c.file)
		if part == "" {
			return "", false
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		text = "(" + strings.Join(parts, ", ") + ")"
	}
	return text, true
}

// replace adds an alternative to an expression.
func (c *collector) replace(operator string, x ast.Expr, text string) {
	c.add(x, replaced, edit{operator: operator, text: text})
}

// text returns the source text of a node.
func (c *collector) text(n ast.Node) string { return c.source.text(n) }

// isBool reports whether an expression has a boolean type.
func (c *collector) isBool(x ast.Expr) bool {
	b, ok := c.underlying(x).(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// isInteger reports whether an expression has an integer type.
func (c *collector) isInteger(x ast.Expr) bool {
	b, ok := c.underlying(x).(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// isNumber reports whether an expression has a numeric type.
func (c *collector) isNumber(x ast.Expr) bool {
	b, ok := c.underlying(x).(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func (c *collector) underlying(x ast.Expr) types.Type {
	if t := c.source.Info.TypeOf(x); t != nil {
		return t.Underlying()
	}
	return nil
}

// isConstant reports whether an expression is constant.
func (c *collector) isConstant(x ast.Expr) bool { return c.source.Info.Types[x].Value != nil }

// inConstant reports whether the present node is a part of a constant expression.
func (c *collector) inConstant() bool {
	x, ok := c.parent().(ast.Expr)
	return ok && c.isConstant(x)
}

// listed returns the list of statements that contains the present statement; false if there is none.
func (c *collector) listed() ([]ast.Stmt, bool) {
	switch p := c.parent().(type) {
	case *ast.BlockStmt:
		return p.List, true
	case *ast.CaseClause:
		return p.Body, true
	case *ast.CommClause:
		return p.Body, true
	}
	return nil, false
}
