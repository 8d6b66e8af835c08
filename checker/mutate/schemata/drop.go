package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
)

// drop leaves out a statement: a call, an assignment, a send, what is deferred, a leap out of a loop
// or a function. One that is all of a branch is left to condition. In place of a sum that is
// appended to and returned the slice alone is returned.
func drop(c *collector, n ast.Node) {
	if call, ok := n.(*ast.CallExpr); ok {
		c.unappended(call)
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

// isBranch reports whether the block that is looked at is that of an "if" without "else".
func (c *collector) isBranch() bool {
	if len(c.parents) < 2 {
		return false
	}
	is, ok := c.parents[len(c.parents)-2].(*ast.IfStmt)
	return ok && is.Else == nil
}

// droppable reports whether a statement may be left out.
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

// unappended leaves out what is appended, where the statement is not left out as a whole.
func (c *collector) unappended(call *ast.CallExpr) {
	is, ok := c.callee(call).(*types.Builtin)
	if _, assigned := c.parent().(*ast.AssignStmt); !ok || assigned || is.Name() != "append" || len(call.Args) < 2 {
		return
	}
	c.replace("drop", call, c.text(call.Args[0]))
}
