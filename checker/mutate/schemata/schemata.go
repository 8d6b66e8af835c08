// Package schemata compiles all mutants of a package into one copy of it.
//
// A mutant is a program with one small edit. Building a mutant takes longer than running it. So all edits are
// inserted into one instrumented copy, each guarded by its number. The environment variable [Choose] selects
// one when the program starts. This is a mutant schema (Untch, Offutt, Harrold: Mutation analysis using
// mutant schemata, ISSTA 1993).
//
// The copy consists of insertions into the text, so its line numbers are those of the original. An expression
// e of type T becomes
//
//	func() T { switch contendMutant(17, 18) { case 17: return e'; case 18: return e'' }; return e }()
//
// so that only the selected alternative is evaluated. A droppable statement s becomes
//
//	if contendMutant(19, 19) == 0 { s }
//
// An inserted statement becomes "if contendMutant(20, 20) != 0 { … };". Edits that these forms cannot express
// are omitted. The copy is type-checked, and edits that do not compile are removed. The originals do not
// change: the copy is for go build -overlay.
//
// Each operator has a file: compare.go, logic.go, condition.go, arithmetic.go, constant.go, drop.go, loop.go,
// clause.go, result.go, exchange.go. dull.go excludes what no test can or should notice.
package schemata

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"
)

// Environment variables of an instrumented program.
const (
	Choose  = "CONTEND_MUTANT"  // number of the mutant; 0 or unset is the original
	Reached = "CONTEND_REACHED" // file to which the numbers of reached mutants are appended
	Memory  = "CONTEND_MEMORY"  // maximum memory in bytes; beyond it the program exits with [OutOfMemory]
)

// OutOfMemory is the exit code of an instrumented program beyond its [Memory].
const OutOfMemory = 97

// A Mutant is a program with one edit.
type Mutant struct {
	Number   int    // value of [Choose]
	Operator string // such as "compare"
	File     string // path
	Line     int
	Func     string // such as "Client.Receive"
	Edit     string // such as "a < b → a <= b"
	Old, New string // first line of the edit, before and after
	Name     string // Func and Edit, with a count if several are equal
	rank     int
}

// Rank returns the significance of a surviving mutant; 0 is the most significant.
func (m *Mutant) Rank() int { return m.rank }

// An Instrumented is a package with its mutants.
type Instrumented struct {
	Path    string // import path
	Name    string
	Dir     string
	Mutants []*Mutant
	// Files maps original paths to the copies' contents. The guard's path has no original.
	Files map[string][]byte
}

// A Scope returns the functions of a package to mutate.
type Scope func(p *Source) map[*ast.FuncDecl]bool

// Everything returns all functions.
func Everything(p *Source) map[*ast.FuncDecl]bool {
	all := map[*ast.FuncDecl]bool{}
	p.functions(func(f *ast.FuncDecl) { all[f] = true })
	return all
}

// Instrument returns the mutants of the functions in scope, numbered from first, and the instrumented copy. Generated files have no mutants.
func Instrument(p *Source, scope Scope, first int) (*Instrumented, error) {
	c := &collector{source: p}
	in := scope(p)
	for _, f := range p.Files {
		if ast.IsGenerated(f) {
			continue
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && in[f] && !dullFunction(f) {
				c.function(f)
			}
		}
	}
	out := &Instrumented{Path: p.Path, Name: p.Name, Dir: p.Dir}
	if err := c.settle(); err != nil {
		return nil, err
	}
	out.Mutants = c.number(first)
	out.Files = map[string][]byte{}
	for _, f := range p.Files {
		w := c.write(f)
		out.Files[p.pathOf(f)] = w.text
	}
	out.Files[filepath.Join(p.Dir, guardFile)] = guard(p.Name, first, first+len(out.Mutants)-1)
	return out, nil
}

// number numbers the edits in source order and names them.
func (c *collector) number(first int) (all []*Mutant) {
	seen := map[string]int{}
	for _, s := range c.sites {
		s.first = first + len(all)
		for _, e := range s.edits {
			m := c.describe(s, e)
			m.Number = first + len(all)
			seen[m.Name]++
			if n := seen[m.Name]; n > 1 {
				m.Name += fmt.Sprintf(" #%d", n)
			}
			all = append(all, m)
		}
	}
	return all
}

// describe returns the mutant of an edit.
func (c *collector) describe(s *site, e edit) *Mutant {
	at := c.source.Fset.Position(s.node.Pos())
	m := &Mutant{Operator: e.operator, File: at.Filename, Line: at.Line, Func: s.fn, rank: ranks[e.operator]}
	old := c.source.text(s.node)
	switch {
	case e.description != "":
		m.Edit = e.description
	case s.form == dropped:
		m.Edit = "drop " + flat(old)
	case s.form == before:
		m.Edit = e.text + " before " + flat(old)
	default:
		m.Edit = flat(old) + " → " + flat(e.text)
	}
	m.Name = m.Func + ": " + m.Edit
	m.Old = c.source.line(at.Filename, at.Line)
	head := m.Old[:min(at.Column-1, len(m.Old))]
	first, _, more := strings.Cut(old, "\n")
	tail := strings.TrimPrefix(m.Old[len(head):], first)
	switch {
	case s.form == dropped && more:
		m.New = head + "// dropped: " + first + tail + " …"
	case s.form == dropped:
		m.New = head + "// dropped: " + first + tail
	case s.form == before:
		m.New = head + e.text + "; " + first + tail
	case s.form == last:
		m.New = m.Old + " … " + e.text + " }"
	default:
		m.New = head + e.text + tail
	}
	m.Old, m.New = strings.TrimSpace(m.Old), strings.TrimSpace(m.New)
	return m
}

// flat joins the lines of a text, and truncates it.
func flat(text string) string {
	const most = 160
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// nameOf returns the name of a function, with the receiver's type.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return types.ExprString(t) + "." + f.Name.Name
		}
	}
}
