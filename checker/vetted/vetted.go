// Package vetted runs contend-vet on the packages of a protocol.
package vetted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
// command, or no permission to run it, the reason is an error: that nothing was looked at is not that
// nothing was found.

// errShort is the reason with -short.
var errShort = errors.New("with -short the source is not looked through")

// module is the path of this module. Its own packages are vetted by its CI.
var module = path.Dir(reflect.TypeFor[model.Claim]().PkgPath())

// Begin begins to vet a protocol's packages, and returns what waits for the findings, a line each. The error says which packages
// were not vetted, and why. What is not done by the deadline, unless that is zero, is not vetted.
func Begin(p *model.Protocol, deadline time.Time) (findings func() ([]string, error)) {
	if testing.Short() {
		return func() ([]string, error) { return nil, errShort }
	}
	packages := handlersOf(p)
	type answer struct {
		found []string
		err   error
	}
	found := make(chan answer, 1)
	go func() {
		var all answer
		for _, pkg := range packages {
			one, err := vet(pkg, deadline)
			all = answer{append(all.found, one...), errors.Join(all.err, err)}
		}
		found <- all
	}()
	return func() ([]string, error) { a := <-found; return a.found, a.err }
}

// handlersOf lists the packages that declare the nodes and monitors of a protocol, without those of
// this module and those of tests, which have no import path. A protocol that lists no checks has that of its
// default configuration.
func handlersOf(p *model.Protocol) (packages []string) {
	checks := p.Checks
	if len(checks) == 0 {
		checks = []model.Check{{}}
	}
	for _, c := range checks {
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

var vets sync.Map // by package, of func() ([]string, error)

// vet returns what is found in a package, in a line each. A process looks once.
func vet(pkg string, deadline time.Time) ([]string, error) {
	look, _ := vets.LoadOrStore(pkg, sync.OnceValues(func() ([]string, error) {
		found, err := runVet(pkg, deadline)
		if err != nil {
			err = fmt.Errorf("contend-vet did not look through %s: %w", pkg, err)
		}
		return found, err
	}))
	return look.(func() ([]string, error))()
}

func runVet(pkg string, deadline time.Time) (findings []string, err error) {
	ctx, cancel := context.Background(), context.CancelFunc(func() {})
	if !deadline.IsZero() {
		ctx, cancel = context.WithDeadline(ctx, deadline)
	}
	defer cancel()
	here, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	home, err := output(ctx, "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return nil, err
	}
	dir := strings.TrimSpace(string(home))
	if dir == "" {
		return nil, fmt.Errorf("the source of module %s is not here", module)
	}
	// It is built in its own module, since the user's need not know what it depends on.
	out, err := output(ctx, "run", "-C", dir, "./cmd/contend-vet", "-C", here, "-json", pkg)
	if err != nil {
		return nil, err
	}
	return told(out, here)
}

// output runs the go command, and returns what it prints. The error has what it printed of a failure.
func output(ctx context.Context, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("go %s took until the test's time was nearly over", args[0])
	case errors.As(err, &failed):
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, bytes.TrimSpace(failed.Stderr))
	}
	return out, err
}

// told reads the findings that go vet -json writes, with files named from a directory. A package is
// looked at with its tests, too, which gives some findings twice.
func told(out []byte, here string) (findings []string, err error) {
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var units map[string]map[string]json.RawMessage // by package, by analyzer
		if err := d.Decode(&units); errors.Is(err, io.EOF) {
			slices.Sort(findings)
			return slices.Compact(findings), nil
		} else if err != nil {
			return nil, fmt.Errorf("its output is no JSON: %w", err)
		}
		for _, unit := range units {
			var list []struct{ Posn, Message string }
			if is := unit["contend"]; is == nil {
				continue
			} else if json.Unmarshal(is, &list) != nil {
				return nil, fmt.Errorf("the analyzer failed: %s", is)
			}
			for _, f := range list {
				findings = append(findings, fmt.Sprintf("%s: %s", strings.TrimPrefix(f.Posn, here+string(filepath.Separator)), f.Message))
			}
		}
	}
}
