package toy

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// parts is the number of parts of a tick in the runs of these tests.
const parts = 6

// Drive executes a random run of a system and returns it as a trace. The claims are monitored, and are listed
// in the trace.
func Drive(t testing.TB, p *model.Protocol, variant string, c model.Config, timed bool, claims []model.Claim, seed uint64) (*traces.Trace, *world.World) {
	t.Helper()
	s, err := p.System(variant, c)
	require.NoError(t, err)
	w, err := world.New(s, claims, world.Options{Timed: timed, Parts: parts})
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(seed, 0))
	var records []world.Record
	for tries := 0; tries < 300 && !w.Done() && len(w.Violations) == 0; tries++ {
		m, ok := pick(w, rng)
		if !ok {
			break
		}
		r, err := w.Step(m, instantOf(w, m, timed, rng), func(n int, _ string) int { return rng.IntN(n) })
		if err == nil {
			records = append(records, r)
			continue
		}
		require.ErrorAs(t, err, new(world.ErrCut))
	}
	header := traces.New(p, variant, s.Config, timed, "", "")
	for _, c := range claims {
		header.Watched = append(header.Watched, c.Name)
	}
	if len(w.Violations) > 0 {
		header.Claim, header.Text = w.Violations[0].Claim, w.Violations[0].Text
	}
	tr, err := traces.FromRun(header, w, parts, records)
	require.NoError(t, err)
	return tr, w
}

// pick returns a random move: with probability 1/8 of any kind, and otherwise not of the environment if that is
// possible.
func pick(w *world.World, rng *rand.Rand) (world.Move, bool) {
	moves := w.Moves()
	due := slices.DeleteFunc(slices.Clone(moves), func(m world.Move) bool { return m.Kind.Adversarial() })
	if rng.IntN(8) == 0 {
		moves = append(moves, w.Forgeries()...)
	} else if len(due) > 0 {
		moves = due
	}
	if len(moves) == 0 {
		return world.Move{}, false
	}
	return moves[rng.IntN(len(moves))], true
}

func instantOf(w *world.World, m world.Move, timed bool, rng *rand.Rand) world.Time {
	if !timed || m.Event == nil || m.Kind.Adversarial() {
		return w.Now
	}
	lo, hi, _ := w.Fires(m.Event)
	return lo + world.Time(rng.Int64N(int64(min(hi-lo, 2*parts))+1))
}

// Watchable returns the claims of a protocol that a run can monitor.
func Watchable(p *model.Protocol) []model.Claim {
	var out []model.Claim
	for _, c := range p.Claims {
		if c.Monitor != nil || c.Invariant != nil || c.Done {
			out = append(out, c)
		}
	}
	return out
}

// Claim returns a list with the claim of the given name.
func Claim(t testing.TB, p *model.Protocol, name string) []model.Claim {
	t.Helper()
	c, err := p.Claim(name)
	require.NoError(t, err)
	return []model.Claim{c}
}

// Ending returns the last state of a run without times: the nodes, and the pending events.
func Ending(w *world.World) []string {
	var out []string
	for i := range w.System.Nodes {
		out = append(out, fmt.Sprintf("%x", w.Node(model.NodeID(i))))
	}
	for _, e := range w.Pending() {
		out = append(out, fmt.Sprintf("%v %d→%d %x #%d", e.Kind, e.From, e.Node, w.Codec.Any(e.Value, nil), e.Occurrence))
	}
	return out
}

// Encode returns the file of a trace.
func Encode(t testing.TB, tr *traces.Trace) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, traces.Write(&b, tr))
	return b.Bytes()
}

// Clone returns a deep copy of a trace.
func Clone(t testing.TB, tr *traces.Trace) *traces.Trace {
	t.Helper()
	copied, err := traces.Read(bytes.NewReader(Encode(t, tr)))
	require.NoError(t, err)
	return copied
}
