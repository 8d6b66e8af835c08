package main

import (
	"regexp"
	"strings"
)

// text finds a module path in texts. The module may have the name of a common word. Hence the text before and
// after a match decides whether it is a path.
type text struct {
	old, path string
	found     *regexp.Regexp
}

// newText returns a text that finds the path old. Directories are the directories at the top of the module,
// with which paths of packages continue.
func newText(old, path string, directories []string) *text {
	for i, d := range directories {
		directories[i] = regexp.QuoteMeta(d)
	}
	behind := []string{
		`/(?:` + strings.Join(directories, "|") + `)\b`, // a package, or a module within
		`/\.\.\.`, // all packages
		`/["']`,   // what all paths begin with, in source
		`@v[0-9]`, // a version on the command line
		` v[0-9]`, // one in a go.mod
		` =>`,     // a replacement in a go.mod
	}
	// The path is not the end of a longer one.
	before := `(^|[^\w./~@-])`
	name := regexp.QuoteMeta(old)
	return &text{old, path, regexp.MustCompile(
		`(?m:^)module ` + name + `(?m:$)|-replace[ =]` + name + `=|` + before + name + `(?:` + strings.Join(behind, "|") + `)`)}
}

// rename writes the new path for the old one.
func (t *text) rename(in []byte) []byte {
	return t.found.ReplaceAllFunc(in, func(match []byte) []byte {
		return []byte(strings.Replace(string(match), t.old, t.path, 1))
	})
}
