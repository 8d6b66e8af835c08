//go:build !wasip1 && !contend_native

package machine

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"contend/program/wasm"
)

// inWasm are tests in WebAssembly.
type inWasm struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	dir     string
}

// compile compiles the module of the tests.
func compile(module []byte, dir, cache string) (*inWasm, error) {
	module, err := wasm.Prepare(module)
	if err != nil {
		return nil, err
	}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(MostMemory>>16 + 1) // so that one of any size can be restored
	if kept, err := wazero.NewCompilationCacheWithDir(cache); err == nil {
		config = config.WithCompilationCache(kept)
	}
	ctx := context.Background()
	p := &inWasm{runtime: wazero.NewRuntimeWithConfig(ctx, config), dir: dir}
	if err := define(ctx, p.runtime); err != nil {
		return nil, err
	}
	if p.module, err = p.runtime.CompileModule(ctx, module); err != nil {
		return nil, fmt.Errorf("the module of the tests does not compile: %w", err)
	}
	return p, nil
}

type key struct{}

func (p *inWasm) run(test, pattern string, d Driver) Exit {
	in, s := newInstance(d), &linear{}
	in.state = s
	config := wazero.NewModuleConfig()
	for _, variable := range environment(p.dir, test) {
		name, value, _ := strings.Cut(variable, "=")
		config = config.WithEnv(name, value)
	}
	config = config.WithName("").WithArgs(arguments(pattern)...).
		WithStdout(&in.output).WithStderr(&in.output).WithRandSource(in.random).
		WithWalltime(func() (int64, int32) { return start + in.now/1e9, int32(in.now % 1e9) }, 1).
		WithNanotime(func() int64 { return in.now }, 1).
		WithNanosleep(in.sleep).WithFSConfig(in.mounted()).WithStartFunctions()
	ctx := context.WithValue(context.Background(), key{}, in)
	defer in.watch(test)()
	defer s.garbage.hold()()
	module, err := s.instantiate(ctx, p, config)
	if err == nil {
		_, err = module.ExportedFunction("_start").Call(ctx)
	}
	if module != nil {
		_ = module.Close(ctx)
	}
	e := Exit{Output: in.output.String()}
	if exit, is := err.(*sys.ExitError); is {
		e.Code = exit.ExitCode()
	} else {
		e.Err = err
	}
	if e.Err != nil && s.globals != nil && s.globals.Spent() {
		e.Code, e.Err = Ended, errLoops
	}
	return e
}

// Stuck is after how long without a point a program is given up.
const Stuck = time.Minute

// watch ends the process when a program reaches no point for long, since it cannot be stopped. The result ends the watch.
func (in *instance) watch(test string) func() {
	done := make(chan struct{})
	go func() {
		last, tick := in.calls.Load(), time.NewTicker(Stuck)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			now := in.calls.Load()
			if now == last {
				fmt.Fprintf(os.Stderr, "%s: a goroutine runs for %v and reaches no point at which another one could run; what was written:\n%s\n", test, Stuck, in.output.String())
				os.Exit(1)
			}
			last = now
		}
	}()
	return func() { close(done) }
}

// wasmMemory is that of a module.
type wasmMemory struct{ api.Memory }

func (m wasmMemory) read(at, n uint64) []byte {
	b, ok := m.Read(uint32(at), uint32(n))
	if !ok {
		panic("what the program asks is beyond its memory")
	}
	return b
}

func types(letters string) (all []api.ValueType) {
	for _, c := range letters {
		if c == 'I' {
			all = append(all, api.ValueTypeI64)
		} else {
			all = append(all, api.ValueTypeI32)
		}
	}
	return all
}

// define defines what programs import.
func define(ctx context.Context, r wazero.Runtime) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	b := r.NewHostModuleBuilder("contend")
	for name, f := range functions {
		call := func(ctx context.Context, mod api.Module, stack []uint64) {
			for i, c := range f.takes {
				if c == 'i' {
					stack[i] &= 0xffffffff // the upper half may hold anything
				}
			}
			in := ctx.Value(key{}).(*instance)
			in.calls.Add(1)
			if name == "next" {
				in.state.(*linear).garbage.collect()
			}
			in.state.(*linear).globals.Refuel()
			is := f.do(in, wasmMemory{mod.Memory()}, stack)
			if f.gives != "" {
				stack[0] = is
			}
		}
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(call), types(f.takes), types(f.gives)).Export(name)
	}
	_, err := b.Instantiate(ctx)
	return err
}
