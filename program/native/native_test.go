//go:build linux && amd64

package native_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
	"contend/program/build"
	"contend/program/guest"
	"contend/program/host"
	"contend/program/native"
	"contend/program/overlay"
	"contend/program/wire"
)

var full = flag.Bool("full", false, "let each failure happen a thousand times")

var compiled sync.Map

// compile builds a program as a native guest, or in WebAssembly.
func compile(t testing.TB, pkg string, isNative bool) guest.Module {
	if why := native.Supported(); why != nil {
		t.Skip(why)
	}
	key := fmt.Sprint(pkg, isNative)
	if m, is := compiled.Load(key); is {
		return m.(guest.Module)
	}
	p := build.Package{Path: pkg, Native: isNative}
	if isNative {
		o, err := overlay.Edits{Native: true}.Cached("")
		require.NoError(t, err)
		p.Overlay, p.Goroot = o.File, o.Goroot
	}
	plan, err := p.Plan()
	require.NoError(t, err)
	b, err := plan.Compile()
	require.NoError(t, err)
	var m guest.Module
	if isNative {
		m, err = native.Load(b.File)
	} else {
		m, err = host.Compile(b.Wasm)
	}
	require.NoError(t, err)
	compiled.Store(key, m)
	return m
}

func call(s string) []byte { return append([]byte{wire.Called}, s...) }

// goOn takes an instance through so many steps, with a call in every fifth, and returns what it tells.
func goOn(t testing.TB, in guest.Instance, steps int) (told []string) {
	for i := range steps {
		var inputs [][]byte
		if i%5 == 0 {
			inputs = [][]byte{call(fmt.Sprint("call", i%3))}
		}
		out, err := in.Step(in.Timer(), inputs...)
		require.NoError(t, err)
		told = append(told, texts(out)...)
	}
	return told
}

func texts(out []guest.Output) (all []string) {
	for _, o := range out {
		all = append(all, fmt.Sprint(o.Kind, " ", string(o.Data)))
	}
	return all
}

func begun(t testing.TB, m guest.Module, c guest.Config) guest.Instance {
	in, err := m.New(c)
	require.NoError(t, err)
	_, err = in.Step(0)
	require.NoError(t, err)
	return in
}

func config(name string) guest.Config {
	return guest.Config{Args: []string{name}, Env: []string{"GOGC=800"}, Wall: 1e18, Disk: disk.New(disk.Options{})}
}

// ends are the ways in which a program fails, and how that is told. Where the text is "" it goes on.
var ends = map[string]string{
	"panic": "panic: on purpose", "elsewhere": "panic: on purpose", "crash": "panic: on purpose", "writes": "panic: on purpose",
	"nil": "panic: runtime error: invalid memory address or nil pointer dereference", "far": "panic: runtime error: invalid memory address",
	"divide": "panic: runtime error: integer divide by zero", "index": "panic: runtime error: index out of range",
	"starts": "panic: fork/exec /bin/true: function not implemented", "exit": "the program exits with code 3", "log": "the program exits with code 1", "abort": "the program exits with code 2",
	"lock": "fatal error: sync: unlock of unlocked mutex", "memory": "out of memory", "goroutines": "",
	"calls": "does not come to rest: a step took more than",
	"loop":  "does not come to rest: a step took more than", "maps": "does not come to rest", "garbage": "does not come to rest",
	"nowhere": "fatal error: fault", "noncanonical": "fatal error: fault", "constant": "fatal error: fault", "jump": "fatal error: fault", "beyond": "fatal error: fault",
	"runtime": "fatal error", "stack": "", "recovers": "2 recovered runtime error: invalid memory address or nil pointer dereference",
	"faults": "2 recovered runtime error: invalid memory address or nil pointer dereference",
}

// Whatever a program does, at whatever moment, the host goes on, says how it ended, with its goroutines where the runtime tells of them, and the next run
// is the same to the last byte.
func TestFails(t *testing.T) {
	m := compile(t, "./testdata/fails", true) // which sets the timer
	defer native.Impatient()()
	in := begun(t, m, config("fails"))
	start := in.Snapshot()
	told := goOn(t, in, 40)
	left := in.Hash()
	r := rand.New(rand.NewPCG(1, 1))
	for way, want := range ends {
		t.Run(way, func(t *testing.T) {
			times := 3
			if *full {
				times = 1000
			}
			for range times {
				in.Restore(start)
				goOn(t, in, r.IntN(20))
				out, err := in.Step(in.Timer(), call(way))
				switch rest, is := strings.CutPrefix(want, "2 "); {
				case is:
					require.NoError(t, err)
					require.Contains(t, strings.Join(texts(out), "\n"), rest)
				case want == "":
					require.Error(t, err)
				default:
					require.ErrorContains(t, err, want)
				}
				if f, is := err.(*guest.Failure); is && way != "runtime" {
					require.Contains(t, f.Trace, "main.", "%s", f.Text)
				}
				if err != nil {
					_, again := in.Step(in.Timer())
					require.Equal(t, err, again)
				}
				in.Restore(start)
				require.Equal(t, told, goOn(t, in, 40))
				require.Equal(t, left, in.Hash())
			}
		})
	}
}

// A guest that is to stop while it leaves, with the host's g, leaves.
func TestStopsLeaving(t *testing.T) {
	if why := native.Supported(); why != nil {
		t.Skip(why)
	}
	compile(t, "./testdata/fails", true)            // which installs the handler
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // a tick is for each processor
	defer native.Impatient()()
	stopped, err := native.Leave(1 << 30)
	require.NoError(t, err)
	assert.True(t, stopped, "the timer is not to miss it")
}

// A stop that comes after its step does nothing to the next.
func TestStopsLate(t *testing.T) {
	in := begun(t, compile(t, "../host/testdata/ticker", true), config("ticker"))
	start := in.Snapshot()
	want := goOn(t, in, 5)
	for range 3 {
		in.Restore(start)
		require.NoError(t, native.Withdraw(in))
		assert.Equal(t, want, goOn(t, in, 5))
	}
}

// The host's own signals do not reach a guest: it is the same beside collections of garbage, which interrupt it, and a profile.
func TestInterrupted(t *testing.T) {
	m := compile(t, "../host/testdata/ticker", true)
	done := make(chan bool)
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var first []string
	var left uint64
	for i := range 20 {
		in := begun(t, m, config("ticker"))
		told := goOn(t, in, 60)
		if i == 0 {
			first, left = told, in.Hash()
		}
		require.Equal(t, first, told)
		require.Equal(t, left, in.Hash())
		require.NoError(t, in.Close())
	}
}

// Two states in different places, and two that take turns in one, go on alike.
func TestPlaces(t *testing.T) {
	m := compile(t, "../host/testdata/ticker", true)
	a, b := begun(t, m, config("ticker")), begun(t, m, config("ticker"))
	assert.NotEqual(t, a.Place(), b.Place())
	assert.Equal(t, goOn(t, a, 30), goOn(t, b, 30))
	other, err := m.Instance(a.Snapshot())
	require.NoError(t, err)
	assert.Equal(t, a.Place(), other.Place())
	for range 10 {
		assert.Equal(t, goOn(t, a, 3), goOn(t, other, 3))
		assert.Equal(t, a.Hash(), other.Hash())
		assert.Equal(t, a.Disk().Name(), other.Disk().Name())
	}
	c := config("ticker")
	c.Seed = 2
	assert.NotEqual(t, goOn(t, begun(t, m, c), 30), goOn(t, begun(t, m, config("ticker")), 30), "what is drawn follows the seed")
	text, err := a.Stacks()
	require.NoError(t, err)
	assert.Contains(t, text, "main.main")
}

// A map whose keys have pointers has the same order in different places.
func TestMaps(t *testing.T) {
	m := compile(t, "./testdata/maps", true)
	a, b := begun(t, m, config("maps")), begun(t, m, config("maps"))
	assert.NotEqual(t, a.Place(), b.Place())
	assert.Equal(t, goOn(t, a, 1), goOn(t, b, 1))
}

// Instances in several goroutines do not disturb each other.
func TestParallel(t *testing.T) {
	m := compile(t, "../host/testdata/ticker", true)
	want := goOn(t, begun(t, m, config("ticker")), 60)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10 {
				in, err := m.New(config("ticker"))
				assert.NoError(t, err)
				_, err = in.Step(0)
				assert.NoError(t, err)
				assert.Equal(t, want, goOn(t, in, 60))
				assert.NoError(t, in.Close())
			}
		})
	}
	all.Wait()
}

// A program that draws no random numbers and goes through no map tells the same on both guests.
func TestAlike(t *testing.T) {
	var told [2]string
	for i, isNative := range []bool{false, true} {
		in := begun(t, compile(t, "./testdata/alike", isNative), config("n"))
		told[i] = strings.Join(goOn(t, in, 200), "\n")
		require.NoError(t, in.Close())
	}
	assert.Greater(t, len(told[0]), 5000)
	assert.Equal(t, told[0], told[1])
}

// Memory that the program's runtime gives back to the system is zero when it is used again. The runtime relies on that since Go 1.26.
func TestReturnedMemory(t *testing.T) {
	in := begun(t, compile(t, "./testdata/returned", true), config("returned"))
	for range 3 {
		out, err := in.Step(in.Now()+1, call("use"))
		require.NoError(t, err)
		assert.Contains(t, strings.Join(texts(out), "\n"), " 0 bytes are not zero")
	}
}

// Package os does on a native program's disk what it does on Linux's.
func TestFiles(t *testing.T) {
	in := begun(t, compile(t, "../host/testdata/files", true), config("files"))
	assert.Equal(t, onLinux(t), strings.TrimSpace(string(in.Errors())))
}

// A mapping becomes larger and smaller as on Linux.
func TestRemap(t *testing.T) {
	in := begun(t, compile(t, "./testdata/remap", true), config("remap"))
	assert.Equal(t, remapped(t), strings.TrimSpace(string(in.Errors())))
}

// An access to a page of a mapping beyond the end of the file is a fault as on Linux. The pages are those of the state that the program is in.
func TestBeyond(t *testing.T) {
	in := begun(t, compile(t, "./testdata/beyond", true), config("beyond"))
	assert.Equal(t, faulted(t), strings.TrimSpace(string(in.Errors())))
	start := in.Snapshot()
	for range 2 {
		for _, c := range []struct{ call, returns string }{
			{"read", "fault at 4096"}, {"grow", "<nil>"}, {"read", "0"}, {"shrink", "<nil>"}, {"read", "fault at 4096"}, {"grow", "<nil>"},
		} {
			out, err := in.Step(in.Now()+1, call(c.call))
			require.NoError(t, err)
			assert.Equal(t, []string{"1 " + c.returns}, texts(out), c.call)
		}
		in.Restore(start)
	}
	_, err := in.Step(in.Now()+1, call("fail"))
	require.ErrorContains(t, err, "fatal error: fault")
	assert.Contains(t, err.(*guest.Failure).Trace, "[signal SIGBUS: bus error")
}

// What is no native guest is refused in a sentence.
func TestRefused(t *testing.T) {
	name := t.TempDir() + "/program"
	require.NoError(t, os.WriteFile(name, []byte("no program"), 0o600))
	_, err := native.Load(name)
	assert.ErrorContains(t, err, "native: the program is damaged")
	exe, err := os.Executable()
	require.NoError(t, err)
	_, err = native.Load(exe)
	assert.ErrorContains(t, err, "native: the program ")
}
