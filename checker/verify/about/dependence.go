package about

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"contend/model"
)

// module is the path of the module that a protocol imports.
func module() string { return strings.TrimSuffix(reflect.TypeFor[model.Config]().PkgPath(), "/model") }

// requires reports whether a module is the module of a go.mod, or required by it.
func requires(gomod []byte, module string) bool {
	return regexp.MustCompile(`(?m)^\s*(module\s+|require\s+)?"?` + regexp.QuoteMeta(module) + `"?(\s|$)`).Match(gomod)
}

// dependence returns what the user's go.mod lacks of some modules of a clone, in two lines; "" if nothing is
// missing. The folders are the modules in the clone.
func dependence(folders ...string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for ; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		switch {
		case os.IsNotExist(err) && dir != filepath.Dir(dir):
			continue
		case err != nil:
			return "There is no go.mod here: go mod init makes one.\n" + require(folders)
		}
		missing := slices.DeleteFunc(folders, func(folder string) bool { return requires(text, path.Join(module(), folder)) })
		if len(missing) == 0 {
			return ""
		}
		return require(missing)
	}
}

// require returns the command with which a go.mod depends on modules of a clone.
func require(folders []string) string {
	edits := ""
	for _, folder := range folders {
		edits += fmt.Sprintf(" -require %[1]s@v0.0.0 -replace %[1]s=%[2]s", path.Join(module(), folder), path.Join("CLONE", folder))
	}
	return fmt.Sprintf("Your go.mod does not require %s. First, with the directory of your clone for CLONE:\n  go mod edit%s && go mod tidy\n",
		path.Join(module(), folders[len(folders)-1]), edits)
}
