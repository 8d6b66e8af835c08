// Package build compiles a Go program for package contend/program/host, and caches the result.
package build

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"contend/program/overlay"
)

// A Package is a main package to be compiled.
type Package struct {
	// Path is its import path, or a path such as ./server.
	Path string
	// Dir is where the go command runs: in the module of the package, or in one that requires it. "" is the current directory.
	Dir string
	// Overlay, unless "", is the path of a file for the flag -overlay of go build, which replaces source files: of an [overlay.Overlay]. Own is another
	// one, of the user.
	Overlay, Own string
	// Files says that the overlay has [overlay.Edits.Files]. Then some packages are built from their files for Linux. Linux names more of them, by
	// import path.
	Files bool
	Linux []string
	// Goroot is the [overlay.Overlay.Goroot] of the overlay; "" stands for the go command in use.
	Goroot string
	// Tags are build tags.
	Tags []string
	// Flags are further flags of go build, such as [overlay.Overlay.RaceFlags].
	Flags []string
	// Net says that the overlay lets package net reach the other nodes.
	Net bool
	// Native says that the program is to be a native guest: for linux/amd64, with an Overlay of [overlay.Edits.Native].
	Native bool

	modcache    string // in place of GOMODCACHE, unless ""
	onLinuxOnly bool   // packages are listed as for Linux
}

// A Built is a module with its name.
type Built struct {
	Wasm []byte // the module; nil of a native guest
	File string // the executable of a native guest, in the user's cache directory
	Sum  string // SHA-256 of the module or the executable, in hexadecimal
	Go   string // the version of Go that compiled it
	// Escapes says, a sentence each, what of the program no run of it as a node shows, and what to do about it.
	Escapes []string
}

// A Plan is a package whose sources have been listed, and not yet compiled.
type Plan struct {
	of      Package
	key     string
	version string
	escapes []string
}

// Plan lists the sources of the package. It takes less than a second. The error is one sentence with the go
// command's output: the package is missing or no program, or its module lacks something.
func (p Package) Plan() (Plan, error) {
	env, err := p.run("env", "GOVERSION", "GOMODCACHE")
	if err != nil {
		return Plan{}, err
	}
	version, modcache, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	if p, err = p.changed(strings.TrimSpace(modcache)); err != nil {
		return Plan{}, err
	}
	plan := Plan{of: p, version: strings.TrimSpace(version)}
	packages, err := p.packages()
	if err != nil {
		return Plan{}, err
	}
	if plan.key, err = p.key(plan.version, packages); err != nil {
		return Plan{}, err
	}
	if plan.escapes, err = escapes(packages, p.Net, p.Native); err != nil {
		return Plan{}, fmt.Errorf("program %s: %w", p.Path, err)
	}
	return plan, nil
}

// Compile compiles the package. It takes up to a minute, unless the user's cache has a module of the same sources,
// overlay, tags and Go version. The same sources give the same module anywhere. The error is one sentence with the
// go command's output.
func (l Plan) Compile() (Built, error) {
	mode, ending := "c-shared", ".wasm"
	if l.of.Native {
		mode, ending = "pie", ".native"
	}
	kept, err := cached(l.key+ending, func(out string) error {
		_, err := l.of.run(append([]string{"build", "-trimpath", "-buildmode=" + mode, "-o", out}, l.of.flags(l.of.Path)...)...)
		return err
	})
	if err != nil {
		return Built{}, err
	}
	b := Built{Go: l.version, Escapes: l.escapes}
	text, err := os.ReadFile(kept)
	if err != nil {
		return Built{}, fmt.Errorf("program %s: %w", l.of.Path, err)
	}
	if b.Wasm = text; l.of.Native {
		b.Wasm, b.File = nil, kept
	}
	sum := sha256.Sum256(text)
	b.Sum = hex.EncodeToString(sum[:])
	return b, nil
}

// flags returns the flags of the go command, followed by rest.
func (p Package) flags(rest ...string) (all []string) {
	if p.Overlay != "" {
		all = append(all, "-overlay", p.Overlay)
	}
	tags := p.Tags
	if p.Native {
		tags = append(slices.Clip(tags), overlay.NativeTag)
	}
	if len(tags) > 0 {
		all = append(all, "-tags", strings.Join(tags, ","))
	}
	all = append(all, p.Flags...)
	return append(all, rest...)
}

// modules returns the flags in GOFLAGS that choose the modules of a program: of one with a planted bug in a
// module, or with another release of a module. The other flags are for programs that run here.
func modules(goflags string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(goflags), func(flag string) bool {
		return !strings.HasPrefix(flag, "-mod=") && !strings.HasPrefix(flag, "-modfile=")
	}), " ")
}

// run runs the go command for programs that are nodes.
func (p Package) run(args ...string) ([]byte, error) {
	c := overlay.Go(p.Goroot, args...)
	c.Dir = p.Dir
	c.Env = append(c.Env, p.system()...)
	if p.modcache != "" {
		c.Env = append(c.Env, "GOMODCACHE="+p.modcache, "GODEBUG=goindex=0") // the go command's index does not follow links
	}
	c.Env = append(c.Env, "CGO_ENABLED=0", "GOFLAGS="+modules(os.Getenv("GOFLAGS")))
	out, err := c.Output()
	if err == nil {
		return out, nil
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return nil, fmt.Errorf("program %s: %s", p.Path, p.trouble(args[0], string(bytes.TrimSpace(exit.Stderr))))
	}
	return nil, fmt.Errorf("program %s: go %s: %w", p.Path, args[0], err)
}

// system returns the variables of the environment that say what the program is built for.
func (p Package) system() []string {
	if p.Native || p.onLinuxOnly {
		return []string{"GOOS=linux", "GOARCH=amd64", "GOAMD64=v1"}
	}
	return []string{"GOOS=wasip1", "GOARCH=wasm", "GOWASM="}
}

// excluded is the go command's message for a package without files for the system.
const excluded = "build constraints exclude all Go files"

// trouble returns the cause of a failed verb of the go command, from its output: the code for wasip1, the module,
// or something else.
func (p Package) trouble(verb, said string) string {
	where := cmp.Or(p.Dir, "the current directory")
	lacks := func(text string) bool { return strings.Contains(said, text) }
	switch {
	case p.Native && (verb == "build" || lacks(excluded)):
		return "it does not compile for linux/amd64 without cgo: " + advice(said, "replace it in go.mod by one without cgo") + said
	case verb == "build" || lacks(excluded):
		return "it does not compile for GOOS=wasip1: " + advice(said, "replace it in go.mod, or list it in Config.Linux if its files for Linux have neither cgo nor sockets, or run it natively (--guest 2, on linux/amd64)") + said
	case slices.ContainsFunc([]string{"missing go.sum entry", "no required module provides", "updates to go.mod needed", "cannot find module providing"}, lacks):
		return fmt.Sprintf("its module does not list all that it needs: run go mod tidy in %s:\n%s", where, said)
	}
	return fmt.Sprintf("go %s fails in %s: %s", verb, where, said)
}

// advice returns what the user can do about the packages that the go command could not compile, as far as it names
// them: leave them out, or something else.
func advice(said, or string) string {
	var all []string
	for line := range strings.Lines(said) {
		if name, is := strings.CutPrefix(strings.TrimSpace(line), "# "); is {
			all = append(all, name)
		}
	}
	for line := range strings.Lines(said) {
		// "package NAME: " or, where another package imports it, "imports NAME: " or "imports NAME from FILE: "
		if before, _, is := strings.Cut(line, ": "+excluded); is && len(strings.Fields(before)) > 1 {
			all = append(all, strings.Fields(before)[1])
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("if it compiles for other systems, leave out %s by a build tag, or %s:\n", strings.Join(all, ", "), or)
}

// A listed is an entry of go list.
type listed struct {
	ImportPath string
	Dir        string
	Standard   bool
	Name       string
	Module     *struct{ Main bool }
	GoFiles    []string
	SFiles     []string
	EmbedFiles []string
	Imports    []string
	// What is not built for wasip1.
	IgnoredGoFiles, IgnoredOtherFiles []string

	replaced map[string]string // files of an overlay
}

// file returns the path of a file's text.
func (l listed) file(name string) string {
	name = filepath.Join(l.Dir, name)
	return cmp.Or(l.replaced[name], name)
}

// packages lists the packages that a program is made of, its own last.
func (p Package) packages() (all []listed, err error) {
	replaced, err := replacement(p.Overlay, p.Dir)
	if err != nil {
		return nil, fmt.Errorf("program %s: the overlay: %w", p.Path, err)
	}
	if all, err = p.list(); err != nil {
		return nil, err
	}
	for i := range all {
		all[i].replaced = replaced
	}
	if last := all[len(all)-1]; last.Name != "main" {
		return nil, fmt.Errorf("program %s: it is package %s, but only a package main is a program", p.Path, last.Name)
	}
	return all, nil
}

// onLinux lists the packages of the program on Linux, as far as they are found.
func (p Package) onLinux() ([]listed, error) {
	p.onLinuxOnly = true
	return p.list("-e")
}

// list lists the packages that a program is made of.
func (p Package) list(flags ...string) (all []listed, err error) {
	const fields = "-json=ImportPath,Dir,Standard,Name,Module,GoFiles,SFiles,EmbedFiles,Imports,IgnoredGoFiles,IgnoredOtherFiles"
	out, err := p.run(slices.Concat([]string{"list", "-deps", fields}, flags, p.flags(p.Path))...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("program %s: go list: %w", p.Path, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// key returns a hash of a program's sources: the files of all its packages. The version of Go stands for the
// standard library.
func (p Package) key(version string, packages []listed) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n", version, p.Tags)
	if p.Native {
		fmt.Fprintln(h, "native")
	}
	if len(p.Flags) > 0 {
		fmt.Fprintf(h, "%q\n", p.Flags)
	}
	for _, one := range packages {
		if !one.Standard {
			if err := sum(h, one); err != nil {
				return "", fmt.Errorf("program %s: %w", p.Path, err)
			}
		}
	}
	if err := p.sumOverlay(h); err != nil {
		return "", fmt.Errorf("program %s: the overlay: %w", p.Path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sum takes in the files of a package.
func sum(h io.Writer, one listed) error {
	for _, name := range slices.Concat(one.GoFiles, one.SFiles, one.EmbedFiles) {
		if err := sumFile(h, one.ImportPath+"/"+name, one.file(name)); err != nil {
			return err
		}
	}
	return nil
}

func sumFile(h io.Writer, name, file string) error {
	b, err := os.ReadFile(file)
	if err == nil {
		fmt.Fprintf(h, "%q %d\n", name, len(b))
		_, err = h.Write(b)
	}
	return err
}

// sumOverlay adds the replacements of source files to a hash.
func (p Package) sumOverlay(h io.Writer) error {
	if p.Overlay == "" {
		return nil
	}
	all, err := replacement(p.Overlay, p.Dir)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if by := all[name]; by == "" {
			fmt.Fprintf(h, "%q is gone\n", name)
		} else if err := sumFile(h, name, by); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a module that was built elsewhere.
func Read(file string) (b Built, err error) {
	if b.Wasm, err = os.ReadFile(file); err != nil {
		return Built{}, fmt.Errorf("program: %w", err)
	}
	sum := sha256.Sum256(b.Wasm)
	b.Sum = hex.EncodeToString(sum[:])
	b.Escapes = []string{races, "its sources are not at hand: build it by Config.Package to be told what else no run shows"}
	return b, nil
}
