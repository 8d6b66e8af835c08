package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
)

// drop omits a statement: a call, assignment, send, defer, break, continue or return. A statement that is a
// whole branch is left to condition. It also omits the elements of an append whose result is not assigned.
func drop(c *collector, n ast.Node) {
	if call, ok := n.(*ast.CallExpr); ok {
		c.dropAppended(call)
		return
	}
	s, ok := n.(ast.Stmt)
	if !ok {
		return
	}
	list, ok := c.listed()
	if !ok || !c.droppable(s) || len(list) == 1 && c.isBranch() {
		return
	}
	if s == list[len(list)-1] && isReturn(s) {
		return
	}
	c.add(s, dropped, edit{operator: "drop"})
}

func isReturn(s ast.Stmt) bool {
	_, ok := s.(*ast.ReturnStmt)
	return ok
}

// isBranch reports whether the present block belongs to an if without else.
func (c *collector) isBranch() bool {
	if len(c.parents) < 2 {
		return false
	}
	stmt, ok := c.parents[len(c.parents)-2].(*ast.IfStmt)
	return ok && stmt.Else == nil
}

// droppable reports whether a statement may be omitted.
func (c *collector) droppable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && !c.dullCall(call)
	case *ast.DeferStmt:
		_, literal := s.Call.Fun.(*ast.FuncLit)
		return !literal && !c.dullCall(s.Call)
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return false
		}
		for _, to := range s.Lhs {
			if id, ok := to.(*ast.Ident); !ok || id.Name != "_" {
				return true
			}
		}
	case *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	}
	return false
}

// dropAppended replaces an append by its slice, unless the whole statement is droppable.
func (c *collector) dropAppended(call *ast.CallExpr) {
	callee, ok := c.callee(call).(*types.Builtin)
	if _, assigned := c.parent().(*ast.AssignStmt); !ok || assigned || callee.Name() != "append" || len(call.Args) < 2 {
		return
	}
	c.replace("drop", call, c.text(call.Args[0]))
}
