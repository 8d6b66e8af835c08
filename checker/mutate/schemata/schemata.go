// Package schemata compiles all mutants of a package into one copy of it.
//
// A mutant is a program with one small edit. To build each of them takes longer than to run it, so
// all edits go into one instrumented copy, each guarded by its number; which one is carried out is
// chosen when the program starts, by the environment variable [Choose]. This is a mutant schema
// (Untch, Offutt, Harrold: Mutation analysis using mutant schemata, ISSTA 1993).
//
// The copy is made by insertions into the text, so that its lines are those of the original. An
// expression e of type T becomes
//
//	func() T { switch contendMutant(17, 18) { case 17: return e'; case 18: return e'' }; return e }()
//
// so that only the chosen one is evaluated; a statement s that may be dropped becomes
//
//	if contendMutant(19, 19) == 0 { s }
//
// and a statement that may be preceded by another gets it as "if contendMutant(20, 20) != 0 { … };".
// What these forms cannot express is left out: the copy is type-checked, and an edit that does not
// compile is taken back. The originals are not touched: the copy is for go build -overlay.
//
// What edits there are is said in a file an operator: compare.go, logic.go, condition.go,
// arithmetic.go, constant.go, drop.go, loop.go, clause.go, result.go, exchange.go. What is left out
// because no test can tell, or because nobody should test it, is in dull.go.
package schemata

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"
)

// The environment of an instrumented program.
const (
	Choose  = "CONTEND_MUTANT"  // the number of the mutant to run; 0, or not set: the original
	Reached = "CONTEND_REACHED" // a file to which the numbers of what is reached are appended
	Memory  = "CONTEND_MEMORY"  // the most memory in bytes; above it the program exits with [OutOfMemory]
)

// OutOfMemory is the exit code of an instrumented program that needs more memory than [Memory].
const OutOfMemory = 97

// A Mutant is one edit.
type Mutant struct {
	Number   int    // by which it is chosen
	Operator string // such as "compare"
	File     string // its path
	Line     int
	Func     string // the function, such as "Client.Receive"
	Edit     string // such as "a < b → a <= b"
	Old, New string // the first line of what is edited, before and after
	Name     string // Func and Edit, and a count where there are several of that name
	rank     int
}

// Rank orders mutants by how much it says that nothing notices one: 0 says most.
func (m *Mutant) Rank() int { return m.rank }

// An Instrumented is a package with its mutants.
type Instrumented struct {
	Path    string // its import path
	Name    string
	Dir     string
	Mutants []*Mutant
	// Files are the contents of the copy, by the path of the original; the one with the guard is of no original.
	Files map[string][]byte
}

// A Scope says which functions are mutated.
type Scope func(p *Source) map[*ast.FuncDecl]bool

// Everything is the scope of all functions.
func Everything(p *Source) map[*ast.FuncDecl]bool {
	all := map[*ast.FuncDecl]bool{}
	p.functions(func(f *ast.FuncDecl) { all[f] = true })
	return all
}

// Instrument makes the mutants of the functions in scope, numbered from first, and the copy that has them all. Generated files have no mutants.
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

// number numbers the edits in the order of the source and names them.
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

// describe says what an edit is.
func (c *collector) describe(s *site, e edit) *Mutant {
	at := c.source.Fset.Position(s.node.Pos())
	m := &Mutant{Operator: e.operator, File: at.Filename, Line: at.Line, Func: s.fn, rank: ranks[e.operator]}
	old := c.source.text(s.node)
	switch {
	case e.told != "":
		m.Edit = e.told
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

// flat is a text on one line, cut where it is long.
func flat(text string) string {
	const most = 160
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// nameOf is the name of a function, with the type of its receiver before it.
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
