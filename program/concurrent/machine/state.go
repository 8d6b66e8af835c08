//go:build !wasip1 && !contend_native

package machine

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"contend/program/wasm"
)

// linear is the [state] of a module.
//
// It is restored while the program waits for the function next to return. That is sound since the test calls next from one place, each time after its goroutine
// has waited: then below next there is the same chain of WebAssembly functions, which hold nothing but the place of the goroutine's stack. That does not
// move: the stack is made large before, and does not shrink. Should it have moved all the same, the program ends, and is begun again.
type linear struct {
	memory  api.Memory
	linear  *wasm.Memory
	globals *wasm.Globals
	kept    *wasm.Image
	values  wasm.Values
	garbage garbage
}

// Moved is the exit code of a program whose state could not be restored.
const Moved = 201

func (s *linear) instantiate(ctx context.Context, p *inWasm, config wazero.ModuleConfig) (api.Module, error) {
	var err error
	if s.linear, err = wasm.New(MostMemory); err != nil {
		return nil, err
	}
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(uint64, uint64) experimental.LinearMemory { return s.linear }))
	module, err := p.runtime.InstantiateModule(ctx, p.module, config)
	if err != nil {
		return nil, err
	}
	s.memory = module.Memory()
	if s.globals, err = wasm.GlobalsOf(module); err == nil {
		s.globals.Refuel()
	}
	return module, err
}

func (s *linear) keep() { s.kept, s.values = s.linear.Image(), s.globals.Get() }

func (s *linear) restore() {
	if is := s.globals.Get(); is[0] != s.values[0] || is[2] != s.values[2] { // the places of the stack and of the goroutine
		panic(sys.NewExitError(Moved))
	}
	s.linear.Restore(s.kept, s.memory)
}
