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

// Whether a run breaks its claim is what its replay says of it, after each step: of claims about what happens and about goals, in rounds and in
// runs that stop, and of costs.
func TestWhatBreaksAClaimIsWhatReplaySays(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(500) {
		p := carousel(seed)
		r := rand.New(rand.NewPCG(seed, 4))
		s, err := p.System("", model.Config{Faults: [...]model.Faults{{}, {Loss: 1}, {Restarts: 1}, {Restarts: 1, Duplication: 1}}[r.IntN(4)]})
		require.NoError(t, err)
		h := traces.New(p, "", s.Config, false, "", "")
		var what string
		switch of := r.IntN(len(p.Claims) + len(p.Costs) + 3); {
		case of < len(p.Costs):
			what = p.Costs[of].Name
			h.Cost = &traces.Cost{Name: what, Number: 1 + r.IntN(2)}
		default:
			what = p.Claims[(of-len(p.Costs))%len(p.Claims)].Name
			h.Claim, h.Watched = what, []string{what}
		}
		before := -1
		if c, err := p.Claim(h.Claim); err == nil && c.Kind == model.Eventually && r.IntN(3) > 0 {
			before = r.IntN(6)
			h.Loop = before + 1
			what += ", in rounds"
		}
		m := &minimizer{protocol: p, claims: p.Claims, stages: map[string]*stage{}}
		st, err := m.stage(h)
		require.NoError(t, err)
		run, err := m.start(st, 1, nil)
		require.NoError(t, err)
		breaks := judgeOf(st.header, st.claim)
		for n := 0; n < 14; n++ {
			if n == before {
				run.begins()
				assert.False(t, breaks(run), "seed %d: a round has a step", seed)
			}
			moves := run.world.Moves()
			if lies := run.world.Forgeries(); len(lies) > 0 && r.IntN(3) == 0 {
				moves = lies
			}
			if len(moves) == 0 || !run.step(moves[r.IntN(len(moves))], 0, -1, answers{}) {
				break
			}
			run.observe()
			if n < before {
				continue
			}
			is := breaks(run)
			if !is && r.IntN(3) > 0 {
				continue // most break nothing
			}
			tr, err := traces.FromRun(st.header, run.world, 1, run.records)
			require.NoError(t, err)
			_, err = replay.Replay(p, tr, p.Claims)
			replays := err == nil
			if h.Claim == "may come" { // a run that goes on does not show by itself that the goal cannot be reached any more
				replays = replays && len(run.world.Pending()) == 0
			}
			require.Equal(t, replays, is, "seed %d: %s, after %d steps of which %d are before: %v\n%v", seed, what, n+1, before, err, tr.Steps)
			counts[fmt.Sprint(what, ": ", is)]++
			if is && h.Loop == 0 {
				break
			}
		}
	}
	t.Log(counts)
	for _, what := range []string{"comes", "comes, in rounds", "never", "never, in rounds", "may come", "state", "messages", "messages per operation"} {
		assert.Greater(t, counts[what+": true"], 2, what)
		assert.Greater(t, counts[what+": false"], 2, what)
	}
}
