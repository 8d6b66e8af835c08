package overlay

import (
	"encoding/json"
	"errors"
	"flag"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// goroot is that of the go command in use.
func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

var all = Edits{Schedule: true, Tests: true, Net: true, Slow: int64(time.Millisecond)}

// The overlay of this release is written once, and names files that are there.
func TestMake(t *testing.T) {
	dir := t.TempDir()
	o, err := all.Make("", dir)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := all.Make("", dir); err != nil || *again != *o {
		t.Errorf("the second time %+v, %v", again, err)
	}
	text, err := os.ReadFile(o.File)
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Replace) < 12 {
		t.Errorf("%d files only", len(list.Replace))
	}
	for name, by := range list.Replace {
		if _, err := os.Stat(by); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// racing are edits with which data races are found.
var racing = Edits{Schedule: true, Race: true, Tests: true}

// Edits move no line: what Go's tools say of a file is true of the original.
func TestLines(t *testing.T) {
	root := goroot(t)
	texts, err := all.texts(root)
	if err != nil {
		t.Fatal(err)
	}
	lines(t, root, texts)
	if texts, err = racing.texts(root); err != nil {
		t.Fatal(err)
	}
	lines(t, root, texts)
	if texts, _, err = compilerTexts(root); err != nil {
		t.Fatal(err)
	}
	left := maps.Clone(texts)
	maps.DeleteFunc(left, func(name string, _ []byte) bool { return strings.Contains(name, "/ssa/rewrite") })
	if len(left) != 5 || len(texts) < 20 {
		t.Errorf("of the compiler %d files are edited, and %d left out", len(left), len(texts)-len(left))
	}
	lines(t, root, left)
}

// Edits for native guests fit, and move no line, but for those that are in assembly.
func TestNativeLines(t *testing.T) {
	root := goroot(t)
	for _, e := range []Edits{onlyNative, nativeTests, {Schedule: true, Tests: true, Native: true}} {
		texts, err := e.texts(root)
		if err != nil {
			t.Fatal(err)
		}
		if len(texts) < 18 {
			t.Errorf("%d files only", len(texts))
		}
		lines(t, root, texts)
	}
}

// nativeTests are edits for bodies that are native guests.
var nativeTests = Edits{Schedule: true, Race: true, Tests: true, Native: true}

// A native guest has no file that is for WebAssembly alone, and one in WebAssembly none for Linux.
func TestSystems(t *testing.T) {
	root := goroot(t)
	for _, c := range []struct {
		edits Edits
		not   string
	}{{nativeTests, "_wasip1.go"}, {racing, "_linux.go"}} {
		texts, err := c.edits.texts(root)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range texts {
			if strings.Contains(name, "/contend") && (strings.HasSuffix(name, c.not) || c.edits.Native && strings.Contains(string(text), "go:wasmimport")) {
				t.Errorf("%s is added", name)
			}
		}
	}
}

// No system call of the runtime and of package syscall is the kernel's, in any file for linux/amd64.
func TestNativeCalls(t *testing.T) {
	root := goroot(t)
	texts, err := onlyNative.texts(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"runtime", "syscall", "internal/runtime", "internal/syscall", "time", "os", "crypto", "net"} {
		err := filepath.WalkDir(filepath.Join(root, "src", filepath.FromSlash(dir)), func(name string, e os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_amd64.s") {
				return err
			}
			for _, system := range []string{"windows", "darwin", "freebsd", "netbsd", "openbsd", "dragonfly", "plan9", "solaris", "unix"} {
				if strings.Contains(filepath.Base(name), system) {
					return nil
				}
			}
			below, _ := filepath.Rel(filepath.Join(root, "src"), name)
			text, is := texts[filepath.ToSlash(below)]
			if !is {
				text, err = os.ReadFile(name)
			}
			if strings.Contains(string(text), "\tSYSCALL") {
				t.Errorf("%s asks the kernel", below)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

var releases = flag.Bool("full", false, "download the releases that edits were tested with")

// The edits for native guests fit the releases that are named, and the one in use.
func TestNativeReleases(t *testing.T) {
	if !*releases {
		t.Skip("only with -full: it downloads toolchains")
	}
	for _, version := range NativeReleases {
		c := exec.Command("go", "env", "GOROOT")
		c.Dir = t.TempDir()
		c.Env = append(os.Environ(), "GOTOOLCHAIN="+version, "GOROOT=")
		out, err := c.Output()
		if err != nil {
			t.Logf("%s cannot be had: %v", version, err)
			continue
		}
		root := strings.TrimSpace(string(out))
		if _, err := onlyNative.texts(root); err != nil {
			t.Errorf("%s: %v", version, err)
		}
		if _, err := racing.texts(root); err != nil {
			t.Logf("%s: no edits for tests: %v", version, err)
		} else if _, err := nativeTests.texts(root); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

var onlyNative = Edits{Native: true, Net: true, Slow: int64(time.Millisecond)}

// A release to which an edit for native guests does not fit is refused in a sentence that names the file.
func TestNativeRefused(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"runtime/proc.go", `const haveSysmon = GOARCH != "wasm"`, `const haveSysmon = GOOS != "js"`, "runtime/proc.go has 0 times"},
		{"runtime/netpoll_epoll.go", "func netpoll(delay int64) (gList, int32) {", "func netpoll(delay int64) (*gList, int32) {", "runtime/netpoll_epoll.go has no func netpoll(delay int64) (gList, int32)"},
		{"runtime/asm_amd64.s", "\tCALL\truntime·settls(SB)\n\n\t// store", "\tCALL\truntime·settle(SB)\n\n\t// store", "runtime/asm_amd64.s has 0 times"},
		{"syscall/asm_linux_amd64.s", "\tSYSCALL\n", "\tSYSCALL // the kernel\n", "syscall/asm_linux_amd64.s has no SYSCALL"},
	} {
		root := copied(t, c.name, func(text string) string {
			if !strings.Contains(text, c.from) {
				t.Errorf("%s has no %s", c.name, c.from)
			}
			return strings.ReplaceAll(text, c.from, c.to)
		})
		_, err := onlyNative.makeFor(root, "go9.99", t.TempDir())
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "go9.99") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// lines compares texts with the files of the release.
func lines(t *testing.T, root string, texts map[string][]byte) {
	t.Helper()
	for name, text := range texts {
		original, err := os.ReadFile(filepath.Join(root, "src", filepath.FromSlash(name)))
		if err != nil {
			continue // it is added
		}
		if was, is := strings.Count(string(original), "\n"), strings.Count(string(text), "\n"); was != is {
			t.Errorf("%s had %d lines and has %d", name, was, is)
		}
		if strings.HasSuffix(name, ".go") {
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Error(err)
			}
		}
	}
}

// Each operation that the documentation calls a point has one.
func TestPoints(t *testing.T) {
	texts, err := all.texts(goroot(t))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for name, text := range texts {
		if !strings.Contains(name, "contend") {
			count += strings.Count(string(text), "contendPoint(")
		}
	}
	// 3 of channels, 1 of select, 27 of package sync, 4 of atomic.Value, 39 functions of sync/atomic
	if count != 74 {
		t.Errorf("%d points", count)
	}
}

// copied is the tree of the source files with one of them changed.
func copied(t *testing.T, name string, change func(string) string) string {
	t.Helper()
	from, to := filepath.Join(goroot(t), "src"), t.TempDir()
	root := to
	to = filepath.Join(to, "src")
	for _, element := range strings.Split(name, "/") {
		if err := os.Mkdir(to, 0o755); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() == element {
				continue
			}
			if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
		from, to = filepath.Join(from, element), filepath.Join(to, element)
	}
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, []byte(change(string(text))), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

// A release whose source does not fit is refused in a sentence that names the file and the release.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"runtime/select.go", "cheaprandn(uint32(norder + 1))", "randn(uint32(norder + 1))",
			"runtime/select.go has 0 times cheaprandn(uint32(norder + 1)) in func selectgo("},
		{"runtime/proc.go", "func runqget(pp *p) (", "func runqget(pp *p, now int64) (",
			"runtime/proc.go has no func runqget(pp *p) (gp *g, inheritTime bool)"},
		{"sync/mutex.go", "func (m *Mutex) Lock() {", "func (m *Mutex) Lock() error {",
			"sync/mutex.go has no func (m *Mutex) Lock()"},
		{"sync/atomic/asm.s", "TEXT ·AddInt32(SB)", "TEXT ·AddInt33(SB)",
			`sync/atomic/asm.s has 0 times "TEXT ·AddInt32(SB)"`},
		{"syscall/syscall_wasip1.go", "func Syscall(trap, a1,", "func Syscall(number, a1,",
			"syscall/syscall_wasip1.go has no func Syscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno)"},
		{"runtime/chan.go", "package runtime", "package (", "runtime/chan.go does not parse"},
	} {
		root := copied(t, c.name, func(text string) string {
			if !strings.Contains(text, c.from) {
				t.Errorf("%s has no %s", c.name, c.from)
			}
			return strings.Replace(text, c.from, c.to, 1)
		})
		_, err := all.makeFor(root, "go9.99", t.TempDir())
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "go9.99") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := all.makeFor(t.TempDir(), runtime.Version(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("an empty GOROOT: %v", err)
	}
}

// So is one whose race detector or compiler does not fit.
func TestRacesRefused(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"runtime/race0.go", "//go:build !race", "//go:build !racing", `runtime/race0.go has 0 times "//go:build !race\n"`},
		{"runtime/proc.go", "const randomizeScheduler = raceenabled", "const randomizeScheduler = raceenabled && true", "runtime/proc.go has 0 times"},
		{"sync/pool.go", "runtime_randn(4) == 0", "runtime_randn(5) == 0", "sync/pool.go has 0 times runtime_randn(4) == 0"},
		{"cmd/compile/internal/base/flag.go", "Flag.Race && !platform", "Flag.Race && !!platform", "cmd/compile/internal/base/flag.go has 0 times"},
		{"cmd/compile/internal/ssagen/ssa.go", "s.instrumentEnterExit = true", "s.instrumentCalls = true", "cmd/compile/internal/ssagen/ssa.go has 0 times"},
		{"cmd/internal/objabi/flag.go", `"%s version %s%s\n"`, `"%s is %s%s\n"`, "cmd/internal/objabi/flag.go has 0 times"},
		{"cmd/compile/main.go", "func main() {", "func main_() {", "cmd/compile/main.go has no func main()"},
	} {
		root := copied(t, c.name, func(text string) string {
			if !strings.Contains(text, c.from) {
				t.Errorf("%s has no %s", c.name, c.from)
			}
			return strings.Replace(text, c.from, c.to, 1)
		})
		_, err := racing.texts(root)
		if strings.HasPrefix(c.name, "cmd/") {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			_, _, err = compilerTexts(root)
		}
		var m *missing
		if !errors.As(err, &m) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A compiler whose files are other than expected is built whole.
func TestCompilerWhole(t *testing.T) {
	root := copied(t, "cmd/compile/main.go", func(text string) string { return strings.ReplaceAll(text, ".Init,", ".Start,") })
	texts, hash, err := compilerTexts(root)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(texts["cmd/compile/main.go"]); !strings.Contains(text, `"cmd/compile/internal/amd64"`) {
		t.Errorf("architectures are left out:\n%s", text)
	}
	if text := string(texts["cmd/internal/objabi/flag.go"]); !strings.Contains(text, " contend-"+hash[:16]+"%s") {
		t.Errorf("the compiler's version has no hash:\n%s", text)
	}
}

// Kinds have names.
func TestKinds(t *testing.T) {
	for k := Send; k <= Call; k++ {
		if strings.HasPrefix(k.String(), "operation") {
			t.Errorf("%d is %v", k, k)
		}
	}
	if (Call + 1).String() == "" {
		t.Error("an unknown kind has no name")
	}
}
