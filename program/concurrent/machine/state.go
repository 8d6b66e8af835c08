//go:build !wasip1

package machine

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"contend/program/wasm"
)

// state is what an instance is in memory. It is kept as the first run begins, and restored where a run is to begin as that one did: after a run that
// left goroutines or timers behind, or before each run of a body that does not do the same twice.
//
// It is restored while the program waits for the function next to return. That is sound since the test calls next from one place, each time after its goroutine
// has waited: then below next there is the same chain of WebAssembly functions, which hold nothing but the place of the goroutine's stack. That does not
// move: the stack is made large before, and does not shrink. Should it have moved all the same, the program ends, and is begun again.
type state struct {
	memory  api.Memory
	linear  *wasm.Memory
	globals *wasm.Globals
	kept    *wasm.Image
	values  wasm.Values
	now     int64
	left    bool // a run has left something behind since
}

// Moved is the exit code of a program whose state could not be restored.
const Moved = 201

func (s *state) instantiate(ctx context.Context, p *Program, config wazero.ModuleConfig) (api.Module, error) {
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

// begins begins a run.
func (s *state) begins(in *instance) {
	switch {
	case s.kept == nil:
		s.kept, s.values, s.now = s.linear.Image(), s.globals.Get(), in.now
	case in.next.Another && (s.left || in.next.Fresh):
		if is := s.globals.Get(); is[0] != s.values[0] || is[2] != s.values[2] { // the places of the stack and of the goroutine
			panic(sys.NewExitError(Moved))
		}
		s.linear.Restore(s.kept, s.memory)
		s.left = false
	}
	in.now, in.tick = s.now, 0
	in.random.Seed([32]byte{1})
}
