package schemata

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// An insertion is a text inserted into a file.
type insertion struct {
	offset int // offset
	ends   bool
	other  int // offset of the node's other end
	order  int // index of the site, among those of one node
	text   string
	site   *site
}

// A written is the copy of a file, with the spans of its sites.
type written struct {
	text  []byte
	spans []span
}

// A span is the range of a site in a copy.
type span struct {
	from, to int
	site     *site
}

// write returns the instrumented copy of a file.
func (c *collector) write(f *ast.File) written {
	var all []insertion
	for order, s := range c.sites {
		if f.FileStart <= s.node.Pos() && s.node.End() <= f.FileEnd {
			all = append(all, c.insertions(s, order)...)
		}
	}
	slices.SortFunc(all, ordered)
	text := c.source.texts[c.source.pathOf(f)]
	var out strings.Builder
	from, began, spans := 0, map[*site]int{}, []span(nil)
	for _, in := range all {
		out.Write(text[from:in.offset])
		from = in.offset
		if _, known := began[in.site]; !known {
			began[in.site] = out.Len()
		}
		out.WriteString(in.text)
		if in.ends || in.site.form == before {
			spans = append(spans, span{began[in.site], out.Len(), in.site})
		}
	}
	out.Write(text[from:])
	return written{[]byte(out.String()), spans}
}

// ordered compares insertions. At one offset, ends come before beginnings, inner ends before outer ends, and
// outer beginnings before inner ones.
func ordered(a, b insertion) int {
	switch {
	case a.offset != b.offset:
		return a.offset - b.offset
	case a.ends && !b.ends:
		return -1
	case !a.ends && b.ends:
		return 1
	case a.other != b.other:
		return b.other - a.other
	case a.ends:
		return b.order - a.order
	}
	return a.order - b.order
}

// insertions returns the insertions of a site.
func (c *collector) insertions(s *site, order int) []insertion {
	from, to := c.source.offset(s.node.Pos()), c.source.offset(s.node.End())
	open, end := "", ""
	selected := fmt.Sprintf("contendMutant(%d, %d)", s.first, s.first+len(s.edits)-1)
	switch s.form {
	case replaced:
		give, rest := "return ", "}; return "
		if s.typ == "" {
			give, rest = "", "default: "
			end = " }"
		}
		open = "func() " + s.typ + " { switch " + selected + " { "
		for i, e := range s.edits {
			open += fmt.Sprintf("case %d: %s%s; ", s.first+i, give, e.text)
		}
		open, end = open+rest, end+" }()"
	case dropped:
		open, end = "if "+selected+" == 0 { ", " }"
	case before:
		for i, e := range s.edits {
			open += fmt.Sprintf("if contendMutant(%d, %d) != 0 { %s }; ", s.first+i, s.first+i, e.text)
		}
		return []insertion{{from, false, to, order, open, s}}
	case last:
		end = fmt.Sprintf("; if %s != 0 { %s }", selected, s.edits[0].text)
		return []insertion{{to - 1, true, from, order, end, s}}
	}
	return []insertion{{from, false, to, order, open, s}, {to, true, from, order, end, s}}
}
