//go:build !wasip1 && !contend_native

// Package machine builds the tests of a package as a native guest, or for WebAssembly, and runs one of them, whose goroutines a driver schedules.
package machine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"time"

	"contend/program/build"
	"contend/program/native"
	"contend/program/overlay"
)

// Tag is the build tag of tests that run in a machine.
const Tag = "contend"

// MostMemory is the maximum memory of a test in bytes.
const MostMemory = 512 << 20

// A Program is the tests of a package, compiled.
type Program struct {
	Go    string        // the version that compiled it
	Guest Guest         // as which it runs
	Why   error         // it is no native guest; nil if it is, or is not to be
	Size  int           // in bytes
	Built time.Duration // how long the go command took
	guest interface {
		run(test, pattern string, d Driver) Exit
	}
}

// A Guest is a way to run tests.
type Guest int

// The guests.
const (
	Any    Guest = iota // native where that is possible
	Wasm                // in WebAssembly
	Native              // as code of the processor, in this process
)

// String names the guest.
func (g Guest) String() string { return [...]string{"any", "wasm", "native"}[g] }

// Build builds the tests of the package in the current directory, with the build tags of this process. With races,
// loads and stores are marked, and a run ends at the first data race: see [Driver]. The error has the go command's
// output.
func Build(g Guest, races bool) (*Program, error) {
	if g == Wasm {
		return made(Wasm, races, nil)
	}
	edits, err := edited(Native, races)
	if err == nil {
		err = asksKernel(edits)
	}
	var p *Program
	if err == nil {
		if p, err = made(Native, races, edits); err == nil || !errors.As(err, new(*unfit)) {
			return p, err
		}
	}
	if g == Native {
		return nil, err
	}
	p, elsewhere := made(Wasm, races, nil)
	if elsewhere != nil {
		return nil, elsewhere
	}
	p.Why = err
	return p, nil
}

// An unfit is the error of tests that were built as a native guest and cannot be one in this process.
type unfit struct{ error }

// edited returns the edits for a guest. The error of a native one says why there is none here.
func edited(g Guest, races bool) (*overlay.Overlay, error) {
	if g == Native {
		if err := native.Supported(); err != nil {
			return nil, err
		}
	}
	edits, err := overlay.Edits{Schedule: true, Race: races, Tests: true, Native: g == Native}.Cached("")
	if err != nil && races && g == Wasm {
		return nil, fmt.Errorf("%w (Options.NoRaces does without the search for data races)", err)
	}
	return edits, err
}

// made builds the tests as one guest. The edits are made unless they are given.
func made(g Guest, races bool, edits *overlay.Overlay) (*Program, error) {
	if edits == nil {
		var err error
		if edits, err = edited(g, races); err != nil {
			return nil, err
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	p := &Program{Go: edits.Version, Guest: g}
	start := time.Now()
	temporary, err := os.MkdirTemp("", "contend")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	file := filepath.Join(temporary, "test")
	if err := compiled(edits, file); err != nil {
		return nil, err
	}
	p.Built = time.Since(start)
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	p.Size = int(info.Size())
	if g == Native {
		if p.guest, err = load(file, dir); err != nil {
			return nil, &unfit{err}
		}
		return p, nil
	}
	module, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p.guest, err = compile(module, dir, filepath.Join(cache(), "wazero"))
	return p, err
}

// cache is the directory of what is kept.
func cache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "contend")
}

// compiled compiles the tests.
func compiled(edits *overlay.Overlay, file string) error {
	flags := append([]string{"test", "-c", "-trimpath", "-vet=off", "-o=" + file}, edits.RaceFlags()...)
	if edits.Native {
		flags = append(flags, "-buildmode=pie", "-ldflags=-w")
	}
	c := command(edits, flags...)
	if out, err := c.CombinedOutput(); err != nil {
		instead := ""
		if edits.Native {
			instead = "; CONTEND_GUEST=wasm builds them for WebAssembly"
		}
		return fmt.Errorf("the tests of this package do not build for %s, where their goroutines could be scheduled%s (%v): %s", system(edits)[0], instead, err, bytes.TrimSpace(out))
	}
	return nil
}

// asksKernel is an error if the assembly of a package asks the kernel, which the host could not answer.
func asksKernel(edits *overlay.Overlay) error {
	list, err := command(edits, "list", "-deps", "-test", "-json=ImportPath,Dir,Standard,SFiles").Output()
	if err != nil {
		return nil // nor does it build, which says why
	}
	return build.Kernel(list)
}

// command is the go command for the package in the current directory as a guest.
func command(edits *overlay.Overlay, flags ...string) *exec.Cmd {
	tags := tags()
	if edits.Native {
		tags += "," + overlay.NativeTag
	}
	c := overlay.Go(edits.Goroot, append(flags, "-overlay="+edits.File, "-tags="+tags, ".")...)
	c.Env = append(append(c.Env, "CGO_ENABLED=0"), system(edits)...)
	return c
}

// system is for what a guest is built.
func system(edits *overlay.Overlay) []string {
	if edits.Native {
		return []string{"GOOS=linux", "GOARCH=amd64", "GOAMD64=v1"}
	}
	return []string{"GOOS=wasip1", "GOARCH=wasm", "GOWASM="}
}

// tags returns the build tags of this process, and [Tag].
func tags() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				return s.Value + "," + Tag
			}
		}
	}
	return Tag
}
