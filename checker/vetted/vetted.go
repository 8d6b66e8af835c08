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

// The source may show an impure handler that a search cannot detect. So contend-vet checks the packages of a
// protocol's nodes and monitors while the checks of a test begin. It is a separate program, cached by go run,
// so that importers of this package do not link a type checker. With a warm cache it takes some tenths of a CPU
// second a package. Without source, go command or permission, the result is an error, and not an empty list of
// findings.

// errShort is the error with -short.
var errShort = errors.New("with -short the source is not looked through")

// module is the path of this module. Its CI vets its own packages.
var module = path.Dir(reflect.TypeFor[model.Claim]().PkgPath())

// Begin starts to vet a protocol's packages, and returns a function that waits for the findings, one a line.
// The error lists the packages that were not vetted, with reasons. Packages are not vetted after the deadline,
// unless it is zero.
func Begin(p *model.Protocol, deadline time.Time) (findings func() ([]string, error)) {
	if testing.Short() {
		return func() ([]string, error) { return nil, errShort }
	}
	packages := handlerPackages(p)
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

// handlerPackages returns the packages that declare the nodes and monitors of a protocol, for all its checks or
// its default configuration. It omits packages of this module, and packages of tests, since these have no
// import path.
func handlerPackages(p *model.Protocol) (packages []string) {
	checks := p.Checks
	if len(checks) == 0 {
		checks = []model.Check{{}}
	}
	for _, c := range checks {
		s, err := p.System(c.Variant, c.Config)
		if err != nil {
			continue // the check reports the error
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

var results sync.Map // package → func() ([]string, error)

// vet returns the findings in a package, one a line. Each package is vetted once a process.
func vet(pkg string, deadline time.Time) ([]string, error) {
	look, _ := results.LoadOrStore(pkg, sync.OnceValues(func() ([]string, error) {
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
	// It is built in its own module, since the user's module may lack its dependencies.
	out, err := output(ctx, "run", "-C", dir, "./cmd/contend-vet", "-C", here, "-json", pkg)
	if err != nil {
		return nil, err
	}
	return parseFindings(out, here)
}

// output runs the go command, and returns its standard output. If the command fails, the error has its standard
// error.
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

// parseFindings parses the findings in the output of go vet -json, with file names relative to here. A package
// is also vetted with its tests, so duplicates are removed.
func parseFindings(out []byte, here string) (findings []string, err error) {
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
