package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The doc comment of each exported type with enumerated constants names them all, since go doc of the type
// shows only the first.
func TestEnumerated(t *testing.T) {
	count := 0
	for _, dir := range []string{".", "claims", "costs"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		docs, values := map[string]string{}, map[string][]string{}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			require.NoError(t, err)
			for _, d := range f.Decls {
				if g, is := d.(*ast.GenDecl); is {
					enumerated(g, docs, values)
				}
			}
		}
		for name, all := range values {
			count++
			for _, value := range all {
				assert.Regexp(t, `\b`+value+`\b`, docs[name], "of %s", name)
			}
		}
	}
	assert.Equal(t, 11, count, "types")
}

// enumerated collects the doc comments of types, and the enumerated constants by type.
func enumerated(d *ast.GenDecl, docs map[string]string, values map[string][]string) {
	of := ""
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			docs[s.Name.Name] = d.Doc.Text()
		case *ast.ValueSpec:
			if named, is := s.Type.(*ast.Ident); is && named.IsExported() && d.Tok == token.CONST && len(s.Values) == 1 {
				if first, is := s.Values[0].(*ast.Ident); is && first.Name == "iota" {
					of = named.Name
				}
			}
			if of != "" && s.Names[0].IsExported() && !strings.HasSuffix(s.Names[0].Name, "Kinds") {
				values[of] = append(values[of], s.Names[0].Name)
			}
		}
	}
}
