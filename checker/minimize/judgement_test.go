package minimize

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/costs"
	"contend/traces"
	"contend/traces/replay"
)

// carousel draws a protocol whose states come back: horses hand on what they are handed, and have alarms that are set again.
func carousel(seed uint64) *model.Protocol {
	r := rand.New(rand.NewPCG(seed, 3))
	var table turns
	for i := range table {
		for j := range table[i] {
			table[i][j] = turn{State: r.IntN(2), Sends: max(r.IntN(4)-1, 0), To: model.NodeID(r.IntN(2)), Notes: r.IntN(3) == 0, Rings: r.IntN(2) == 0}
		}
	}
	s := model.System{Types: []any{letter{}, ""}, Network: model.Network{Channel: model.Channel(r.IntN(3)), Delay: model.Anytime()}}
	lies := r.IntN(3) == 0
	s.Forge = func(to model.Node, _, _ model.NodeID) []any {
		if h, ok := to.(*horse); ok && h.State == 1 {
			return []any{letter{Nth: 1}}
		}
		return nil
	}
	for i := range 2 {
		n := model.NodeSpec{Name: fmt.Sprint("h", i+1), Role: model.Server, New: func() model.Node { return &horse{of: &table} }}
		if i == 0 && r.IntN(2) == 0 {
			n.Role, n.Crash, n.Script = model.Peer, model.CrashRecovery, []model.Op{{Call: 0, After: model.Anytime()}}
		}
		s.Nodes = append(s.Nodes, n)
	}
	if lies {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	}
	moved := costs.PerOperation(func(o model.Observation) (model.NodeID, bool) { return 0, true })
	moved.Most = 3
	sent := costs.Messages()
	sent.Most = 3
	stops, hears := r.IntN(2), r.IntN(2)
	return &model.Protocol{Name: "carousel", Costs: []*model.Cost{moved, sent},
		Claims: []model.Claim{
			{Name: "comes", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &heard{Want: hears} }},
			{Name: "may come", Kind: model.PossibleFromEverywhere, Monitor: func(*model.System) model.Monitor { return &heard{Want: hears} }},
			{Name: "never", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &heard{Want: -1} }},
			{Name: "state", Kind: model.Always, Invariant: func(nodes []model.Node) error {
				if h, up := nodes[1].(*horse); up && h.State != stops {
					return fmt.Errorf("it stands at %d", h.State)
				}
				return nil
			}},
		},
		Build: func(c model.Config) (*model.System, error) {
			built := s
			built.Config, built.Faults = c, c.Faults
			return &built, nil
		}}
}

type (
	turns [2][3]turn // by state, and by what is handed on, or the alarm
	turn  struct {
		State, Sends int
		To           model.NodeID
		Notes, Rings bool
	}
	horse struct {
		of    *turns
		State int
	}
	heard struct{ Want, Is int }
)

func (h *horse) does(env model.Env, what int) {
	t := h.of[h.State][what]
	h.State = t.State
	if t.Sends > 0 {
		env.Send(t.To, letter{Nth: t.Sends - 1})
	}
	if t.Notes {
		env.Note(h.State)
	}
	if t.Rings {
		env.After("ring", model.Anytime())
	}
}

func (h *horse) Start(env model.Env)                          { h.does(env, 2) }
func (h *horse) Timeout(env model.Env, _ any)                 { h.does(env, 2) }
func (h *horse) Receive(env model.Env, _ model.NodeID, m any) { h.does(env, m.(letter).Nth) }

func (h *horse) Invoke(env model.Env, _ any) {
	env.Send(0, letter{Nth: 0})
	env.Send(0, letter{Nth: 0})
	env.Return(h.State)
}

func (h *heard) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		h.Is = o.Value.(int) + 1
	}
}

func (h *heard) Reached() bool { return h.Is == h.Want+1 }

// A ride is a run of a carousel.
type ride struct {
	p      *model.Protocol
	h      traces.Trace
	what   string // claim or cost
	run    *execution
	before int // steps before the round, or -1
}

// rides takes a run of a carousel at random, and shows it after each step, so long as see returns true. It is to break a claim, in a round or not, or
// to come to a cost.
func rides(t *testing.T, seed uint64, see func(is *ride, r *rand.Rand) bool) {
	t.Helper()
	p, r := carousel(seed), rand.New(rand.NewPCG(seed, 4))
	s, err := p.System("", model.Config{Faults: [...]model.Faults{{}, {Loss: 1}, {Restarts: 1}, {Restarts: 1, Duplication: 1}}[r.IntN(4)]})
	require.NoError(t, err)
	is := &ride{p: p, h: traces.New(p, "", s.Config, false, "", ""), before: -1}
	switch of := r.IntN(len(p.Claims) + len(p.Costs) + 3); {
	case of < len(p.Costs):
		is.what = p.Costs[of].Name
		is.h.Cost = &traces.Cost{Name: is.what, Number: 1 + r.IntN(2)}
	default:
		is.what = p.Claims[(of-len(p.Costs))%len(p.Claims)].Name
		is.h.Claim, is.h.Watched = is.what, []string{is.what}
	}
	if c, err := p.Claim(is.h.Claim); err == nil && c.Kind == model.Eventually && r.IntN(3) > 0 {
		is.before = r.IntN(6)
		is.h.Loop = is.before + 1
		is.what += ", in rounds"
	}
	m := &minimizer{protocol: p, claims: p.Claims, stages: map[string]*stage{}}
	st, err := m.stage(is.h)
	require.NoError(t, err)
	is.h = st.header
	is.run, err = m.start(st, 1, nil)
	require.NoError(t, err)
	for n := range 14 {
		if n == is.before {
			is.run.beginRound()
			assert.False(t, judgeOf(is.h, st.claim)(is.run), "seed %d: a round has a step", seed)
		}
		moves := is.run.world.Moves()
		if lies := is.run.world.Forgeries(); len(lies) > 0 && r.IntN(3) == 0 {
			moves = lies
		}
		if len(moves) == 0 || !is.run.step(moves[r.IntN(len(moves))], 0, -1, answers{}) {
			break
		}
		is.run.observe()
		if n >= is.before && !see(is, r) {
			break
		}
	}
}

// breaks reports whether the run breaks its claim.
func (is *ride) breaks() bool { return judgeOf(is.h, is.run.stage.claim)(is.run) }

// trace is the run so far.
func (is *ride) trace(t *testing.T) *traces.Trace {
	t.Helper()
	tr, err := traces.FromRun(is.h, is.run.world, 1, is.run.records)
	require.NoError(t, err)
	return tr
}

// Whether a run breaks its claim is what its replay says of it, after each step: of claims about what happens and about goals, in rounds and in
// runs that stop, and of costs.
func TestWhatBreaksAClaimIsWhatReplaySays(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(500) {
		rides(t, seed, func(is *ride, r *rand.Rand) bool {
			breaks := is.breaks()
			if !breaks && r.IntN(6) > 0 {
				return true // most break nothing
			}
			tr := is.trace(t)
			_, err := replay.Replay(is.p, tr, is.p.Claims)
			replays := err == nil
			if is.h.Claim == "may come" { // a run that goes on does not show by itself that the goal cannot be reached any more
				replays = replays && len(is.run.world.Pending()) == 0
			}
			require.Equal(t, replays, breaks, "seed %d: %s, of which %d steps are before: %v\n%v", seed, is.what, is.before, err, tr.Steps)
			counts[fmt.Sprint(is.what, ": ", breaks)]++
			return !breaks || is.h.Loop > 0
		})
	}
	t.Log(counts)
	for _, what := range []string{"comes", "comes, in rounds", "never", "never, in rounds", "may come", "state", "messages", "messages per operation"} {
		assert.Greater(t, counts[what+": true"], 2, what)
		assert.Greater(t, counts[what+": false"], 2, what)
	}
}

// Runs that break claims about goals, in rounds or as they stop, and runs that come to a cost become no longer, replay, and break the same claim; and to
// minimise one again changes nothing.
func TestRoundsAndCostsOfRandomSystems(t *testing.T) {
	runs, from, to, rounds := 0, 0, 0, 0
	for seed := uint64(1000); seed < 1400; seed++ {
		var tr *traces.Trace
		var p *model.Protocol
		rides(t, seed, func(is *ride, _ *rand.Rand) bool {
			if is.breaks() {
				p, tr = is.p, is.trace(t)
			}
			return tr == nil || is.h.Loop > 0 // the last round that there is
		})
		if tr == nil || tr.Claim == "state" {
			continue
		}
		is, report, err := Minimize(p, tr, Options{})
		require.NoError(t, err, "seed %d", seed)
		assert.True(t, report.Locally, "seed %d", seed)
		assert.Zero(t, report.Refused, "seed %d", seed)
		_, err = replay.Replay(p, is, p.Claims)
		require.NoError(t, err, "seed %d", seed)
		assert.Equal(t, []any{tr.Claim, tr.Cost, tr.Loop > 0}, []any{is.Claim, is.Cost, is.Loop > 0}, "seed %d", seed)
		assert.LessOrEqual(t, len(is.Steps), len(tr.Steps), "seed %d", seed)
		again, report, err := Minimize(p, is, Options{})
		require.NoError(t, err, "seed %d", seed)
		assert.Equal(t, is.Steps, again.Steps, "seed %d", seed)
		assert.Zero(t, report.Refused, "seed %d", seed)
		runs, from, to = runs+1, from+len(tr.Steps), to+len(is.Steps)
		if is.Loop > 0 {
			rounds++
		}
	}
	t.Log(runs, rounds, from, to)
	assert.Greater(t, rounds, 5)
	assert.Less(t, to, from)
}
