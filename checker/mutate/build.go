package mutate

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"

	"contend/checker/mutate/driver"
	"contend/checker/mutate/schemata"
)

// An overlay is an overlay of files for the go command.
type overlay struct {
	dir     string            // temporary directory
	Replace map[string]string // path of a file → path of its replacement
}

// newOverlay returns an overlay with the instrumented copies of packages.
func newOverlay(dir string, packages []*schemata.Instrumented) (*overlay, error) {
	o := &overlay{dir: dir, Replace: map[string]string{}}
	for _, p := range packages {
		for path, text := range p.Files {
			if err := o.add(path, text); err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

func (o *overlay) add(path string, text []byte) error {
	at := filepath.Join(o.dir, fmt.Sprintf("%d-%s", len(o.Replace), filepath.Base(path)))
	o.Replace[path] = at
	return os.WriteFile(at, text, 0o644)
}

// command returns a go command with the overlay.
func (o *overlay) command(verb string, args ...string) (*exec.Cmd, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(o.dir, "overlay.json")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return nil, err
	}
	return exec.Command("go", append([]string{verb, "-overlay", path}, args...)...), nil
}

// run runs a go command in a directory.
func (o *overlay) run(dir, verb string, args ...string) error {
	c, err := o.command(verb, args...)
	if err != nil {
		return err
	}
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %s", verb, strings.TrimSpace(string(out)+" "+err.Error()))
	}
	return nil
}

// mainFile returns the main file of the program that checks a package's rows with mutants.
func mainFile(p *schemata.Source, protocols []string) []byte {
	var list []string
	for _, name := range protocols {
		list = append(list, "p."+name)
	}
	return fmt.Appendf(nil, "package main\n\nimport (\n\t%q\n\tp %q\n)\n\nfunc main() { driver.Main(%s) }\n",
		reflect.TypeFor[driver.Row]().PkgPath(), p.Path, strings.Join(list, ", "))
}
