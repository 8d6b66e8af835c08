//go:build linux && amd64

package native

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"sync/atomic"

	"contend/model/disk"
	"contend/program/guest"
	"contend/program/wire"
)

// An Instance is a program in some state. It implements [guest.Instance]. While another instance's state is in its place, its own is kept.
type Instance struct {
	module *Module
	place  *place
	kept   *image // its memory, unless it is in the place
	from   *image // what the memory was restored from, for what is alike
	state
	inputs  [][]byte
	outputs []guest.Output
	over    error // how the program ended
	host    Host  // of a [Process]; nil of others
	calls   atomic.Uint64
	choices func(kind string, n int, about []uint64) int // the order of goroutines, or nil
}

// state is what an instance has beside its memory.
type state struct {
	config guest.Config
	now    int64 // of the clock that only goes forward, in nanoseconds
	timer  int64 // when the next timer is due by it, or guest.Never
	random guest.Random
	kernel
	errors []byte // the end of what it wrote to its standard error and output
}

// A Snapshot is a [guest.Snapshot].
type Snapshot struct {
	place *place
	image *image
	state
}

// Release implements [guest.Instance]. Places are what is kept.
func (in *Instance) Release() (keep bool) {
	p := in.place
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.owner == in {
		p.owner = nil
	}
	p.users.Add(-1)
	in.place, in.kept, in.from = nil, nil, nil
	return false
}

// occupy brings the state into its place. What is in the place is kept. The place is locked.
func (in *Instance) occupy() {
	p := in.place
	if p.owner == in {
		return
	}
	if o := p.owner; o != nil && o.over != nil {
		o.kept = p.fresh // what it was before it ended is of no use
	} else if o != nil {
		o.kept = p.keep(o.from)
		o.from = o.kept
	}
	p.owner = in
	p.close(nil)
	p.shed(in.kept)
	p.restore(in.kept)
	p.close(in.beyond())
	in.from, in.kept = in.kept, nil
}

// Begin implements [guest.Instance].
func (in *Instance) Begin(c guest.Config) error {
	if in.place == nil || in.place.name != c.Args[0] {
		if err := in.module.settle(in, c.Args[0]); err != nil {
			return err
		}
	}
	if err := install(); err != nil {
		return err
	}
	p := in.place
	p.mu.Lock()
	defer p.mu.Unlock()
	in.begin(c)
	in.over = in.run()
	in.limit = in.memory + guest.MostMemory
	return in.over
}

// begin has the program in its place, before its first instruction. The place is locked.
func (in *Instance) begin(c guest.Config) {
	if in.place.owner == in {
		in.place.owner = nil
	}
	in.kept, in.maps = in.place.fresh, nil
	in.occupy()
	in.state = state{config: c, now: 1, timer: guest.Never, random: guest.Seeded(c.Seed)}
	in.kernel = kernel{files: []*open{{}, {}, {}}, limit: regionSize}
	in.outputs, in.inputs = nil, nil
	in.start()
}

// start lays out the stack as the kernel does: arguments, environment, auxiliary vector.
func (in *Instance) start() {
	p := in.place
	stack := bytesAt(p.base+stackAt, stackSize)
	texts := stackSize - 128<<10
	text := func(s string) uint64 {
		at := texts
		texts += copy(stack[texts:], s) + 1
		return uint64(p.base+stackAt) + uint64(at)
	}
	words := []uint64{uint64(p.base) + in.module.image.Entry, uint64(len(in.config.Args))} // where to go, and what the kernel leaves
	for _, all := range [][]string{in.config.Args, in.config.Env} {
		for _, s := range all {
			words = append(words, text(s))
		}
		words = append(words, 0)
	}
	const pageSizes = 6
	words = append(words, pageSizes, pageSize, 0, 0)
	at := (stackSize-128<<10-8*len(words))&^15 - 8 // the stack is aligned without the first word
	for i, w := range words {
		binary.LittleEndian.PutUint64(stack[at+8*i:], w)
	}
	s := p.slot
	s.guestSP, s.guestG = p.base+stackAt+uintptr(at), p.base
}

// Step implements [guest.Instance].
func (in *Instance) Step(now int64, inputs ...[]byte) ([]guest.Output, error) {
	p := in.place
	p.mu.Lock()
	defer p.mu.Unlock()
	if in.over != nil {
		return nil, in.over
	}
	in.occupy()
	in.now, in.inputs, in.outputs = max(in.now, now), inputs, nil
	in.over = in.run()
	in.inputs = nil
	return in.outputs, in.over
}

// Stacks implements [guest.Instance].
func (in *Instance) Stacks() (string, error) {
	out, err := in.Step(0, []byte{wire.Where})
	for _, o := range out {
		if o.Kind == wire.Stacks {
			return string(o.Data), err
		}
	}
	if err == nil {
		err = fmt.Errorf("native: the program does not tell where its goroutines are")
	}
	return "", err
}

// Snapshot implements [guest.Instance].
func (in *Instance) Snapshot() guest.Snapshot {
	p := in.place
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &Snapshot{place: p, image: in.kept, state: in.state.clone()}
	if p.owner == in {
		s.image = p.keep(in.from)
		in.from = s.image
	}
	return s
}

// Restore implements [guest.Instance].
func (in *Instance) Restore(from guest.Snapshot) {
	s := from.(*Snapshot)
	if in.place != s.place {
		in.Release()
		in.place = s.place
		in.place.users.Add(1)
	}
	p := in.place
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.owner == in {
		p.owner = nil
	}
	in.kept, in.state = s.image, s.state.clone()
	in.inputs, in.outputs, in.over = nil, nil, nil
}

var hashSeed = maphash.MakeSeed()

// Hash implements [guest.Instance].
func (in *Instance) Hash() uint64 {
	p := in.place
	p.mu.Lock()
	defer p.mu.Unlock()
	in.occupy()
	s := p.slot
	words := [3]uintptr{s.guestSP, s.guestG, s.stack}
	var h maphash.Hash
	h.SetSeed(hashSeed)
	maphash.WriteComparable(&h, words)
	for _, r := range p.present() {
		for at := uintptr(r.from); at < uintptr(r.to); at += pageSize {
			if b := bytesAt(at, pageSize); at != p.base+slotAt && !bytes.Equal(b, zero[:]) {
				maphash.WriteComparable(&h, at)
				maphash.WriteComparable(&h, maphash.Bytes(hashSeed, b))
			}
		}
	}
	return h.Sum64()
}

// Place implements [guest.Instance].
func (in *Instance) Place() uint64 { return uint64(in.place.base) }

// Choose implements [guest.Instance].
func (in *Instance) Choose(choices func(kind string, n int, about []uint64) int) {
	in.choices = choices
}

// Now implements [guest.Instance].
func (in *Instance) Now() int64 { return in.now }

// Timer implements [guest.Instance].
func (in *Instance) Timer() int64 { return in.timer }

// Jump implements [guest.Instance].
func (in *Instance) Jump(by int64) { in.config.Wall += by }

// Size implements [guest.Instance].
func (in *Instance) Size() int {
	p := in.place
	p.mu.Lock()
	defer p.mu.Unlock()
	if in.kept != nil {
		return in.kept.size()
	}
	return 1 << 20 // most of it is the place's
}

// Errors implements [guest.Instance].
func (in *Instance) Errors() []byte { return in.errors }

// Disk implements [guest.Instance].
func (in *Instance) Disk() *disk.Disk { return in.config.Disk }

// Close implements [guest.Instance].
func (in *Instance) Close() error {
	in.Release()
	return nil
}

// Len implements [guest.Snapshot].
func (s *Snapshot) Len() int { return s.image.size() }

// Disk implements [guest.Snapshot].
func (s *Snapshot) Disk() *disk.Disk { return s.config.Disk }

// Errors implements [guest.Snapshot].
func (s *Snapshot) Errors() []byte { return s.errors }

func (m *image) size() int { return m.own*pageSize + len(m.at)*16 }

func (s *state) clone() state {
	c := *s
	c.errors, s.errors = slices.Clip(s.errors), slices.Clip(s.errors)
	c.kernel = s.kernel.clone()
	if c.config.Disk != nil {
		c.config.Disk = s.config.Disk.Clone()
	}
	return c
}
