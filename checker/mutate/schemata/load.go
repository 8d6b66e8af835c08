package schemata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Source is a package with its syntax and types, without tests.
type Source struct {
	Path, Name, Dir string
	Fset            *token.FileSet
	Files           []*ast.File
	Types           *types.Package
	Info            *types.Info

	texts    map[string][]byte // by file path
	importer types.Importer
}

// A listed is the output of go list for a package.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles, CgoFiles             []string
	TestGoFiles, XTestGoFiles     []string
	DepOnly                       bool
	Module                        *struct{ Dir string }
	Error                         *struct{ Err string }
}

// A Listed is a package that is not loaded.
type Listed struct {
	Path, Dir string
	Root      string   // directory of its module
	Tests     []string // names of its test files
}

// List returns the packages of patterns of the go command.
func List(dir string, patterns ...string) (out []Listed, err error) {
	all, err := list(dir, nil, patterns)
	for _, l := range all {
		if l.Module == nil {
			return nil, fmt.Errorf("package %s is in no module", l.ImportPath)
		}
		out = append(out, Listed{l.ImportPath, l.Dir, l.Module.Dir, append(l.TestGoFiles, l.XTestGoFiles...)})
	}
	return out, err
}

// Load loads the packages of patterns of the go command, relative to a directory. Imports are read from export data. The go command makes missing export data.
func Load(dir string, patterns ...string) ([]*Source, error) {
	all, err := list(dir, []string{"-deps", "-export"}, patterns)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, l := range all {
		exports[l.ImportPath] = l.Export
	}
	var out []*Source
	for _, l := range all {
		if l.DepOnly {
			continue
		}
		p, err := load(l, exports)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func list(dir string, flags, patterns []string) (all []listed, err error) {
	const fields = "-json=ImportPath,Name,Dir,Export,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,DepOnly,Module,Error"
	args := slices.Concat([]string{"list", "-e", fields}, flags, []string{"--"}, patterns)
	c := exec.Command("go", args...)
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %s", strings.TrimSpace(errs.String()+" "+err.Error()))
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if l.Error != nil && !l.DepOnly {
			return nil, errors.New(strings.TrimSpace(l.Error.Err))
		}
		all = append(all, l)
	}
}

func load(l listed, exports map[string]string) (*Source, error) {
	if len(l.CgoFiles) > 0 {
		return nil, fmt.Errorf("package %s has cgo files, and these cannot be mutated", l.ImportPath)
	}
	p := &Source{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Fset: token.NewFileSet(), texts: map[string][]byte{}}
	p.importer = importer.ForCompiler(p.Fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("package %s does not compile", path)
		}
		return os.Open(exports[path])
	})
	for _, name := range l.GoFiles {
		path := filepath.Join(l.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(p.Fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.Files, p.texts[path] = append(p.Files, f), text
	}
	p.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	var err error
	p.Types, err = (&types.Config{Importer: p.importer}).Check(p.Path, p.Fset, p.Files, p.Info)
	return p, err
}

// functions calls do for each function with a body.
func (p *Source) functions(do func(f *ast.FuncDecl)) {
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				do(f)
			}
		}
	}
}

func (p *Source) pathOf(f *ast.File) string { return p.Fset.Position(f.Package).Filename }

func (p *Source) offset(at token.Pos) int { return p.Fset.PositionFor(at, false).Offset }

// text returns the source text of a node.
func (p *Source) text(n ast.Node) string {
	text := p.texts[p.Fset.Position(n.Pos()).Filename]
	return string(text[p.offset(n.Pos()):p.offset(n.End())])
}

// line returns one line of a file.
func (p *Source) line(path string, line int) string {
	for l := range strings.Lines(string(p.texts[path])) {
		if line--; line == 0 {
			return strings.TrimRight(l, "\n")
		}
	}
	return ""
}

// typeName returns the name of a type in a file; "" if the type has no name there.
func (p *Source) typeName(t types.Type, in *ast.File) string {
	known := true
	name := types.TypeString(t, func(pkg *types.Package) string {
		if pkg == p.Types {
			return ""
		}
		for _, i := range in.Imports {
			if strings.Trim(i.Path.Value, `"`) != pkg.Path() {
				continue
			}
			if i.Name == nil {
				return pkg.Name()
			}
			if i.Name.Name != "_" && i.Name.Name != "." {
				return i.Name.Name
			}
		}
		known = false
		return pkg.Name()
	})
	if !known {
		return ""
	}
	return name
}
