package host

import (
	"hash/maphash"
	"slices"

	"contend/model/disk"
	"contend/program/guest"
	"contend/program/wasm"
)

// A Snapshot is a [guest.Snapshot].
type Snapshot struct {
	memory *wasm.Image
	global wasm.Values
	state
}

// Snapshot keeps the state of the instance.
func (in *Instance) Snapshot() guest.Snapshot { return in.snapshot() }

func (in *Instance) snapshot() *Snapshot {
	return &Snapshot{memory: in.linear.Image(), global: in.global.Get(), state: in.state.clone()}
}

// Len is about how many bytes the snapshot takes up besides what it shares with the one that the instance was restored from.
func (s *Snapshot) Len() int { return s.memory.Len() }

// Disk is the program's disk, or nil. It is not to be changed.
func (s *Snapshot) Disk() *disk.Disk { return s.config.Disk }

// Errors is the end of what the program wrote to its standard error and output.
func (s *Snapshot) Errors() []byte { return s.errors }

// Restore brings the instance into a state of any instance of the same module.
func (in *Instance) Restore(s guest.Snapshot) { in.restore(s.(*Snapshot)) }

func (in *Instance) restore(s *Snapshot) {
	in.linear.Restore(s.memory, in.memory)
	in.global.Set(s.global)
	in.state, in.ended = s.state.clone(), nil
}

// Instance makes an instance in the state of the snapshot.
func (m *Module) Instance(s guest.Snapshot) (guest.Instance, error) {
	in, err := m.blank()
	if err != nil {
		return nil, err
	}
	in.Restore(s)
	return in, nil
}

var hashSeed = maphash.MakeSeed()

// Hash tells memories apart within this process.
func (in *Instance) Hash() uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	for p := range in.linear.Filled() {
		maphash.WriteComparable(&h, p)
		maphash.WriteComparable(&h, maphash.Bytes(hashSeed, in.linear.At(p)[:])) // Write would hash in many small parts
	}
	maphash.WriteComparable(&h, in.global.Get())
	return h.Sum64()
}

func (s *state) clone() state {
	c := *s
	c.inputs, c.errors = nil, slices.Clip(s.errors)
	s.errors = slices.Clip(s.errors)
	c.maps = slices.Clone(s.maps)
	c.files = make([]*open, len(s.files))
	for i, f := range s.files {
		if f != nil {
			own := *f
			c.files[i] = &own
		}
	}
	if c.config.Disk != nil {
		c.config.Disk = s.config.Disk.Clone()
	}
	return c
}
