// Package host runs Go programs that were compiled to WebAssembly (GOOS=wasip1, -buildmode=c-shared), one step at a time: an instance is
// given inputs and runs until all its goroutines wait. It has no clock, no random numbers, no files and no way out but what the
// host gives it, so that a program is a function of what it is given; and its whole state can be kept and taken up again.
//
// A program takes part by package contend/program/sim. How a step ends: the program's export sim_step takes the inputs and then
// reads a file descriptor, the bell. Once every goroutine waits the Go runtime asks the host to poll for the next timer and the bell.
// The host keeps when the timer is due, answers that the bell rings, and the export returns.
package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"contend/program/guest"
	"contend/program/wasm"
)

// A Module is a compiled program. Several goroutines may use it.
type Module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	once     sync.Once
	unused   *Snapshot // an instance that has run no code yet
}

// Compile compiles a module. Machine code is kept in the user's cache directory, so that the next process need not compile it again.
func Compile(module []byte) (*Module, error) {
	prepared, err := wasm.Prepare(module)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	m := &Module{runtime: wazero.NewRuntimeWithConfig(ctx, config())}
	if err := m.define(ctx); err != nil {
		return nil, err
	}
	if m.compiled, err = m.runtime.CompileModule(ctx, prepared); err != nil {
		return nil, fmt.Errorf("program: the module does not compile: %w", err)
	}
	if _, has := m.compiled.ExportedFunctions()["sim_step"]; !has {
		return nil, fmt.Errorf("program: the module has no sim_step: its main package must import contend/program/sim and call sim.Main " +
			"in an init function, and be built with -buildmode=c-shared")
	}
	return m, nil
}

// config keeps machine code where that can be done.
func config() wazero.RuntimeConfig {
	c := wazero.NewRuntimeConfig().WithMemoryLimitPages(guest.MostMemory/pageSize + 1) // so that one of any size can be restored
	dir, err := os.UserCacheDir()
	if err != nil {
		return c
	}
	if kept, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "contend", "wazero")); err == nil {
		c = c.WithCompilationCache(kept)
	}
	return c
}

const pageSize = 65536

// Settle implements [guest.Module]: any instance can have any state.
func (m *Module) Settle(string) (guest.Instance, error) { return nil, nil }

// Close frees the module. Its instances are of no use then.
func (m *Module) Close() error { return m.runtime.Close(context.Background()) }

// define defines what programs import.
func (m *Module) define(ctx context.Context) error {
	for module, functions := range map[string]map[string]function{"contend": own, "wasi_snapshot_preview1": wasi} {
		b := m.runtime.NewHostModuleBuilder(module)
		for name, f := range functions {
			b.NewFunctionBuilder().WithGoModuleFunction(f.call(), f.params(), f.results()).Export(name)
		}
		if _, err := b.Instantiate(ctx); err != nil {
			return fmt.Errorf("program: %w", err)
		}
	}
	return nil
}

// A function is what programs import: its parameters are 32 ('i') or 64 ('I') bits wide, and its result, if it has one, is 32.
type function struct {
	takes   string
	returns bool
	do      func(in *Instance, a []uint64) uint32
}

func (f function) params() (all []api.ValueType) {
	for _, c := range f.takes {
		if c == 'i' {
			all = append(all, api.ValueTypeI32)
		} else {
			all = append(all, api.ValueTypeI64)
		}
	}
	return all
}

func (f function) results() []api.ValueType {
	if !f.returns {
		return nil
	}
	return []api.ValueType{api.ValueTypeI32}
}

// call clears the upper half of what is 32 bits wide, which may hold anything.
func (f function) call() api.GoModuleFunc {
	return func(ctx context.Context, _ api.Module, stack []uint64) {
		for i, c := range f.takes {
			if c == 'i' {
				stack[i] &= 0xffffffff
			}
		}
		is := f.do(ctx.Value(instanceKey{}).(*Instance), stack)
		if f.returns {
			stack[0] = uint64(is)
		}
	}
}

type instanceKey struct{}
