package about

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"contend/checker/verify/starter"
	"contend/checker/verify/tool"
)

// startProgram writes a file beside a main function that makes the program a node, and a protocol of such nodes.
func startProgram(t *tool.Tool, name, path string) error {
	if err := newName(name); err != nil {
		return err
	}
	pkg, dir, err := mainPackage(path)
	if err != nil {
		return err
	}
	shim := filepath.Join(dir, "node_wasip1.go")
	if _, err := os.Lstat(shim); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("program is %q, but it has a file node_wasip1.go already", path)
	}
	if err := os.Mkdir(name, 0o755); err != nil {
		return err
	}
	for _, f := range []struct{ to, from string }{
		{shim, "node.go.txt"}, {filepath.Join(name, name+".go"), "program.go.txt"}, {filepath.Join(name, name+"_test.go"), "program_test.go.txt"},
	} {
		text, err := starter.Programs.ReadFile("program/" + f.from)
		if err != nil {
			return err
		}
		is := strings.ReplaceAll(named(string(text), name), "PROGRAM", pkg)
		if err := os.WriteFile(f.to, []byte(is), 0o644); err != nil {
			return err
		}
		shown := f.to
		if here, err := os.Getwd(); err == nil {
			if short, err := filepath.Rel(here, f.to); err == nil && filepath.IsAbs(f.to) {
				shown = short
			}
		}
		fmt.Fprintln(t.Out, shown)
	}
	fmt.Fprintf(t.Out, "\n%sCheck it with: go test ./%s\nPackage net reaches the other nodes by their names, such as n1:80. Calls come by sim.Invoked, and sim.Return ends them: see go doc contend/program/sim.\n", dependence(".", "program"), name)
	return nil
}

// mainPackage is the import path and the directory of a package main.
func mainPackage(path string) (pkg, dir string, err error) {
	c := exec.Command("go", "list", "-f", "{{.Name}}\n{{.ImportPath}}\n{{.Dir}}", "--", path)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return "", "", fmt.Errorf("program is %q, but go list finds no such package: %s", path, first)
	}
	fields := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(fields) != 3 || fields[0] != "main" {
		return "", "", fmt.Errorf("program is %q, but must be one package main", path)
	}
	return fields[1], fields[2], nil
}
