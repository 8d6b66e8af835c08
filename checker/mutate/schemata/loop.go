package schemata

import "go/ast"

// loop ends a loop after its first iteration, or drops it.
func loop(c *collector, n ast.Node) {
	var body *ast.BlockStmt
	switch s := n.(type) {
	case *ast.ForStmt:
		if s.Cond == nil {
			return
		}
		body = s.Body
	case *ast.RangeStmt:
		body = s.Body
	default:
		return
	}
	if len(body.List) == 0 {
		return
	}
	header := flat(firstLine(c.text(n)))
	c.add(body, last, edit{operator: "loop", text: "break", description: "leave after one passage: " + header})
	if _, ok := c.listed(); ok {
		c.add(n, dropped, edit{operator: "loop", description: "drop the loop " + header})
	}
}

func firstLine(text string) string {
	for i, r := range text {
		if r == '\n' {
			return text[:i]
		}
	}
	return text
}
