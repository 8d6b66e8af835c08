package checker_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// known are methods that say no more than the interface they are of.
var known = []string{"String", "Error", "Unwrap"}

// undocumented lists, of a file, the exported names without a comment. Of constants and
// variables one for their group is enough.
func undocumented(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) && !slices.Contains(known, d.Name.Name) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				names = append(names, undocumentedSpec(d, s)...)
			}
		}
	}
	return names
}

// exportedReceiver reports whether a function is a method of an exported type, or of none.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if index, ok := t.(*ast.IndexExpr); ok { // of a generic type
		t = index.X
	}
	id, ok := t.(*ast.Ident)
	return ok && id.IsExported()
}

func undocumentedSpec(d *ast.GenDecl, s ast.Spec) (names []string) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
			names = append(names, s.Name.Name)
		}
	case *ast.ValueSpec:
		for _, id := range s.Names {
			if id.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// Every exported name has a comment, and every package.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	files, documented := token.NewFileSet(), map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		documented[dir] = documented[dir] || f.Doc != nil
		for _, name := range undocumented(f) {
			t.Errorf("%s: %s has no comment", path, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, is := range documented {
		if !is {
			t.Errorf("package %s has no comment", dir)
		}
	}
	if len(documented) < 20 {
		t.Errorf("there are %d packages", len(documented))
	}
}
