package overlay

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A source is an edited file of the standard library. No edit moves a line. Its error is the first text that was
// not found.
type source struct {
	name  string // below GOROOT/src
	text  []byte
	fset  *token.FileSet
	file  *ast.File
	edits []edit
	err   error
}

// edit replaces a part of a text.
type edit struct {
	from, to int
	text     string
}

// open reads a file; one of Go is parsed.
func open(goroot, name string) *source {
	s := &source{name: name, fset: token.NewFileSet()}
	var err error
	if s.text, err = os.ReadFile(filepath.Join(goroot, "src", filepath.FromSlash(name))); err != nil {
		s.fail("cannot be read")
		return s
	}
	if !strings.HasSuffix(name, ".go") {
		return s
	}
	if s.file, err = parser.ParseFile(s.fset, name, s.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		s.file = nil
		s.fail("does not parse")
	}
	return s
}

// A missing is a text that an edit needs and a release does not have.
type missing struct{ file, what string }

func (m *missing) Error() string { return m.file + " " + m.what }

func (s *source) fail(format string, args ...any) {
	if s.err == nil {
		s.err = &missing{s.name, fmt.Sprintf(format, args...)}
	}
}

func (s *source) at(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *source) replace(from, to token.Pos, text string) {
	s.edits = append(s.edits, edit{s.at(from), s.at(to), text})
}

// code returns a node as gofmt prints it.
func (s *source) code(n any) string {
	var b bytes.Buffer
	_ = printer.Fprint(&b, s.fset, n)
	return b.String()
}

// function returns the function with a signature.
func (s *source) function(signature string) *ast.FuncDecl {
	if s.file == nil {
		return nil
	}
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && s.signature(f) == signature {
			return f
		}
	}
	s.fail("has no %s", signature)
	return nil
}

func (s *source) signature(f *ast.FuncDecl) string {
	return s.code(&ast.FuncDecl{Recv: f.Recv, Name: f.Name, Type: f.Type})
}

// enter puts a statement before all others of a function.
func (s *source) enter(signature, statement string) {
	if f := s.function(signature); f != nil {
		s.replace(f.Body.Lbrace+1, f.Body.Lbrace+1, " "+statement+";")
	}
}

// leave puts a statement behind all others of a function that has no return statement outside of functions within it.
func (s *source) leave(signature, statement string) {
	f := s.function(signature)
	if f == nil {
		return
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			s.fail("has a return statement in %s", signature)
		}
		return true
	})
	s.replace(f.Body.Rbrace, f.Body.Rbrace, "; "+statement+" ")
}

// body replaces all statements of a function.
func (s *source) body(signature, statements string) {
	if f := s.function(signature); f != nil {
		lines := strings.Repeat("\n", s.fset.Position(f.Body.Rbrace).Line-s.fset.Position(f.Body.Lbrace).Line)
		s.replace(f.Body.Lbrace, f.Body.Rbrace+1, "{ "+statements+lines+"}")
	}
}

// change replaces the only node of a function that is written so.
func (s *source) change(signature, from, to string) {
	f := s.function(signature)
	if f == nil {
		return
	}
	var found []ast.Node
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n.(type) {
		case ast.Stmt, ast.Expr:
			if s.code(n) == from && (len(found) == 0 || found[len(found)-1].Pos() != n.Pos() || found[len(found)-1].End() != n.End()) {
				found = append(found, n)
			}
		}
		return true
	})
	if len(found) != 1 {
		s.fail("has %d times %s in %s", len(found), from, signature)
		return
	}
	s.replace(found[0].Pos(), found[0].End(), to)
}

// line replaces a text that occurs once.
func (s *source) line(from, to string) {
	if n := bytes.Count(s.text, []byte(from)); n != 1 {
		s.fail("has %d times %q", n, from)
		return
	}
	at := bytes.Index(s.text, []byte(from))
	s.edits = append(s.edits, edit{at, at + len(from), to})
}

// edited returns the text with its edits.
func (s *source) edited() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.between(0, len(s.text)), nil
}

// part returns the source of a declaration, with its edits.
func (s *source) part(d ast.Decl) string {
	return string(s.between(s.at(d.Pos()), s.at(d.End())))
}

// between returns a range of the text, with the edits that begin in it.
func (s *source) between(from, to int) (out []byte) {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.from - b.from })
	for _, e := range s.edits {
		if e.from >= from && e.from <= to {
			out = append(append(out, s.text[from:e.from]...), e.text...)
			from = e.to
		}
	}
	return append(out, s.text[from:to]...)
}
