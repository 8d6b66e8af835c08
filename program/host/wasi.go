package host

import (
	"encoding/binary"
	"maps"

	"contend/program/guest"
)

// Error numbers of WASI.
const (
	eAcces       = 2
	eAgain       = 6
	eBadf        = 8
	eBusy        = 10
	eExist       = 20
	eFBig        = 22
	eInval       = 28
	eIO          = 29
	eIsDir       = 31
	eNameTooLong = 37
	eNoDev       = 43
	eNoEnt       = 44
	eNoMem       = 48
	eNoSpc       = 51
	eNotDir      = 54
	eNotEmpty    = 55
	eNotSup      = 58
)

// bell is the descriptor that ends a step.
const bell = 100

// wasi are the functions of module wasi_snapshot_preview1.
var wasi = map[string]function{
	"args_sizes_get":    {"ii", true, func(in *Instance, a []uint64) uint32 { return in.sizes(in.config.Args, a) }},
	"args_get":          {"ii", true, func(in *Instance, a []uint64) uint32 { return in.strings(in.config.Args, a) }},
	"environ_sizes_get": {"ii", true, func(in *Instance, a []uint64) uint32 { return in.sizes(in.config.Env, a) }},
	"environ_get":       {"ii", true, func(in *Instance, a []uint64) uint32 { return in.strings(in.config.Env, a) }},
	"clock_time_get": {"iIi", true, func(in *Instance, a []uint64) uint32 {
		now := in.now
		if a[0] == 0 {
			now += in.config.Wall
		}
		in.put64(a[2], uint64(now))
		return 0
	}},
	"random_get": {"ii", true, func(in *Instance, a []uint64) uint32 {
		in.random.Fill(in.read(a[0], a[1]))
		return 0
	}},
	"sched_yield": {"", true, func(*Instance, []uint64) uint32 { return 0 }},
	"proc_exit": {"i", false, func(in *Instance, a []uint64) uint32 {
		code := int(int32(a[0]))
		in.ended = &code
		panic(errExit)
	}},
	"poll_oneoff":   {"iiii", true, (*Instance).poll},
	"sock_accept":   {"iii", true, func(*Instance, []uint64) uint32 { return eNotSup }},
	"sock_shutdown": {"ii", true, func(*Instance, []uint64) uint32 { return eNotSup }},
}

func init() { maps.Copy(wasi, files) }

func (in *Instance) sizes(all []string, a []uint64) uint32 {
	total := 0
	for _, s := range all {
		total += len(s) + 1
	}
	in.put32(a[0], uint32(len(all)))
	in.put32(a[1], uint32(total))
	return 0
}

func (in *Instance) strings(all []string, a []uint64) uint32 {
	at := a[1]
	for i, s := range all {
		in.put32(a[0]+uint64(4*i), uint32(at))
		at += uint64(copy(in.read(at, uint64(len(s)+1)), s+"\x00"))
	}
	return 0
}

// poll waits for a timer, the bell, or both. Nothing else can be waited for.
func (in *Instance) poll(a []uint64) uint32 {
	const size = 48
	wait, rings, user := int64(-1), false, uint64(0)
	for i := range a[2] {
		s := in.read(a[0]+size*i, size)
		switch s[8] {
		case 0: // a clock
			wait = int64(binary.LittleEndian.Uint64(s[24:]))
		default:
			if binary.LittleEndian.Uint32(s[16:]) == bell {
				rings, user = true, binary.LittleEndian.Uint64(s)
			}
		}
	}
	in.put32(a[3], 0)
	switch {
	case wait == 0: // it only looks
	case rings:
		in.storeAll()
		in.timer = guest.Never
		if wait > 0 && wait < guest.Never-in.now {
			in.timer = in.now + wait
		}
		in.rings = true
		event := in.read(a[1], 32)
		clear(event)
		binary.LittleEndian.PutUint64(event, user)
		event[10] = 1 // to be read
		in.put32(a[3], 1)
	case wait > 0: // within no step, as while packages are initialised: time passes
		in.now += wait
	default:
		panic("all goroutines wait for ever, and no step is taken")
	}
	return 0
}
