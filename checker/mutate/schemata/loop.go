package schemata

import "go/ast"

// loop makes of a loop what is done at most once, or never.
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
	c.add(body, last, edit{operator: "loop", text: "break", told: "leave after one passage: " + header})
	if _, ok := c.listed(); ok {
		c.add(n, dropped, edit{operator: "loop", told: "drop the loop " + header})
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
