package host_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
	"contend/program/build"
	"contend/program/guest"
	"contend/program/host"
	"contend/program/wire"
)

var compiled sync.Map

func compile(t testing.TB, pkg string) *host.Module {
	if m, is := compiled.Load(pkg); is {
		return m.(*host.Module)
	}
	plan, err := build.Package{Path: pkg}.Plan()
	require.NoError(t, err)
	b, err := plan.Compile()
	require.NoError(t, err)
	m, err := host.Compile(b.Wasm)
	require.NoError(t, err)
	compiled.Store(pkg, m)
	return m
}

func call(s string) []byte { return append([]byte{wire.Called}, s...) }

// goOn takes an instance through so many steps, with a call in every fifth, and returns what it tells.
func goOn(t *testing.T, in guest.Instance, steps int) (told []string) {
	for i := range steps {
		var inputs [][]byte
		if i%5 == 0 {
			inputs = [][]byte{call(fmt.Sprint("call", i%3))}
		}
		out, err := in.Step(in.Timer(), inputs...)
		require.NoError(t, err)
		for _, o := range out {
			told = append(told, fmt.Sprint(o.Kind, " ", string(o.Data)))
		}
	}
	return told
}

func begun(t *testing.T, m *host.Module, c guest.Config) guest.Instance {
	in, err := m.New(c)
	require.NoError(t, err)
	out, err := in.Step(0)
	require.NoError(t, err)
	require.Empty(t, out)
	return in
}

// Two instances that are given the same are the same to the last byte, and one that is restored goes on as the one that went on
// by itself.
func TestTheSameAgain(t *testing.T) {
	m := compile(t, "./testdata/ticker")
	begin := func(seed uint64) guest.Instance {
		return begun(t, m, guest.Config{Args: []string{"ticker"}, Seed: seed, Disk: disk.New(disk.Options{})})
	}
	a, b := begin(1), begin(1)
	first := goOn(t, a, 60)
	assert.Greater(t, len(first), 60)
	assert.Equal(t, first, goOn(t, b, 60))
	assert.Equal(t, a.Hash(), b.Hash())

	middle := a.Snapshot()
	rest := goOn(t, a, 60)
	fresh, err := m.Instance(middle)
	require.NoError(t, err)
	for _, in := range []guest.Instance{b, fresh} {
		assert.Equal(t, rest, goOn(t, in, 60))
		assert.Equal(t, a.Hash(), in.Hash())
		assert.Equal(t, a.Disk().Name(), in.Disk().Name())
	}
	a.Restore(middle)
	assert.Equal(t, rest, goOn(t, a, 60))
	assert.Equal(t, b.Hash(), a.Hash())

	assert.NotEqual(t, first, goOn(t, begin(2), 60), "what is drawn follows the seed")
}

// An instance that is restored has the memory of the snapshot, however much its earlier runs took up: what each takes does not add up until
// there is none.
func TestMemoryIsGivenBack(t *testing.T) {
	in := begun(t, compile(t, "./testdata/ends"), guest.Config{Args: []string{"ends", "calls"}})
	small := in.Snapshot()
	takes := func(calls int) (left uint64) {
		for i := range calls {
			told, err := in.Step(0, call("more"))
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(i+1), string(told[0].Data))
		}
		return in.Hash()
	}
	ten, three := takes(10), uint64(0)
	large := in.Snapshot()
	for i := range 30 {
		in.Restore(small)
		if is := takes(3); i == 0 {
			three = is
		} else {
			require.Equal(t, three, is)
		}
	}
	in.Restore(large)
	require.Equal(t, ten, in.Hash())
	in.Restore(small)
	require.Equal(t, ten, takes(10))
	require.NoError(t, in.Begin(guest.Config{Args: []string{"ends", "calls"}}))
	require.Equal(t, begun(t, compile(t, "./testdata/ends"), guest.Config{Args: []string{"ends", "calls"}}).Hash(), hashed(t, in))
}

// hashed is the memory of an instance after its first step.
func hashed(t *testing.T, in guest.Instance) uint64 {
	_, err := in.Step(0)
	require.NoError(t, err)
	return in.Hash()
}

// How a program ends is told, with its goroutines where the runtime tells of them.
func TestEnds(t *testing.T) {
	m := compile(t, "./testdata/ends")
	for how, want := range map[string]string{
		"panic": "panic: on purpose", "memory": "out of memory", "exit": "the program exits with code 3", "return": "the program exits with code 0",
		"lock": "", "loop": "does not come to rest: its loops go round more than 268435456 times in a step, in main.main, called by ",
	} {
		t.Run(how, func(t *testing.T) {
			in, err := m.New(guest.Config{Args: []string{"ends", how}})
			require.NoError(t, err)
			_, err = in.Step(0)
			if want == "" {
				assert.NoError(t, err)
				assert.Equal(t, guest.Never, in.Timer())
				return
			}
			assert.ErrorContains(t, err, want)
			if f, is := err.(*guest.Failure); is {
				assert.True(t, strings.HasPrefix(f.Trace, "it begins\n"), f.Trace)
				assert.Contains(t, f.Trace, "main.main")
			}
		})
	}
}
