// Package plant builds programs with a mistake in a module that they depend on. The mistake is planted, or known from a release of the module. A check that finds no such mistake shows nothing.
//
// The go command refuses to overlay files of the module cache. So the module is copied and the copy is
// edited. The program is built with a separate go.mod (-modfile) whose replace directive names the copy.
// Neither the program's own module nor the module cache changes.
package plant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Plot is an editable copy of a module, with a go.mod that makes a program use it.
type Plot struct {
	Module  string // path of the module
	Copy    string // directory of the copy
	Modfile string // go.mod file for the go command's flag -modfile
	// Interrupt, unless nil, ends the go command once it is closed.
	Interrupt <-chan struct{}

	program string          // directory of the program's module
	source  string          // directory of the original module
	changed map[string]bool // files of the copy that differ
}

// A listed is the output of go list -m -json.
type listed struct {
	Path, Version, Dir, GoMod string
	Main                      bool
}

// Open copies a module that the program in a directory depends on. The version is the program's, or that of
// "PATH@VERSION". The copy and the go.mod are made in dir. The directory dir must be empty or not exist.
func Open(program, module, dir string) (*Plot, error) {
	module, version, _ := strings.Cut(module, "@")
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	p := &Plot{Module: module, Copy: filepath.Join(dir, "module"), Modfile: filepath.Join(dir, "go.mod"), program: program, changed: map[string]bool{}}
	m, err := p.find()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := p.copyModfile(); err != nil {
		return nil, err
	}
	if version != "" {
		if m, err = p.setVersion(version); err != nil {
			return nil, err
		}
	}
	p.source = m.Dir
	if err := p.copy(m); err != nil {
		return nil, err
	}
	// The directive names the version: so it overrides directives for all versions, and replaces one for this
	// version.
	_, err = p.Go("mod", "edit", "-replace="+m.Path+"@"+m.Version+"="+p.Copy, p.Modfile)
	return p, err
}

// setVersion makes the program require another version of the module.
func (p *Plot) setVersion(version string) (m listed, err error) {
	if !strings.HasPrefix(version, "v") {
		return m, fmt.Errorf("the version of %s is %s, but must be one such as v1.2.3", p.Module, version)
	}
	if _, err := p.Go("mod", "edit", "-require="+p.Module+"@"+version, p.Modfile); err != nil {
		return m, err
	}
	if m, err = p.find(p.Flags()...); err == nil && m.Version != version {
		err = fmt.Errorf("%s cannot be %s: other modules of the program need %s", p.Module, version, m.Version)
	}
	return m, err
}

// find returns the module's description. It downloads the module if necessary.
func (p *Plot) find(flags ...string) (m listed, err error) {
	for _, download := range []bool{false, true} {
		if download {
			if _, err := p.Go("mod", "download", p.Module+"@"+m.Version); err != nil {
				return m, err
			}
		}
		out, err := p.Go(slices.Concat([]string{"list"}, flags, []string{"-m", "-json", p.Module})...)
		if err != nil {
			return m, err
		}
		if err := json.Unmarshal(out, &m); err != nil {
			return m, fmt.Errorf("%s names more than one module: %w", p.Module, err)
		}
		if m.Main {
			return m, fmt.Errorf("%s is the program's own module: edit it, or use go build -overlay", p.Module)
		}
		if m.Dir != "" {
			return m, nil
		}
	}
	return m, fmt.Errorf("%s has no files", p.Module)
}

// copy copies the module and makes the copy writable.
func (p *Plot) copy(m listed) error {
	if err := os.CopyFS(p.Copy, os.DirFS(m.Dir)); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(p.Copy, "go.mod")); err != nil { // a module without a go.mod file
		if err := copyFile(m.GoMod, filepath.Join(p.Copy, "go.mod")); err != nil {
			return err
		}
	}
	return filepath.Walk(p.Copy, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.Mode()&os.ModeSymlink != 0 {
			return err
		}
		return os.Chmod(path, info.Mode()|0o200)
	})
}

// copyModfile copies the program's go.mod and go.sum.
func (p *Plot) copyModfile() error {
	out, err := p.Go("env", "GOMOD")
	if err != nil {
		return err
	}
	gomod := string(bytes.TrimSpace(out))
	if err := copyFile(gomod, p.Modfile); err != nil {
		return err
	}
	sum := filepath.Join(filepath.Dir(gomod), "go.sum")
	if err := copyFile(sum, filepath.Join(filepath.Dir(p.Modfile), "go.sum")); !os.IsNotExist(err) {
		return err
	}
	return nil
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// Plant applies edits to the copy, in order, after undoing the previous ones. If one of them fails, nothing
// changes.
func (p *Plot) Plant(edits ...Edit) error {
	files, err := Apply(p.source, edits)
	if err != nil {
		return err
	}
	for file := range p.changed {
		if _, again := files[file]; !again {
			if err := copyFile(filepath.Join(p.source, file), filepath.Join(p.Copy, file)); err != nil {
				return err
			}
			delete(p.changed, file)
		}
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(p.Copy, file), []byte(text), 0o644); err != nil {
			return err
		}
		p.changed[file] = true
	}
	return nil
}

// Build builds a main package of the program's module, such as ".", into a file, with the copy.
func (p *Plot) Build(main, file string) error {
	out, err := p.Go("list", "-f", "{{.Name}}", main)
	if err != nil {
		return err
	}
	if name := string(bytes.TrimSpace(out)); name != "main" {
		return fmt.Errorf("%s is package %s, but must be a main package", main, name)
	}
	_, err = p.Go(append(append([]string{"build"}, p.Flags()...), "-o", file, main)...)
	return err
}

// Flags returns the go command's flags for using the copy. The command must run in the program's module.
func (p *Plot) Flags() []string { return []string{"-mod=mod", "-modfile=" + p.Modfile} }

// Env returns an environment in which every go command uses the copy.
func (p *Plot) Env() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.Join(append(strings.Fields(os.Getenv("GOFLAGS")), p.Flags()...), " "))
}

// Go runs the go command in the program's module and returns its output. The error contains its standard
// error. It ignores workspaces (go.work), since -modfile does not work with them.
func (p *Plot) Go(args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-p.Interrupt:
			cancel()
		case <-ctx.Done():
		}
	}()
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir, command.WaitDelay = p.program, time.Second // child processes may hold the pipe
	command.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}
