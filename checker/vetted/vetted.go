// Package vetted runs contend-vet on the packages of a protocol.
package vetted

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"contend/model"
)

// What a search cannot see of an impure handler, its source may show: contend-vet looks through the
// packages of a protocol's nodes and monitors while the checks of a test begin. It is a program of
// its own, which go run keeps built, so that nobody who imports this package links a type checker;
// warm it takes some tenths of a second of CPU time for a package. Where there is no source, no go
// command, or no permission to run it, nothing is found.

// vetFor bounds how long it may take.
const vetFor = time.Minute

// module is the path of this module. Its own packages are vetted by its CI.
var module = path.Dir(reflect.TypeFor[model.Claim]().PkgPath())

// Begin begins to vet a protocol's packages, and returns what waits for the findings, a line each. With -short there are none.
func Begin(p *model.Protocol) (findings func() []string) {
	if testing.Short() {
		return func() []string { return nil }
	}
	packages := handlersOf(p)
	found := make(chan []string, 1)
	go func() {
		var all []string
		for _, pkg := range packages {
			all = append(all, vet(pkg)...)
		}
		found <- all
	}()
	return func() []string { return <-found }
}

// handlersOf lists the packages that declare the nodes and monitors of a protocol, without those of
// this module and those of tests, which have no import path.
func handlersOf(p *model.Protocol) (packages []string) {
	for _, c := range p.Checks {
		s, err := p.System(c.Variant, c.Config)
		if err != nil {
			continue // its check says so
		}
		for _, n := range s.Nodes {
			if n.New != nil {
				packages = append(packages, packageOf(n.New()))
			}
		}
		for _, claim := range p.Claims {
			if claim.Monitor != nil {
				packages = append(packages, packageOf(claim.Monitor(s)))
			}
		}
	}
	slices.Sort(packages)
	return slices.DeleteFunc(slices.Compact(packages), func(pkg string) bool {
		own := slices.ContainsFunc([]string{"model", "impl", "checker"}, func(room string) bool { return strings.HasPrefix(pkg+"/", module+"/"+room+"/") })
		return pkg == "" || own || strings.HasSuffix(pkg, "_test")
	})
}

func packageOf(node any) string {
	t := reflect.TypeOf(node)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath()
}

var vets sync.Map // by package, of func() []string

// vet returns what is found in a package, in a line each. A process looks once.
func vet(pkg string) []string {
	look, _ := vets.LoadOrStore(pkg, sync.OnceValue(func() []string { return runVet(pkg) }))
	return look.(func() []string)()
}

func runVet(pkg string) (findings []string) {
	ctx, cancel := context.WithTimeout(context.Background(), vetFor)
	defer cancel()
	here, err := filepath.Abs(".")
	if err != nil {
		return nil
	}
	home, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return nil
	}
	// It is built in its own module, since the user's need not know what it depends on.
	out, err := exec.CommandContext(ctx, "go", "run", "-C", strings.TrimSpace(string(home)), "./cmd/contend-vet", "-C", here, "-json", pkg).Output()
	if err != nil {
		return nil
	}
	return told(out, here)
}

// told reads the findings that go vet -json writes, with files named from a directory. A package is
// looked at with its tests, too, which gives some findings twice.
func told(out []byte, here string) (findings []string) {
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var units map[string]map[string]json.RawMessage // by package, by analyzer
		if d.Decode(&units) != nil {
			slices.Sort(findings)
			return slices.Compact(findings)
		}
		for _, unit := range units {
			var list []struct{ Posn, Message string }
			if json.Unmarshal(unit["contend"], &list) != nil {
				continue
			}
			for _, f := range list {
				findings = append(findings, fmt.Sprintf("%s: %s", strings.TrimPrefix(f.Posn, here+string(filepath.Separator)), f.Message))
			}
		}
	}
}
