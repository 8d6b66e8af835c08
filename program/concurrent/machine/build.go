//go:build !wasip1

// Package machine builds the tests of a package for WebAssembly and runs one of them, whose goroutines a driver schedules.
package machine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/tetratelabs/wazero"

	"contend/program/overlay"
	"contend/program/wasm"
)

// Tag is the build tag of tests that run in a machine.
const Tag = "contend"

// MostMemory is the maximum memory of a test in bytes.
const MostMemory = 512 << 20

// A Program is the tests of a package, compiled.
type Program struct {
	Go      string        // the version that compiled it
	Size    int           // of the module, in bytes
	Built   time.Duration // how long the go command took
	runtime wazero.Runtime
	module  wazero.CompiledModule
	dir     string
}

// Build builds the tests of the package in the current directory, with the build tags of this process. With races,
// loads and stores are marked, and a run ends at the first data race: see [Driver]. The error has the go command's
// output.
func Build(races bool) (*Program, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "contend")
	edits, err := overlay.Edits{Schedule: true, Race: races, Tests: true}.Cached("")
	if err != nil && races {
		return nil, fmt.Errorf("%w (Options.NoRaces does without the search for data races)", err)
	}
	if err != nil {
		return nil, err
	}
	p := &Program{Go: edits.Version, dir: dir}
	start := time.Now()
	module, err := compiled(edits)
	if err != nil {
		return nil, err
	}
	p.Built, p.Size = time.Since(start), len(module)
	if module, err = wasm.Prepare(module); err != nil {
		return nil, err
	}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(MostMemory>>16 + 1) // so that one of any size can be restored
	if kept, err := wazero.NewCompilationCacheWithDir(filepath.Join(cache, "wazero")); err == nil {
		config = config.WithCompilationCache(kept)
	}
	ctx := context.Background()
	p.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if err := define(ctx, p.runtime); err != nil {
		return nil, err
	}
	if p.module, err = p.runtime.CompileModule(ctx, module); err != nil {
		return nil, fmt.Errorf("the module of the tests does not compile: %w", err)
	}
	return p, nil
}

// compiled returns the module of the tests.
func compiled(edits *overlay.Overlay) ([]byte, error) {
	dir, err := os.MkdirTemp("", "contend")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "test.wasm")
	flags := append([]string{"test", "-c", "-trimpath", "-vet=off", "-tags=" + tags(), "-overlay=" + edits.File, "-o=" + file}, edits.RaceFlags()...)
	c := overlay.Go(edits.Goroot, append(flags, ".")...)
	c.Env = append(c.Env, "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOWASM=")
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the tests of this package do not build for GOOS=wasip1, where their goroutines could be scheduled (%v): %s", err, bytes.TrimSpace(out))
	}
	return os.ReadFile(file)
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
