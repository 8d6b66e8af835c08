package build

import (
	"cmp"
	"fmt"
	gobuild "go/build"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// linux lists packages that a program in WebAssembly is built from with their files for Linux, since they lack files for wasip1, or their files do
// less. [Package.Linux] names further packages.
var linux = []string{
	"github.com/blevesearch/mmap-go",
	"github.com/boltdb/bolt",
	"github.com/cockroachdb/pebble/v2/internal/rawalloc",
	"github.com/cockroachdb/pebble/v2/vfs",
	"github.com/dgraph-io/badger/v4",
	"github.com/dgraph-io/badger/v4/y",
	"github.com/dgraph-io/ristretto/v2/z",
	"github.com/edsrzf/mmap-go",
	"github.com/go-kit/log/term",
	"github.com/gofrs/flock",
	"github.com/prometheus/procfs",
	"github.com/sirupsen/logrus",
	"github.com/syndtr/goleveldb/leveldb/storage",
	"github.com/xujiajun/mmap-go",
	"go.etcd.io/bbolt",
	"go.etcd.io/bbolt/internal/common",
	"go.etcd.io/etcd/client/pkg/v3/fileutil",
	systemCalls,
}

// A change replaces files of a directory. A file whose text is nil is left out.
type change map[string][]byte

// changes returns, by directory, the changes with which the listed packages are built from their files for Linux. The error is one sentence: a
// package of [Package.Linux] is none of the program's.
func (p Package) changes() (map[string]change, error) {
	packages, err := p.onLinux()
	if err != nil {
		return nil, err
	}
	all := map[string]change{}
	for _, one := range packages {
		if slices.Contains(linux, one.ImportPath) || slices.Contains(p.Linux, one.ImportPath) {
			if all[one.Dir], err = p.fromLinux(one); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range p.Linux {
		if !slices.ContainsFunc(packages, func(l listed) bool { return l.ImportPath == name && l.Dir != "" }) {
			return nil, fmt.Errorf("Config.Linux has %s, but must name packages that the program imports on Linux", name)
		}
	}
	delete(all, "")
	return all, nil
}

// fromLinux returns the change of a package: files that only linux/amd64 has are there, and files that only wasip1 has are not. A package with
// assembly has the files for Linux of a processor that it has no assembly for.
func (p Package) fromLinux(l listed) (change, error) {
	here, there := gobuild.Default, gobuild.Default
	here.GOOS, here.GOARCH, here.CgoEnabled, here.BuildTags = "wasip1", "wasm", false, p.Tags
	there.GOOS, there.GOARCH, there.CgoEnabled, there.BuildTags = "linux", "amd64", false, p.Tags
	if len(l.SFiles) > 0 && l.ImportPath != systemCalls {
		there.GOARCH = "wasm"
	}
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return nil, err
	}
	c := change{}
	for _, e := range entries {
		name := e.Name()
		if strings.HasSuffix(name, ".s") && l.ImportPath == systemCalls {
			c[name] = nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		has, err := here.MatchFile(l.Dir, name)
		wants, err2 := there.MatchFile(l.Dir, name)
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		if has == wants {
			continue
		}
		c[name] = nil
		if wants {
			text, err := os.ReadFile(filepath.Join(l.Dir, name))
			if err != nil {
				return nil, err
			}
			c[renamed(name)] = constraint.ReplaceAll(text, []byte("//"))
		}
	}
	if l.ImportPath == systemCalls {
		goroot, err := p.run("env", "GOROOT")
		if err != nil {
			return nil, err
		}
		errors, err := errorsOf(strings.TrimSpace(string(goroot)))
		if err != nil {
			return nil, err
		}
		c.systemCalls(errors)
	}
	return c, nil
}

// constraint finds build constraints.
var constraint = regexp.MustCompile(`(?m)^//(go:build| \+build) .*$`)

// renamed returns the name for wasip1 of a file for Linux.
func renamed(name string) string {
	return "contend-" + strings.ReplaceAll(strings.TrimSuffix(name, ".go"), "_", "-") + "_wasip1.go"
}
