package host

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"contend/model/disk"
	"contend/program/guest"
	"contend/program/wasm"
)

// An Instance is a [guest.Instance].
type Instance struct {
	module *Module
	mod    api.Module
	memory api.Memory
	linear *wasm.Memory // the same
	global *wasm.Globals
	step   api.Function
	ctx    context.Context
	state
	outputs []guest.Output
	ended   *int // the code, set by proc_exit
	choices func(kind string, n int, about []uint64) int
}

// state is what an instance has beside its memory and its globals.
type state struct {
	config guest.Config
	now    int64 // of the clock that only goes forward, in nanoseconds
	timer  int64 // when the next timer is due by it, or guest.Never
	random guest.Random
	inputs [][]byte
	files  []*open // by descriptor; nil where there is none
	maps   []guest.Mapping
	rings  bool
	errors []byte // the end of what it wrote to its standard error and output
}

// New makes an instance, and has its packages initialised. Function main runs in the first step.
func (m *Module) New(c guest.Config) (guest.Instance, error) {
	in, err := m.blank()
	if err != nil {
		return nil, err
	}
	return in, in.Begin(c)
}

// Begin does to an instance, whatever it has run, what New does to one that it makes. That takes a tenth of the time.
func (in *Instance) Begin(c guest.Config) error {
	in.restore(in.module.unused)
	in.config, in.random = c, guest.Seeded(c.Seed)
	in.files = []*open{{}, {}, {}}
	if c.Disk != nil {
		in.files = append(in.files, &open{file: disk.Root})
	}
	in.global.Refuel()
	_, err := in.mod.ExportedFunction("_initialize").Call(in.ctx)
	return in.failure(err)
}

// blank makes an instance that has run no code yet.
func (m *Module) blank() (*Instance, error) {
	in := &Instance{module: m}
	in.ctx = context.WithValue(context.Background(), instanceKey{}, in)
	var err error
	if in.linear, err = wasm.New(guest.MostMemory); err != nil {
		return nil, err
	}
	ctx := experimental.WithMemoryAllocator(in.ctx, experimental.MemoryAllocatorFunc(func(uint64, uint64) experimental.LinearMemory { return in.linear }))
	if in.mod, err = m.runtime.InstantiateModule(ctx, m.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions()); err != nil {
		return nil, fmt.Errorf("program: the module cannot be instantiated: %w", err)
	}
	in.memory, in.step = in.mod.Memory(), in.mod.ExportedFunction("sim_step")
	if in.global, err = wasm.GlobalsOf(in.mod); err != nil {
		return nil, err
	}
	in.state = state{now: 1, timer: guest.Never}
	m.once.Do(func() { m.unused = in.snapshot() })
	return in, nil
}

// Step sets the clock, unless it is later already, hands inputs to the program, and runs it until all its goroutines wait. It returns what
// the program told. The error is an [*guest.Exit] or a [*guest.Failure]; then the instance is of no use until it is restored.
func (in *Instance) Step(now int64, inputs ...[]byte) ([]guest.Output, error) {
	in.now, in.inputs, in.outputs = max(in.now, now), inputs, nil
	in.global.Refuel()
	_, err := in.step.Call(in.ctx)
	return in.outputs, in.failure(err)
}

// Stacks is where the goroutines are that wait, as the Go runtime writes it. The instance is of no use until it is restored.
func (in *Instance) Stacks() (string, error) {
	in.outputs = nil
	in.global.Refuel()
	if _, err := in.mod.ExportedFunction("sim_stacks").Call(in.ctx); err != nil {
		return "", in.failure(err)
	}
	return string(in.outputs[0].Data), nil
}

// Choose sets who decides the order of goroutines.
func (in *Instance) Choose(choices func(kind string, n int, about []uint64) int) {
	in.choices = choices
}

// Release does nothing: an instance is its own memory, and takes long to make.
func (in *Instance) Release() (keep bool) { return true }

// Place is 0: addresses of WebAssembly begin at 0.
func (in *Instance) Place() uint64 { return 0 }

// Now is what the clock of the program shows, in nanoseconds since it was made.
func (in *Instance) Now() int64 { return in.now }

// Jump moves the wall clock, by nanoseconds.
func (in *Instance) Jump(by int64) { in.config.Wall += by }

// Timer is when the next timer is due by this clock, or [guest.Never].
func (in *Instance) Timer() int64 { return in.timer }

// Errors is the end of what the program wrote to its standard error and output.
func (in *Instance) Errors() []byte { return in.errors }

// Disk is the program's disk, or nil.
func (in *Instance) Disk() *disk.Disk { return in.config.Disk }

// Size is about how much memory it takes up, in bytes: as much as the snapshot that it was restored from.
func (in *Instance) Size() int { return int(in.linear.Len()) }

// Close frees the instance.
func (in *Instance) Close() error { return in.mod.Close(in.ctx) }
