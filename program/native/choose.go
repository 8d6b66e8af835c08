//go:build linux && amd64

package native

import (
	"encoding/binary"
	"fmt"

	"contend/program/overlay"
)

// What a program asks that was built with the edits for the order of goroutines.
var (
	asksPick   = overlay.Question("pick")
	asksPoint  = overlay.Question("point")
	asksChoose = overlay.Question("choose")
)

// choose answers a question about the order of goroutines. Questions that only tests of goroutines ask have the answer 0.
func (in *Instance) choose(what uintptr, a [6]uintptr) uintptr {
	if in.choices == nil {
		return 0
	}
	switch what {
	case asksPick:
		return in.chosen("pick", a[0], in.ids(nil, a[0], a[1]))
	case asksPoint:
		return in.chosen("point", a[2], in.ids([]uint64{uint64(a[0]), uint64(a[1])}, a[2], a[3]))
	case asksChoose:
		return in.chosen("choose", a[0], nil)
	}
	return 0
}

// ids appends n ids of goroutines from the program's memory.
func (in *Instance) ids(all []uint64, n, at uintptr) []uint64 {
	for b := in.place.read(at, 8*n); len(b) > 0; b = b[8:] {
		all = append(all, binary.LittleEndian.Uint64(b))
	}
	return all
}

func (in *Instance) chosen(kind string, n uintptr, about []uint64) uintptr {
	is := in.choices(kind, int(n), about)
	if is < 0 || is >= int(n) {
		panic(fmt.Sprintf("the choice %d of %s is not in [0, %d)", is, kind, n))
	}
	return uintptr(is)
}
