package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Release of the library: until v3.5 it was part of etcd.
type Release struct{ Module, Version string }

const (
	inEtcd   = "go.etcd.io/etcd/raft/v3"
	byItself = "go.etcd.io/raft/v3"
	glued    = "v3.6.0" // the release of byItself that the glue is written for
)

// releases are all releases that go list -m -versions prints for the two modules, from v3.5.0-alpha.0 on.
var releases = append(versions(inEtcd, "v3.5.0-alpha.0 v3.5.0 v3.5.5 v3.5.7 v3.5.8 v3.5.9 v3.5.10 v3.5.11 v3.5.13 v3.5.15 v3.5.16 v3.5.21 v3.5.23 v3.5.33 v3.5.34 v3.5.35"),
	versions(byItself, "v3.6.0 v3.7.0-beta.0 v3.7.0-rc.0 v3.7.0-rc.1 v3.7.0")...)

func versions(module, versions string) (all []Release) {
	for _, v := range strings.Fields(versions) {
		all = append(all, Release{module, v})
	}
	return all
}

// source returns the directory of a release's source in the module cache.
func (r Release) source() (string, error) {
	out, err := run("", "go", "mod", "download", "-json", r.Module+"@"+r.Version)
	if err != nil {
		return "", err
	}
	var is struct{ Dir string }
	return is.Dir, json.Unmarshal(out, &is)
}

// code returns a hash of a release's Go code, without tests and comments. Releases with equal hashes are the
// same library.
func (r Release) code() (string, error) {
	dir, err := r.source()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	err = filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		inside, err := filepath.Rel(dir, path)
		if err != nil || strings.HasPrefix(inside, "rafttest") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution) // without comments
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, inside)
		return printer.Fprint(sum, fset, file)
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// run runs a command in a directory and returns its output.
func run(dir, name string, args ...string) ([]byte, error) {
	command := exec.Command(name, args...)
	command.Dir = dir
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", filepath.Base(name), args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}
