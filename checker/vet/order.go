package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// order reports loops over maps whose order is visible outside of the loop.
func (c *checker) order(f *function) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if c.unordered(n.X) {
				c.loop(f, n)
			}
		case *ast.CallExpr:
			c.reportCollected(f, n)
		}
		return true
	})
}

// unordered reports whether an expression is a map, or an iterator over one.
func (c *checker) unordered(e ast.Expr) bool {
	if _, ok := c.TypesInfo.TypeOf(e).Underlying().(*types.Map); ok {
		return true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && c.isCall(call, "maps", "Keys", "Values", "All")
}

func (c *checker) isCall(call *ast.CallExpr, pkg string, names ...string) bool {
	f, ok := c.callee(call).(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == pkg && slices.Contains(names, f.Name())
}

// A loop is a loop over a map.
type loop struct {
	*checker
	f    *function
	stmt *ast.RangeStmt
}

func (c *checker) loop(f *function, stmt *ast.RangeStmt) {
	l := loop{c, f, stmt}
	for _, to := range []ast.Expr{stmt.Key, stmt.Value} {
		if to != nil && stmt.Tok == token.ASSIGN {
			c.report(f, to, "keeps what a loop over a map meets first or last: the order is not fixed")
		}
	}
	var stack []ast.Node
	ast.Inspect(stmt.Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.CallExpr:
			l.call(n)
		case *ast.ReturnStmt:
			if slices.ContainsFunc(n.Results, l.mentions) {
				c.report(f, n, "returns what a loop over a map meets first: the order is not fixed")
			}
		case *ast.AssignStmt:
			l.assign(n, stack)
		}
		return true
	})
}

// call reports a loop that uses the Env.
func (l loop) call(call *ast.CallExpr) {
	talks := slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return isEnv(l.TypesInfo.TypeOf(a)) })
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if t := l.TypesInfo.TypeOf(s.X); t != nil && isEnv(t) && s.Sel.Name != "Self" && s.Sel.Name != "Witness" {
			talks = true
		}
	}
	if talks {
		l.report(l.f, call, "uses its Env in a loop over a map: the order of the loop is not fixed")
	}
}

// assign reports assignments to outer variables that depend on the loop's order.
func (l loop) assign(a *ast.AssignStmt, stack []ast.Node) {
	for i, to := range a.Lhs {
		_, root := l.steps(to)
		if root == nil || l.inside(root) || len(a.Rhs) != len(a.Lhs) {
			continue
		}
		switch from := a.Rhs[i]; {
		case l.appends(from):
			if !l.entryOf(to, l.isKey) && !l.sorted(to) {
				l.report(l.f, a, "appends in the order of a loop over a map, which is not fixed: sort afterwards")
			}
		case a.Tok == token.ADD_ASSIGN && l.orderSensitive(to) && !l.entryOf(to, l.isKey):
			l.report(l.f, a, "adds up in the order of a loop over a map, which is not fixed")
		case a.Tok == token.ASSIGN && !l.entryOf(to, l.mentions) && l.mentions(from) && ends(stack) && !l.folds(to, from):
			l.report(l.f, a, "keeps what a loop over a map meets first or last: the order is not fixed")
		}
	}
}

// folds reports whether an assignment is independent of the loop's order: a maximum, minimum, disjunction or conjunction, as in x = max(x, y) or x = x || y.
func (l loop) folds(to, from ast.Expr) bool {
	isTo := func(e ast.Expr) bool { return types.ExprString(ast.Unparen(e)) == types.ExprString(to) }
	switch from := ast.Unparen(from).(type) {
	case *ast.CallExpr:
		b, ok := l.callee(from).(*types.Builtin)
		return ok && (b.Name() == "max" || b.Name() == "min") && slices.ContainsFunc(from.Args, isTo)
	case *ast.BinaryExpr:
		return (from.Op == token.LOR || from.Op == token.LAND) && isTo(from.X)
	}
	return false
}

// ends reports whether every iteration executes the statement at the end of a path, or the loop ends right
// after it.
func ends(path []ast.Node) bool {
	if len(path) == 2 {
		return true
	}
	block, ok := path[len(path)-2].(*ast.BlockStmt)
	if !ok {
		return false
	}
	last, ok := block.List[len(block.List)-1].(*ast.BranchStmt)
	return ok && last.Tok == token.BREAK
}

// inside reports whether a variable is declared in the loop.
func (l loop) inside(v *types.Var) bool { return v.Pos() >= l.stmt.Pos() && v.Pos() < l.stmt.End() }

// mentions reports whether an expression depends on the loop's variables.
func (l loop) mentions(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := l.TypesInfo.ObjectOf(id).(*types.Var); ok && !v.IsField() && l.inside(v) {
				found = true
			}
		}
		return !found
	})
	return found
}

// isKey reports whether an expression is the loop's key. Each key occurs once.
func (l loop) isKey(e ast.Expr) bool {
	return l.stmt.Key != nil && l.objectOf(e) != nil && l.objectOf(e) == l.objectOf(l.stmt.Key)
}

// entryOf reports whether a place is an entry whose index satisfies a predicate.
func (l loop) entryOf(to ast.Expr, such func(ast.Expr) bool) bool {
	path, _ := l.steps(to)
	return slices.ContainsFunc(path, func(e ast.Expr) bool {
		index, ok := e.(*ast.IndexExpr)
		return ok && such(index.Index)
	})
}

func (l loop) appends(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	b, ok := l.callee(call).(*types.Builtin)
	return ok && b.Name() == "append"
}

// orderSensitive reports whether sums of the type depend on the order: sums of strings and floating-point
// numbers.
func (l loop) orderSensitive(e ast.Expr) bool {
	b, ok := l.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsString|types.IsFloat|types.IsComplex) != 0
}

// sorted reports whether the function sorts a place after the loop.
func (l loop) sorted(to ast.Expr) bool { return l.sortedAfter(l.f, to, l.stmt.End()) }

// sortedAfter reports whether a function sorts a place after a position of the source.
func (c *checker) sortedAfter(f *function, to ast.Expr, after token.Pos) bool {
	found := false
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && call.Pos() >= after && len(call.Args) > 0 && c.sorts(call) && types.ExprString(call.Args[0]) == types.ExprString(to) {
			found = true
		}
		return !found
	})
	return found
}

func (c *checker) sorts(call *ast.CallExpr) bool {
	return c.isCall(call, "slices", "Sort", "SortFunc", "SortStableFunc", "Sorted", "SortedFunc") ||
		c.isCall(call, "sort", "Sort", "Stable", "Slice", "SliceStable", "Ints", "Strings", "Float64s")
}

// reportCollected reports unsorted slices that are collected from a map's iterator.
func (c *checker) reportCollected(f *function, call *ast.CallExpr) {
	from := 0
	switch {
	case c.isCall(call, "slices", "Collect"):
	case c.isCall(call, "slices", "AppendSeq"):
		from = 1
	default:
		return
	}
	if len(call.Args) <= from || !c.unordered(call.Args[from]) || c.sortedLater(f, call) {
		return
	}
	c.report(f, call, "collects a map in an order that is not fixed: use slices.Sorted")
}

// sortedLater reports whether a call's result is assigned to a place that is sorted later.
func (c *checker) sortedLater(f *function, call *ast.CallExpr) bool {
	found := false
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			if i := slices.Index(a.Rhs, ast.Expr(call)); i >= 0 {
				found = c.sortedAfter(f, a.Lhs[i], a.End())
			}
		}
		return !found
	})
	return found
}
