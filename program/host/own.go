package host

import (
	"encoding/binary"
	"fmt"

	"contend/program/guest"
)

// own are the functions of module contend.
var own = map[string]function{
	// input(at, room) takes the next input to memory and returns its length, or -1 when there is none.
	"input": {"ii", true, func(in *Instance, a []uint64) uint32 {
		if len(in.inputs) == 0 {
			return ^uint32(0)
		}
		next := in.inputs[0]
		if len(next) > int(a[1]) {
			return uint32(len(next)) // it comes again for a larger room
		}
		in.inputs = in.inputs[1:]
		copy(in.read(a[0], uint64(len(next))), next)
		return uint32(len(next))
	}},
	// output(kind, at, length)
	"output": {"iii", false, func(in *Instance, a []uint64) uint32 {
		in.outputs = append(in.outputs, guest.Output{Kind: uint32(a[0]), Data: append([]byte(nil), in.read(a[1], a[2])...)})
		return 0
	}},
	// pick(n, at) chooses one of the goroutines whose ids, 64 bits each, are at a place.
	"pick": {"ii", true, func(in *Instance, a []uint64) uint32 {
		if in.choices == nil {
			return 0
		}
		return in.chosen("pick", int(a[0]), in.ids(nil, a[0], a[1]))
	}},
	// point(what, address, n, at, state, timer) chooses one of the goroutines that can run, of which the first is about to do what others can see.
	"point": {"iiiiii", true, func(in *Instance, a []uint64) uint32 {
		if in.choices == nil {
			return 0
		}
		return in.chosen("point", int(a[2]), in.ids([]uint64{a[0], a[1]}, a[2], a[3]))
	}},
	// clock and idle are for tests of goroutines.
	"clock": {"I", false, func(*Instance, []uint64) uint32 { return 0 }},
	"idle":  {"IIIiii", true, func(*Instance, []uint64) uint32 { return 0 }},
	// where tells the place in the source of a point to hosts that want it.
	"where": {"iiiii", false, func(*Instance, []uint64) uint32 { return 0 }},
	// choose(n)
	"choose": {"i", true, func(in *Instance, a []uint64) uint32 {
		if in.choices == nil {
			return 0
		}
		return in.chosen("choose", int(a[0]), nil)
	}},
}

// ids are n ids of goroutines at a place, behind others.
func (in *Instance) ids(all []uint64, n, at uint64) []uint64 {
	for b := in.read(at, 8*n); len(b) > 0; b = b[8:] {
		all = append(all, binary.LittleEndian.Uint64(b))
	}
	return all
}

func (in *Instance) chosen(kind string, n int, about []uint64) uint32 {
	is := in.choices(kind, n, about)
	if is < 0 || is >= n {
		panic(fmt.Sprintf("the choice %d of %s is not in [0, %d)", is, kind, n))
	}
	return uint32(is)
}

// read is a piece of memory.
func (in *Instance) read(at, n uint64) []byte {
	b, ok := in.memory.Read(uint32(at), uint32(n))
	if !ok {
		panic(fmt.Sprintf("%d bytes at %d are beyond the memory of the program", n, at))
	}
	return b
}

func (in *Instance) put32(at uint64, v uint32) { binary.LittleEndian.PutUint32(in.read(at, 4), v) }
func (in *Instance) put64(at uint64, v uint64) { binary.LittleEndian.PutUint64(in.read(at, 8), v) }
