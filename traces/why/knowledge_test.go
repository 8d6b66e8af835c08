package why_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/model"
	"contend/model/claims"
	"contend/model/world"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/why"
)

// Gossiper asks some nodes, forwards messages to some nodes, and returns at random.
type Gossiper struct {
	Heard int
	Runs  bool
	seed  uint64
}

func (g *Gossiper) act(env model.Env, input uint64) {
	rng := rand.New(rand.NewPCG(g.seed, input<<16|uint64(env.Self())<<8|uint64(g.Heard)))
	rng.Uint64()
	for id := range model.NodeID(3) {
		if id != env.Self() && rng.IntN(3) == 0 && g.Heard < 9 {
			env.Send(id, [...]any{Ask{}, Granted{}}[rng.IntN(2)])
		}
	}
	if g.Runs && rng.IntN(4) == 0 {
		g.Runs = false
		env.Return(nil)
	}
}

func (g *Gossiper) Invoke(env model.Env, _ any) { g.Runs = true; g.act(env, 9) }

func (g *Gossiper) Receive(env model.Env, from model.NodeID, _ any) {
	g.Heard++
	g.act(env, uint64(from))
}

// knownBy returns, for each step, the steps that happened before it, with the message that the step received.
func knownBy(run *replay.Run) []map[int]bool {
	all, last, down := []map[int]bool{{0: true}}, map[model.NodeID]int{}, map[model.NodeID]bool{}
	for i, r := range run.Records {
		known := map[int]bool{i + 1: true}
		learn := func(step int) {
			for k := range all[step] {
				known[k] = true
			}
		}
		switch kind := r.Move.Kind; {
		case kind == model.Crash || kind == model.Stop:
			down[r.Node] = true
		case kind == model.Restart:
			delete(down, r.Node)
		case kind == model.Deliver && !down[r.Node]:
			learn(r.Move.Event.BornStep)
		}
		if r.Move.Kind != model.Lose && r.Move.Kind != model.Duplicate {
			learn(last[r.Node])
			last[r.Node] = i + 1
		}
		all = append(all, known)
	}
	return all
}

var (
	overtook = regexp.MustCompile(`^(\S+) had invoked Ask at (step \d+), which happened before (step \d+), and its operation had not returned\.$`)
	couldBy  = regexp.MustCompile(`^(\S+) could know of that by (\S+) of (\S+), which came at (step \d+): `)
)

// The operations that a node's operation overtook, though they happened before it, and the first step in
// which the node could know of each, are computed independently from the messages of the run.
func TestOvertaken(t *testing.T) {
	fits := 0
	for seed := range uint64(800) {
		node := func() model.Node { return &Gossiper{seed: seed} }
		c := cluster{types: []any{Ask{}, Granted{}}}.client("a", node, Ask{}, Ask{}).client("b", node, Ask{}, Ask{}).client("c", node, Ask{}, Ask{})
		for i := range c.nodes {
			c.nodes[i].Crash = model.CrashStopRecovery
		}
		p := c.protocol("gossip", claims.HappenedBefore())
		config := model.Config{Faults: model.Faults{Crashes: int(seed % 2), Restarts: 1, Duplication: 1, Loss: int(seed % 2)}}
		drawn, _ := toy.Drive(t, p, "", config, false, judge.Watched(p.Claims), seed)
		if drawn.Claim == "" {
			continue
		}
		run, err := replay.Until(p, drawn, judge.Watched(p.Claims), len(drawn.Steps))
		require.NoError(t, err)
		sentences, known := why.Explain(run).Sentences, knownBy(run)
		var got, want []string
		for _, says := range sentences {
			if m := overtook.FindString(says); m != "" {
				got = append(got, m)
			}
			if m := couldBy.FindString(says); m != "" {
				got = append(got, m)
			}
		}
		if len(got) == 0 && strings.Contains(strings.Join(sentences, "\n"), "ent on") { // two that returned, neither of which should have
			continue
		}
		fits++
		last := len(run.Records)
		who := run.Records[last-1].Node
		invoked := func(id model.NodeID) int {
			for step := last; step > 0; step-- {
				if r := run.Records[step-1]; r.Node == id && r.Move.Kind == model.Invoke {
					return step
				}
			}
			return 0
		}
		name := run.World.System.Name
		from := invoked(who)
		for id := range model.NodeID(3) {
			at := invoked(id)
			if !known[from][at] || at == 0 || at == from || slices.ContainsFunc(run.Records[at:], func(r world.Record) bool {
				return slices.ContainsFunc(r.Observations, func(o model.Observation) bool {
					return o.Node == id && (o.Kind == model.Returned || o.Kind == model.Crashed)
				})
			}) {
				continue
			}
			want = append(want, fmt.Sprintf("%s had invoked Ask at step %d, which happened before step %d, and its operation had not returned.", name(id), at, from))
			for step := 1; step < from; step++ {
				if r := run.Records[step-1]; r.Node == who && known[step][at] {
					want = append(want, fmt.Sprintf("%s could know of that by %T of %s, which came at step %d: ", name(who), r.Move.Event.Value, name(r.Move.Event.From), step))
					break
				}
			}
		}
		for i := range want {
			want[i] = strings.ReplaceAll(want[i], "why_test.", "")
		}
		assert.Equal(t, want, got, "%d: %v", seed, sentences)
	}
	t.Log(fits)
	require.Greater(t, fits, 50)
}
