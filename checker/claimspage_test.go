package checker_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// made are the types of what constructors return.
var made = regexp.MustCompile(`^(model\.Claim|\*model\.Cost|\[\]\*model\.Cost)$`)

// constructors lists the exported functions and methods of a package that return a claim or costs,
// by their names in the package or of the receiver's type.
func constructors(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, text, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || strings.HasSuffix(name, "_test.go") || !d.Name.IsExported() || !exportedReceiver(d) || d.Type.Results == nil {
				continue
			}
			result := d.Type.Results.List[0].Type
			if made.Match(text[files.Position(result.Pos()).Offset:files.Position(result.End()).Offset]) {
				names = append(names, receiver(d, f.Name.Name)+"."+d.Name.Name)
			}
		}
	}
	return names
}

// receiver is the type of which a function is a method, or the package.
func receiver(d *ast.FuncDecl, pkg string) string {
	if d.Recv == nil {
		return pkg
	}
	return d.Recv.List[0].Type.(*ast.Ident).Name
}

var firstCell = regexp.MustCompile("(?m)^\\| `([A-Za-z]+\\.[A-Za-z]+)` \\|")

// The page of ready-made claims and costs has a row for each constructor, and for nothing else.
func TestReadyMadeClaimsAreListed(t *testing.T) {
	page, err := os.ReadFile("../docs/claims.md")
	require.NoError(t, err)
	var listed []string
	for _, m := range firstCell.FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, m[1])
	}
	exported := append(constructors(t, "../model/claims"), constructors(t, "../model/costs")...)
	require.NotEmpty(t, exported)
	assert.ElementsMatch(t, exported, listed, "rows of docs/claims.md")
}
