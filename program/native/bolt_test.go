//go:build linux && amd64

package native_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "go.etcd.io/bbolt" // the program in testdata needs it

	"contend/model/disk"
	"contend/program/guest"
)

// Bbolt, which maps its file and locks it, loses nothing that it has acknowledged by crashes of a disk that tears writes, unless it does not sync.
// Each run is as the first.
func TestBolt(t *testing.T) {
	m := compile(t, "./testdata/bolt", true)
	for _, c := range []struct {
		env  []string
		lost bool
	}{{nil, false}, {[]string{"NOSYNC=1"}, true}} {
		first, lost := boots(t, m, c.env)
		assert.Equal(t, c.lost, lost)
		again, _ := boots(t, m, c.env)
		assert.Equal(t, first, again)
	}
}

// boots starts a store three times, each time on the disk that a crash left, and returns its answers, and whether something was lost, or the
// store did not open.
func boots(t *testing.T, m guest.Module, env []string) (told []string, lost bool) {
	r := rand.New(rand.NewPCG(3, 3))
	d := disk.New(disk.Options{Torn: true})
	kept := map[string]string{}
	for boot := range 3 {
		in, err := m.New(guest.Config{Args: []string{"bolt"}, Env: append(slices.Clone(env), "GOGC=800"), Seed: uint64(boot), Wall: 1e18, Disk: d})
		require.NoError(t, err)
		if _, err := in.Step(0); err != nil {
			return append(told, err.Error()), true
		}
		ask := func(words string) string {
			out, err := in.Step(in.Now()+1e6, call(words))
			if err != nil {
				told = append(told, err.Error())
				return err.Error()
			}
			require.Len(t, out, 1, words)
			told = append(told, words+": "+string(out[0].Data))
			return string(out[0].Data)
		}
		for _, k := range slices.Sorted(maps.Keys(kept)) {
			lost = lost || ask("get "+k) != strings.Repeat(kept[k], 300)
		}
		for range 40 {
			key, value := fmt.Sprint("k", r.IntN(20)), fmt.Sprint("v", boot, "-", len(told))
			if ask("put "+key+" "+value) == "<nil>" {
				kept[key] = value
			}
		}
		d = in.Disk().Clone()
		d.Crash(func(n int) int { return r.IntN(n) })
		require.NoError(t, in.Close())
	}
	return told, lost
}
