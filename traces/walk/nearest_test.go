package walk_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/walk"
)

// Nearest returns the nearest matching state, or reports that there is none.
func TestNearest(t *testing.T) {
	p := ricartagrawala.Protocol
	header := traces.New(p, "", p.Filled(model.Config{}.With(model.N.Is(2))), false, "", "")
	w, err := walk.Begin(p, &header, nil, 0)
	require.NoError(t, err)
	requests := func(nodes []model.Node) (n int) {
		for _, node := range nodes {
			if node.(*ricartagrawala.Process).Request != 0 {
				n++
			}
		}
		return n
	}
	both := func(nodes []model.Node) bool { return requests(nodes) == 2 }
	got := w.Nearest(walk.Seeking{Holds: both, States: 1000})
	require.True(t, got.Found)
	assert.Len(t, got.Place, 2)
	there, err := walk.BeginAt(p, &header, nil, got.Place)
	require.NoError(t, err)
	assert.Equal(t, "runs operation 1 of 2, Acquire", show.Statuses(there.Run())[1].Also[0])

	here := there.Nearest(walk.Seeking{Holds: both, States: 1000})
	assert.True(t, here.Found)
	assert.Equal(t, there.Place(), here.Place, "it holds where one is")

	never := func([]model.Node) bool { return false }
	all := w.Nearest(walk.Seeking{Holds: never, States: 1 << 20})
	assert.True(t, all.Complete)
	assert.False(t, all.Found)
	assert.Greater(t, all.States, 20)
	some := w.Nearest(walk.Seeking{Holds: never, States: 10})
	assert.False(t, some.Complete)
	assert.Equal(t, 10, some.States)
	stop := make(chan struct{})
	close(stop)
	assert.False(t, w.Nearest(walk.Seeking{Holds: never, States: 1 << 20, Stop: stop}).Complete)
	assert.Zero(t, w.Steps(), "the walk stays where it is")
}

// A search from a state also tries the answers to handlers, and forged messages. In a timed run it never
// reports that it was exhaustive.
func TestNearestTriesAnswersAndLies(t *testing.T) {
	for _, timed := range []bool{false, true} {
		header := traces.New(toy.Protocol, "", model.Config{}, timed, "", "")
		w, err := walk.Begin(toy.Protocol, &header, nil, 0)
		require.NoError(t, err)
		got := w.Nearest(walk.Seeking{Holds: func(nodes []model.Node) bool { return nodes[1].(*toy.Asker).Answer == 2 }, States: 5000})
		require.True(t, got.Found, "timed: %v", timed)
		_, err = walk.BeginAt(toy.Protocol, &header, nil, got.Place)
		require.NoError(t, err)
		all := w.Nearest(walk.Seeking{Holds: func([]model.Node) bool { return false }, States: 20000})
		assert.Equal(t, !timed, all.Complete)
	}
}

// A walk follows a trace that was recorded with other monitored claims. Monitors that did not watch have
// alarms, and the walk fires them when they must fire, and ask for holds. If all monitors watched, there are
// none.
func TestBeginAlong(t *testing.T) {
	bare, twice := *toy.Protocol, *toy.Protocol
	bare.Claims = nil
	again := toy.Protocol.Claims[0] // it has the alarm
	again.Name = "patience too"
	twice.Claims = append(twice.Claims[:len(twice.Claims):len(twice.Claims)], again)
	expired, passed := 0, 0
	for _, timed := range []bool{false, true} {
		for seed := range uint64(60) {
			for _, c := range [][2]*model.Protocol{{&bare, toy.Protocol}, {&bare, &twice}, {toy.Protocol, &bare}, {toy.Protocol, toy.Protocol}} {
				made, now := c[0], c[1]
				tr, _ := toy.Drive(t, made, "", model.Config{}, timed, made.Claims[:min(1, len(made.Claims))], seed)
				header := *tr
				header.Watched, header.Claim, header.Text = nil, "", ""
				w, err := walk.BeginAlong(now, &header, nil, tr)
				require.NoError(t, err)
				back, err := w.Trace()
				require.NoError(t, err)
				want, gone := withoutAlarms(tr.Steps)
				got, came := withoutAlarms(back.Steps)
				assert.Equal(t, want, got)
				if made == now {
					assert.Equal(t, tr.Steps, back.Steps)
					continue
				}
				there, err := walk.BeginAt(now, &header, nil, w.Place())
				require.NoError(t, err)
				assert.Equal(t, stateOf(t, there), stateOf(t, w))
				for _, i := range came {
					assert.Less(t, i, len(back.Steps)-1, "an alarm fires only before another step")
					if back.Steps[i+1].Kind != model.Expire.String() {
						assert.Negative(t, instant(t, back.Steps[i].At).Cmp(instant(t, back.Steps[i+1].At)), "it has to")
					}
				}
				expired, passed = expired+len(came), passed+len(gone)
				_, err = replay.Replay(now, back, nil)
				require.NoError(t, err)
			}
		}
	}
	assert.Positive(t, expired)
	assert.Positive(t, passed)
}

// A sleeper notes as it begins, and wakes at 5. Its monitor has an alarm in between.
type (
	sleeper   struct{ Awake bool }
	impatient struct{ Rang bool }
)

func (*sleeper) Start(env model.Env) {
	env.Note("sleeps")
	env.After("wakes", model.Exactly(5))
}

func (s *sleeper) Timeout(model.Env, any) { s.Awake = true }

func (*impatient) Observe(w model.Watch, _ model.Observation) { w.After("alarm", model.Between(1, 3)) }
func (i *impatient) Expire(model.Watch, any)                  { i.Rang = true }

// An alarm of a monitor that did not watch fires as late as may be.
func TestBeginAlongAsLateAsMayBe(t *testing.T) {
	p := &model.Protocol{Name: "sleeping", Build: func(model.Config) (*model.System, error) {
		return &model.System{Types: []any{""}, Nodes: []model.NodeSpec{{Name: "a", New: func() model.Node { return &sleeper{} }}}}, nil
	}}
	tr := traces.New(p, "", model.Config{}, true, "", "")
	tr.Steps = []traces.Step{{Kind: "timeout", To: "a", Type: "string", Occurrence: 1, At: "5", Value: toy.Raw(`"wakes"`)}}
	watched := *p
	watched.Claims = []model.Claim{{Name: "patience", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &impatient{} }}}
	header := tr
	header.Steps = nil
	w, err := walk.BeginAlong(&watched, &header, nil, &tr)
	require.NoError(t, err)
	back, err := w.Trace()
	require.NoError(t, err)
	require.Len(t, back.Steps, 2)
	assert.Equal(t, []string{"expire", "3"}, []string{back.Steps[0].Kind, back.Steps[0].At})
	assert.Equal(t, tr.Steps[0], back.Steps[1])
}

// The walk adds no step of its own, except a monitor's alarm. A step that is not possible is refused.
func TestBeginAlongMakesUpNoStep(t *testing.T) {
	bare := *toy.Protocol
	bare.Claims = nil
	refused := 0
	for seed := range uint64(20) {
		tr, _ := toy.Drive(t, &bare, "", model.Config{}, true, nil, seed)
		header := *tr
		header.Steps = nil
		for i := range tr.Steps[:len(tr.Steps)-1] {
			some := *tr
			some.Steps = slices.Concat(tr.Steps[:i], tr.Steps[i+1:])
			if w, err := walk.BeginAlong(toy.Protocol, &header, nil, &some); err != nil {
				refused++
			} else {
				back, err := w.Trace()
				require.NoError(t, err)
				got, _ := withoutAlarms(back.Steps)
				assert.Len(t, got, len(some.Steps))
			}
		}
	}
	assert.Greater(t, refused, 20)
}

// withoutAlarms returns the steps without alarms of monitors and choices, and the positions of the alarms.
func withoutAlarms(steps []traces.Step) (others []traces.Step, alarms []int) {
	for i, s := range steps {
		if s.Choices = nil; s.Kind == model.Expire.String() {
			alarms = append(alarms, i)
		} else {
			others = append(others, s)
		}
	}
	return others, alarms
}

func instant(t *testing.T, at string) *big.Rat {
	r, ok := new(big.Rat).SetString(at)
	require.True(t, ok, at)
	return r
}
