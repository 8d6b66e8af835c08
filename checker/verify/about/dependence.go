package about

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"contend/model"
)

// module is the path of the module that a protocol imports.
func module() string { return strings.TrimSuffix(reflect.TypeFor[model.Config]().PkgPath(), "/model") }

// requires reports whether a go.mod names that module: as its own, or as one that it requires.
func requires(gomod []byte) bool {
	return regexp.MustCompile(`(?m)^\s*(module\s+|require\s+)?"?` + regexp.QuoteMeta(module()) + `"?(\s|$)`).Match(gomod)
}

// dependence says what the user's module lacks to import this one, in a line, and is empty if it lacks nothing.
func dependence() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for ; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "go.mod")
		text, err := os.ReadFile(path)
		switch {
		case os.IsNotExist(err) && dir != filepath.Dir(dir):
			continue
		case err != nil:
			return "There is no go.mod here: go mod init makes one.\n" + require()
		}
		if requires(text) {
			return ""
		}
		return require()
	}
}

// require says how to depend on a clone of this module.
func require() string {
	return fmt.Sprintf("Your go.mod does not require %[1]s. First, with the directory of your clone for CLONE:\n"+
		"  go mod edit -require %[1]s@v0.0.0 -replace %[1]s=CLONE && go mod tidy\n", module())
}
