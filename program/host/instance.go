package host

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"contend/model/disk"
	"contend/program/wasm"
)

// A Config says what a program is started with.
type Config struct {
	Args []string // the name of the program first
	Env  []string // "name=value", in the order in which the program sees them
	Seed uint64   // of the random numbers
	Wall int64    // what the wall clock shows when the other clock shows 0, in nanoseconds since 1970
	Disk *disk.Disk
}

// Never is when a timer is due if none is set.
const Never = int64(1<<63 - 1)

// An Output is something that the program tells its host.
type Output struct {
	Kind uint32
	Data []byte
}

// An Instance is a program that runs. One goroutine at a time may use it.
type Instance struct {
	// Choices, unless nil, is asked what a program that was built with the schedule overlay leaves to its host, a number in [0, n):
	// "pick", which goroutine runs next, about their ids; "point", whether the first goroutine goes on with an operation (0) or another one runs,
	// about the kind of the operation, the address of its object and the ids; "choose", which ready case a select takes. Without it the answer is 0.
	Choices func(kind string, n int, about []uint64) int

	module *Module
	mod    api.Module
	memory api.Memory
	linear *wasm.Memory // the same
	global *wasm.Globals
	step   api.Function
	ctx    context.Context
	state
	outputs []Output
	ended   *Exit // set by proc_exit
}

// state is what an instance has beside its memory and its globals.
type state struct {
	config Config
	now    int64 // of the clock that only goes forward, in nanoseconds
	timer  int64 // when the next timer is due by it, or Never
	random random
	inputs [][]byte
	files  []*open // by descriptor; nil where there is none
	rings  bool
	errors []byte // the end of what it wrote to its standard error and output
}

// New makes an instance, and has its packages initialised. Function main runs in the first step.
func (m *Module) New(c Config) (*Instance, error) {
	in, err := m.blank()
	if err != nil {
		return nil, err
	}
	return in, in.Begin(c)
}

// Begin does to an instance, whatever it has run, what New does to one that it makes. That takes a tenth of the time.
func (in *Instance) Begin(c Config) error {
	in.Restore(in.module.unused)
	in.config, in.random = c, seeded(c.Seed)
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
	if in.linear, err = wasm.New(MostMemory); err != nil {
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
	in.state = state{now: 1, timer: Never}
	m.once.Do(func() { m.unused = in.Snapshot() })
	return in, nil
}

// Step sets the clock, unless it is later already, hands inputs to the program, and runs it until all its goroutines wait. It returns what
// the program told. The error is an [*Exit] or a [*Failure]; then the instance is of no use until it is restored.
func (in *Instance) Step(now int64, inputs ...[]byte) ([]Output, error) {
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

// Now is what the clock of the program shows, in nanoseconds since it was made.
func (in *Instance) Now() int64 { return in.now }

// Jump moves the wall clock, by nanoseconds.
func (in *Instance) Jump(by int64) { in.config.Wall += by }

// Timer is when the next timer is due by this clock, or [Never].
func (in *Instance) Timer() int64 { return in.timer }

// Errors is the end of what the program wrote to its standard error and output.
func (in *Instance) Errors() []byte { return in.errors }

// Disk is the program's disk, or nil.
func (in *Instance) Disk() *disk.Disk { return in.config.Disk }

// Size is about how much memory it takes up, in bytes: as much as the snapshot that it was restored from.
func (in *Instance) Size() int { return int(in.linear.Len()) }

// Close frees the instance.
func (in *Instance) Close() error { return in.mod.Close(in.ctx) }
