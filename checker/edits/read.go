package edits

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/model/variant"
)

// A pkg is a package with its edits.
type pkg struct {
	name    string
	imports map[string]string // name in the package's files → path
	nodes   []*node
	edits   []edit
}

// A node is a type whose methods edits may change.
type node struct {
	name    string
	methods []*method
}

// A method is a method of a node.
type method struct {
	name, recv string
	head       string // its comment, and from func to the opening brace
	body       string // between the braces
	decl       *ast.FuncDecl
	versions   []version
	affected   bool // an edit changes it, or it calls a method that is affected
}

// A version is the body of a method after an edit.
type version struct {
	edit int // number of the edit
	body string
}

// An edit is the edit of the calls of page.Edit with the same arguments.
type edit struct {
	position string   // file and line of the first call
	variant  string   // the name of its variant
	pairs    []string // old and new texts, alternating
	number   int
}

// read reads the package in a directory.
func read(dir string) (*pkg, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &pkg{imports: map[string]string{}}
	types := map[string]*node{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == File {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.name = f.Name.Name
		p.readImports(f)
		switch calls, err := p.readEdits(fset, f); {
		case err != nil:
			return nil, err
		case !calls && !bytes.Contains(text, []byte("\npackage main\n")):
			readMethods(fset, f, string(text), types)
		}
	}
	if len(p.edits) > variant.MaxEdits {
		return nil, fmt.Errorf("%s: the package has %d edits, and may have %d", dir, len(p.edits), variant.MaxEdits)
	}
	for _, n := range types {
		if slices.ContainsFunc(n.methods, (*method).handles) {
			p.nodes = append(p.nodes, n)
		}
	}
	slices.SortFunc(p.nodes, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	return p, nil
}

func (p *pkg) readImports(f *ast.File) {
	for _, i := range f.Imports {
		is, _ := strconv.Unquote(i.Path.Value) // the parser has read it
		name := path.Base(is)
		if i.Name != nil {
			name = i.Name.Name
		}
		p.imports[name] = is
	}
}

// readEdits adds the edits of the calls of page.Edit in a file, and reports whether there are any.
func (p *pkg) readEdits(fset *token.FileSet, f *ast.File) (calls bool, err error) {
	var within []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			within = within[:len(within)-1]
			return true
		}
		within = append(within, n)
		call, is := n.(*ast.CallExpr)
		if !is || err != nil {
			return true
		}
		if s, is := call.Fun.(*ast.SelectorExpr); !is || s.Sel.Name != "Edit" || !isIdent(s.X, "page") {
			return true
		}
		calls = true
		at := fset.Position(call.Pos())
		e := edit{position: fmt.Sprintf("%s:%d", at.Filename, at.Line), variant: variantOf(within[:len(within)-1])}
		e.pairs, err = stringArguments(e.position, call.Args)
		p.add(e)
		return true
	})
	return calls, err
}

// add adds an edit, unless the package has an edit with the same texts.
func (p *pkg) add(e edit) {
	if i := slices.IndexFunc(p.edits, func(is edit) bool { return slices.Equal(is.pairs, e.pairs) }); i >= 0 {
		p.edits[i].variant += ", " + e.variant
		return
	}
	e.number = len(p.edits)
	p.edits = append(p.edits, e)
}

// stringArguments returns the arguments of a call of page.Edit.
func stringArguments(at string, args []ast.Expr) (texts []string, err error) {
	if len(args) == 0 || len(args)%2 != 0 {
		return nil, fmt.Errorf("%s: an edit must have pairs of an old text and a new text", at)
	}
	for _, a := range args {
		l, is := a.(*ast.BasicLit)
		if !is || l.Kind != token.STRING {
			return nil, fmt.Errorf("%s: the texts of an edit must be string literals", at)
		}
		text, err := strconv.Unquote(l.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// variantOf returns the name of the variant whose declaration contains an expression, given the enclosing
// syntax. It is the field Name of a literal, else the first argument of a call, else the name of a variable or
// function.
func variantOf(around []ast.Node) (name string) {
	for _, n := range slices.Backward(around) {
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, is := e.(*ast.KeyValueExpr); is && isIdent(kv.Key, "Name") {
					return unquote(kv.Value)
				}
			}
		case *ast.CallExpr:
			if len(n.Args) > 0 && unquote(n.Args[0]) != "" {
				return unquote(n.Args[0])
			}
		case *ast.ValueSpec:
			name = n.Names[0].Name
		case *ast.FuncDecl:
			name = n.Name.Name
		}
	}
	return name
}

func unquote(e ast.Expr) string {
	if l, is := e.(*ast.BasicLit); is {
		s, _ := strconv.Unquote(l.Value) // "" for other literals
		return s
	}
	return ""
}

func isIdent(e ast.Expr, name string) bool {
	id, is := e.(*ast.Ident)
	return is && id.Name == name
}

// readMethods adds a file's methods with pointer receivers to their types.
func readMethods(fset *token.FileSet, f *ast.File, text string, types map[string]*node) {
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	for _, d := range f.Decls {
		fd, is := d.(*ast.FuncDecl)
		if !is || fd.Recv == nil || fd.Body == nil || len(fd.Recv.List[0].Names) == 0 {
			continue
		}
		star, is := fd.Recv.List[0].Type.(*ast.StarExpr)
		if !is {
			continue
		}
		of, is := star.X.(*ast.Ident)
		if !is {
			continue
		}
		comment := ""
		if fd.Doc != nil {
			comment = text[at(fd.Doc.Pos()):at(fd.Doc.End())] + "\n"
		}
		if types[of.Name] == nil {
			types[of.Name] = &node{name: of.Name}
		}
		types[of.Name].methods = append(types[of.Name].methods, &method{
			name: fd.Name.Name, recv: fd.Recv.List[0].Names[0].Name, decl: fd,
			head: comment + text[at(fd.Pos()):at(fd.Body.Lbrace)], body: text[at(fd.Body.Lbrace)+1 : at(fd.Body.Rbrace)],
		})
	}
}

// handles reports whether the method is a handler.
func (m *method) handles() bool {
	if !slices.Contains([]string{"Start", "Invoke", "Receive", "Timeout"}, m.name) {
		return false
	}
	params := m.decl.Type.Params.List
	if len(params) == 0 {
		return false
	}
	s, is := params[0].Type.(*ast.SelectorExpr)
	return is && isIdent(s.X, "model") && s.Sel.Name == "Env"
}
