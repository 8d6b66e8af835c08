package overlay

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

//go:embed hooks/compile.go.txt
var compileHook string

// hashMark is the place of the hash in the edited compiler.
const hashMark = "CONTENDHASH"

// compilerTexts gives the edited and the added files of the Go compiler, by name. That compiler takes -race for WebAssembly, and marks loads and stores
// for the race detector, but not the begin and the end of functions. It can be run by -toolexec.
func compilerTexts(goroot string) (texts map[string][]byte, hash string, err error) {
	o := &release{goroot: goroot, sources: map[string]*source{}, added: map[string][]byte{}}
	o.open("cmd/compile/internal/base/flag.go").line("if Flag.Race && !platform.RaceDetectorSupported(buildcfg.GOOS, buildcfg.GOARCH) {", "if false {")
	o.open("cmd/compile/internal/ssagen/ssa.go").line("s.instrumentEnterExit = true", "s.instrumentEnterExit = false")
	// The go command keeps what is compiled by what the compiler calls its version.
	o.open("cmd/internal/objabi/flag.go").line(`"%s version %s%s\n", name`, `"%s version %s contend-`+hashMark+`%s\n", name`)
	program := o.open("cmd/compile/main.go")
	program.enter("func main()", "contendTool()")
	o.add("cmd/compile/contend.go", compileHook)
	program.onlyWasm()
	o.withoutRules()
	if texts, err = o.edited(); err != nil {
		return nil, "", err
	}
	hash = hashOf(texts)
	for name, text := range texts {
		texts[name] = bytes.ReplaceAll(text, []byte(hashMark), []byte(hash[:16]))
	}
	return texts, hash, nil
}

var architecture = regexp.MustCompile(`\t"cmd/compile/internal/(\w+)"\n`)

// onlyWasm leaves out the other architectures of the compiler. It builds in less time so, and that is all: what does not fit is left as it is.
func (s *source) onlyWasm() {
	for _, found := range architecture.FindAllSubmatch(s.text, -1) {
		name := string(found[1])
		entries := regexp.MustCompile(`\t"\w+": +`+name+`\.Init,\n`).FindAll(s.text, -1)
		if name == "wasm" || len(entries) == 0 || bytes.Count(s.text, []byte(name+".")) != len(entries) {
			continue
		}
		s.line(string(found[0]), "\n")
		for _, e := range entries {
			s.line(string(e), "\n")
		}
	}
}

var rule = regexp.MustCompile(`(?m)^func (rewrite(?:Value|Block)[^\W_]+)\(\w \*(Value|Block)\) bool \{$`)

// withoutRules leaves out most of the rules by which the compiler rewrites code of other architectures, for the same reason.
func (o *release) withoutRules() {
	for _, name := range o.files("cmd/compile/internal/ssa") {
		if !regexp.MustCompile(`^rewrite(386|AMD64|ARM|LOONG|MIPS|PPC|RISCV|S390)`).MatchString(path.Base(name)) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(o.goroot, "src", filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		stubs := []byte("package ssa\n")
		for _, f := range rule.FindAllSubmatch(text, -1) {
			stubs = fmt.Appendf(stubs, "\nfunc %s(*%s) bool { panic(\"this compiler is for WebAssembly\") }\n", f[1], f[2])
		}
		o.added[name] = stubs
	}
}

// compiler returns the edited compiler of a release, which is built below dir unless it is there.
func compiler(r toolchain, link, dir string) (string, error) {
	goroot := r.goroot
	if link != "" {
		goroot = link
	}
	texts, hash, err := compilerTexts(goroot)
	var m *missing
	if errors.As(err, &m) {
		return "", fmt.Errorf("no compiler of %s can be made that marks loads and stores, for in this release %v", r.version, m)
	}
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "compiler-"+r.version+"-"+nameOf(goroot)+"-"+hash[:16])
	exe := filepath.Join(dir, "compile")
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	if _, err := os.Stat(exe); err == nil {
		return exe, nil
	}
	if err := write(goroot, dir, texts); err != nil {
		return "", err
	}
	// The tests of many packages may want it at the same time.
	defer lock(dir + ".lock")()
	if _, err := os.Stat(exe); err == nil {
		return exe, nil
	}
	part := filepath.Join(dir, "part.exe")
	c := Go(link, "build", "-trimpath", "-overlay="+filepath.Join(dir, "overlay.json"), "-o="+part, "cmd/compile")
	c.Dir = filepath.Join(goroot, "src")
	c.Env = append(c.Env, "GOOS=", "GOARCH=", "GOFLAGS=-buildvcs=false", "GOWORK=off", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the compiler of %s that marks loads and stores does not build (%v): %s", r.version, err, bytes.TrimSpace(out))
	}
	return exe, os.Rename(part, exe)
}

// RaceFlags are the flags for go build and go test with which loads and stores are marked, by the edited compiler if need be.
func (o *Overlay) RaceFlags() []string {
	const marks = "-gcflags=all=-race -d=checkptr=0"
	switch {
	case o.Native: // Go's own compiler does it there
		return []string{marks}
	case o.Compiler == "":
		return nil
	}
	return []string{"-toolexec=" + quoted(o.Compiler), marks}
}

// quoted is a path as a list of one word, as the go command splits it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t'") {
		return `"` + path + `"`
	}
	return path
}
