package build

import (
	"bytes"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// own is the path prefix of the checker's own packages in a program.
const own = "contend/program/"

// races is the sentence that is true of every program: the scheduler runs one goroutine at a time, and no load or
// store is a point.
const races = "data races cannot be seen, since one goroutine runs at a time: run the program's tests with go test -race as well"

// escapes returns a sentence for each part of a program's behaviour that no run of a node shows, with what to do
// about it. net is set if package net connects to the other nodes, and native for a native guest. The
// error names a package that no native guest can have.
func escapes(packages []listed, net, native bool) (all []string, err error) {
	all = []string{races}
	for _, one := range packages {
		if one.Standard || strings.HasPrefix(one.ImportPath, own+"sim") || strings.HasPrefix(one.ImportPath, own+"wire") {
			continue
		}
		if native {
			said, err := one.instructions()
			if err != nil {
				return nil, err
			}
			all = append(all, said...)
		}
		said, err := one.escapes(net, native)
		if err != nil {
			return nil, err
		}
		all = append(all, said...)
	}
	return all, nil
}

// escapes returns the sentences for a package.
func (l listed) escapes(net, native bool) (all []string, err error) {
	say := func(names []string, format string) {
		if len(names) > 0 {
			all = append(all, fmt.Sprintf(format, l.ImportPath, some(names)))
		}
	}
	inC, replaced, err := l.elsewhere()
	if err != nil {
		return nil, err
	}
	starts, err := l.importing("os/exec")
	if err != nil {
		return nil, err
	}
	reached, connects, err := l.reaches()
	if err != nil {
		return nil, err
	}
	say(inC, "%s uses cgo in %s, which is left out here: what runs is the Go code in its place; test the two against each other")
	if !native {
		say(l.assembly(), "%s has assembly for other machines in %s: what runs here is the Go code in its place; test the two against each other")
	}
	say(replaced, "%s has files for Linux that are left out here, %s: what they do is not seen; test it on Linux")
	say(starts, "%s starts other programs by package os/exec in %s: every start fails here; leave it out by a build tag, or make the other program a node")
	say(reached, "%s reaches past its imports by go:linkname, to %s: no goroutine gives way there; use what the package exports, or replace the file by Config.Overlay")
	if !net {
		say(connects, "%s calls %s, which connects a program only with itself: set Config.Net, or use contend/program/sim")
	}
	return all, nil
}

// some lists the first of some names.
func some(names []string) string {
	const most = 4
	slices.Sort(names)
	names = slices.Compact(names)
	if n := len(names); n > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n-most)
	}
	return strings.Join(names, ", ")
}

// assembly lists the files in assembly that are for other machines.
func (l listed) assembly() (names []string) {
	for _, name := range l.IgnoredOtherFiles {
		if path.Ext(name) == ".s" {
			names = append(names, name)
		}
	}
	return names
}

// elsewhere returns the files that are excluded here, but included on Linux with cgo: those that import C, and the
// others.
func (l listed) elsewhere() (inC, others []string, err error) {
	linux := gobuild.Default
	linux.GOOS, linux.GOARCH, linux.CgoEnabled = "linux", "amd64", true
	for _, name := range l.IgnoredGoFiles {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if is, err := linux.MatchFile(l.Dir, name); err != nil || !is {
			continue // a file that cannot be read there is none of the program's
		}
		f, err := parser.ParseFile(token.NewFileSet(), l.file(name), nil, parser.ImportsOnly)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` }) {
			inC = append(inC, name)
		} else {
			others = append(others, name)
		}
	}
	return inC, others, nil
}

// importing lists the files that import a package.
func (l listed) importing(path string) (names []string, err error) {
	if !slices.Contains(l.Imports, path) {
		return nil, nil
	}
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), l.file(name), nil, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote(path) }) {
			names = append(names, name)
		}
	}
	return names, nil
}

// reaches returns the names that the files use by linkname from other packages, and, for a package of the
// program's own module, the functions of package net that they call to connect.
func (l listed) reaches() (linked, connects []string, err error) {
	for _, name := range l.GoFiles {
		text, err := os.ReadFile(l.file(name))
		if err != nil {
			return nil, nil, err
		}
		for line := range bytes.Lines(text) {
			if words := strings.Fields(string(line)); len(words) == 3 && words[0] == "//go:linkname" {
				linked = append(linked, words[2])
			}
		}
		if l.Module == nil || !l.Module.Main || !bytes.Contains(text, []byte("net.")) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		connects = append(connects, connecting(f)...)
	}
	return linked, connects, nil
}

// connecting lists the functions of package net that a file calls to dial or to listen.
func connecting(f *ast.File) (all []string) {
	name := ""
	for _, i := range f.Imports {
		if i.Path.Value == `"net"` {
			if name = "net"; i.Name != nil {
				name = i.Name.Name
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, is := n.(*ast.SelectorExpr)
		if !is {
			return true
		}
		x, is := s.X.(*ast.Ident)
		if is && name != "" && x.Name == name && (s.Sel.Name != "Dialer" && strings.HasPrefix(s.Sel.Name, "Dial") || s.Sel.Name != "Listener" && strings.HasPrefix(s.Sel.Name, "Listen") && s.Sel.Name != "ListenConfig") {
			all = append(all, "net."+s.Sel.Name)
		}
		return true
	})
	return all
}
