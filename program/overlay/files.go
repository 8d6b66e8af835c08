package overlay

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed hooks/files.go.txt
var filesHook string

// files gives package syscall for wasip1 what programs use of it on Linux for files and memory: its constants and types, flock, mmap and others. Package
// golang.org/x/sys/unix reaches them by syscall.Syscall. Each sync takes so many nanoseconds.
func files(o *release, slow int64) {
	o.add("syscall/contend_files_wasip1.go", filesHook)
	o.add("syscall/contend_linux_wasip1.go", o.linux())
	wait := "func contendWait() {}\n"
	if slow > 0 {
		wait = fmt.Sprintf("import _ \"unsafe\"\n\n//go:linkname contendSleep time.Sleep\nfunc contendSleep(ns int64)\n\nfunc contendWait() { contendSleep(%d) }\n", slow)
	}
	o.add("syscall/contend_wait_wasip1.go", "package syscall\n\n"+wait)
	o.open("syscall/fs_wasip1.go").line("func Fsync(fd int) error {", "func contendFsync(fd int) error {")
	o.open("syscall/net_fake.go").line("SYS_FCNTL = 500", "SYS_FCNTL = 72")
	calls := o.open("syscall/syscall_wasip1.go")
	calls.line("type Signal uint8\n", "type Signal int\n")
	for _, name := range []string{"Syscall", "RawSyscall"} {
		calls.body("func "+name+"(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno)", "return contendCalled(trap, a1, a2, a3, 0, 0, 0)")
		calls.body("func "+name+"6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno)", "return contendCalled(trap, a1, a2, a3, a4, a5, a6)")
	}
	o.open("runtime/runtime.go").body("func syscall_Getpagesize() int", "return 4096") // as on linux/amd64: mappings have such pages
}

// linuxCalls are the functions of package syscall for Linux that only call syscall.Syscall with what the host answers.
var linuxCalls = []string{"Fallocate", "Fdatasync", "Flock", "Madvise", "Mlock", "Mprotect", "Munlock", "SyncFileRange", "Uname"}

// linux returns a file with what package syscall has for linux/amd64 and not for wasip1: constants, types, and linuxCalls. Error numbers and signals
// are those of wasip1. An error that wasip1 lacks is one with the same number on Linux, or has a number of its own.
func (o *release) linux() string {
	has := o.declared()
	var b strings.Builder
	errors := map[string]string{} // by the number on Linux, those of wasip1
	for _, e := range errorOf.FindAllStringSubmatch(string(o.open("syscall/zerrors_linux_amd64.go").text), -1) {
		if has[e[1]] {
			errors[e[2]] = e[1]
		}
	}
	b.WriteString("package syscall\n\nimport \"unsafe\"\n\n")
	for _, kind := range []string{"zerrors", "zsysnum", "ztypes", "zsyscall"} {
		s := o.open("syscall/" + kind + "_linux_amd64.go")
		if s.file == nil {
			continue
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				if d.Tok != token.CONST && d.Tok != token.TYPE {
					continue
				}
				for _, spec := range d.Specs {
					if name := declares(spec); len(name) == 0 || has[name[0]] {
						continue
					}
					code := s.code(spec)
					if e := errorOf.FindStringSubmatch(code); e != nil {
						code = fmt.Sprintf("%s = %s", e[1], cmp.Or(errors[e[2]], "Errno(0x1000 + "+e[2]+")"))
					}
					if !strings.Contains(code, "= Signal(") {
						fmt.Fprintf(&b, "%s %s\n", d.Tok, code)
					}
				}
			case *ast.FuncDecl:
				if slices.Contains(linuxCalls, d.Name.Name) {
					b.WriteString(s.code(d) + "\n\n")
				}
			}
		}
	}
	return b.String()
}

// errorOf finds the name and the number of an error.
var errorOf = regexp.MustCompile(`\b(E\w+)\s*= Errno\((\w+)\)`)

// declares returns the names that a declaration of constants, variables or types declares.
func declares(spec ast.Spec) (names []string) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		names = append(names, spec.Name.Name)
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.Name != "_" {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// declared returns the constants, variables and types that package syscall has for wasip1.
func (o *release) declared() map[string]bool {
	all := map[string]bool{}
	here := gobuild.Default
	here.GOOS, here.GOARCH, here.CgoEnabled = "wasip1", "wasm", false
	for _, name := range o.files("syscall") {
		s := o.open(name)
		if is, err := here.MatchFile(filepath.Join(o.goroot, "src", "syscall"), path.Base(name)); err != nil || !is || s.file == nil {
			continue
		}
		for _, d := range s.file.Decls {
			if d, is := d.(*ast.GenDecl); is {
				for _, spec := range d.Specs {
					for _, name := range declares(spec) {
						all[name] = true
					}
				}
			}
		}
	}
	return all
}
