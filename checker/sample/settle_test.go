package sample_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
)

// talker returns at once, and sends itself so many messages one after the other.
type talker struct {
	most int
	Sent int
}

func (k *talker) Invoke(env model.Env, _ any) {
	env.Return(0)
	env.Send(env.Self(), "on")
}

func (k *talker) Receive(env model.Env, _ model.NodeID, _ any) {
	if k.Sent++; k.Sent < k.most {
		env.Send(env.Self(), "on")
	}
}

func talking(most int) *model.System {
	return &model.System{
		Nodes:   []model.NodeSpec{{Name: "a", New: func() model.Node { return &talker{most: most} }, Script: []model.Op{{Call: "go"}}}},
		Types:   []any{""},
		Faults:  model.Faults{Duplication: 100},
		Network: model.Network{Delay: model.Window{Lo: model.Below(0), Hi: model.Below(2)}},
	}
}

// Once all scripts are done a run goes on until it comes to rest, without faults. One that does not
// in time ends where the scripts were done.
func TestRunsSettle(t *testing.T) {
	for _, c := range []struct {
		most  int
		rests bool
	}{{4, true}, {1 << 30, false}} {
		further := 0
		for seed := range uint64(100) {
			w, err := world.New(talking(c.most), nil, world.Options{})
			require.NoError(t, err)
			out := sample.Run(w, sample.Seeded(seed), sample.Bounds{Settle: 200})
			require.NoError(t, out.Err)
			require.Equal(t, sample.Done, out.End)
			done := 0
			for i, r := range out.Records {
				if r.Move.Kind == model.Return {
					done = i + 1
				}
			}
			after := out.Records[done:]
			further += len(after)
			for _, r := range after {
				assert.Equal(t, model.Deliver, r.Move.Kind)
			}
			if c.rests {
				assert.Empty(t, w.Pending())
			}
		}
		assert.Equal(t, c.rests, further > 0, "steps behind the scripts: %d", further)
	}
}

// Otherwise, too, a run goes on once all scripts are done, with faults: until nothing is left to happen, or for as many steps as it took
// until then, and always [sample.Afterwards].
func TestRunsGoOnAfterTheirScripts(t *testing.T) {
	for most, want := range map[int]int{4: 0, 1 << 30: sample.Afterwards} {
		faults := 0
		for seed := range uint64(100) {
			w, err := world.New(talking(most), nil, world.Options{})
			require.NoError(t, err)
			out := sample.Run(w, sample.Seeded(seed), sample.Bounds{})
			require.NoError(t, out.Err)
			require.Equal(t, sample.Done, out.End)
			returned := slices.IndexFunc(out.Records, func(r world.Record) bool { return r.Move.Kind == model.Return })
			after := out.Records[returned+1:]
			for _, r := range after {
				if r.Move.Kind == model.Duplicate {
					faults++
				}
			}
			if want == 0 {
				assert.Empty(t, w.Pending())
				continue
			}
			assert.Len(t, after, max(want, returned+1), "seed %d", seed)
		}
		assert.NotZero(t, faults)
	}
}

// A fault strikes before a deadline that is open, and not at it.
func TestFaultsBeforeOpenDeadlines(t *testing.T) {
	faults, s := 0, talking(8)
	s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: "on", After: model.Exactly(10)})
	for seed := range uint64(300) {
		out, _ := once(t, s, nil, sample.Seeded(seed), world.Options{Timed: true, Parts: 4})
		for _, r := range out.Records {
			if r.Move.Kind == model.Duplicate {
				faults++
			}
		}
	}
	assert.NotZero(t, faults)
}
