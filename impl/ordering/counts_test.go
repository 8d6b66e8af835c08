package ordering

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/describe"
)

// A size is the size of a state space.
type size struct {
	states, transitions int64
	depth               int
}

// A space is a configuration with the sizes of its state space. Theorem 1 alone and Line 2.25 too have the same sizes,
// because their monitors distinguish no states.
type space struct {
	variant string
	model.Config
	reduced size // by all reductions
	whole   size // without any; a zero size is not searched
	large   bool // searched with -full alone
}

func (s space) String() string {
	return fmt.Sprintf("%s n=%d b=%d attempts=%d", s.variant, s.N, s.B, Attempts.Of(s.Config))
}

var spaces = []space{
	{"", one.Config, size{2_905, 7_327, 22}, size{}, false},
	{"", oneTwice.Config, size{41_966, 114_503, 33}, size{}, false},
	{"", model.Config{N: 2}.With(Attempts.Is(1)), size{271_160, 1_296_361, 36}, size{}, true},
	{"seeded", model.Config{N: 2}.With(Attempts.Is(1)), size{7_434, 31_386, 32}, size{56_917, 266_848, 34}, false},
	{"seeded", three.Config, size{143_828, 1_051_714, 34}, size{}, true},
	{"seeded", liar.Config, size{29_013, 150_515, 40}, size{183_806, 963_780, 40}, false},
	{"lagging", behind.Config, size{6_887, 36_096, 30}, size{}, false},
	{"stabilizing", stable.Config, size{2_278, 5_221, 49}, size{2_278, 5_221, 49}, false},
	{"stabilizing", model.Config{N: 2}.With(Attempts.Is(1)), size{18_884, 67_576, 70}, size{113_528, 450_637, 75}, false},
}

// The sizes of the state spaces. They change with the state or the messages of nodes, the lies, or the reductions.
func TestStateSpaces(t *testing.T) {
	for _, s := range spaces {
		t.Run(s.String(), func(t *testing.T) {
			if s.large && !*full {
				t.Skip("it is large: -full")
			}
			assert.Equal(t, s.reduced, s.search(t, nil, "Theorem 1", "Line 2.25"))
			if s.whole != (size{}) {
				assert.Equal(t, s.whole, s.search(t, []string{}, "Theorem 1"), "without reductions")
			}
		})
	}
}

// search completes a search for claims. The claims must hold.
func (s space) search(t *testing.T, reduce []string, claims ...string) size {
	t.Helper()
	row := s.row(t, Protocol, reduce, claims...)
	assert.True(t, row.Complete)
	for _, claim := range row.Claims {
		assert.Equal(t, checker.Holds, claim.Verdict, claim.Name)
		assert.True(t, claim.Witnessed, claim.Name)
	}
	return size{row.States, row.Transitions, row.Depth}
}

func (s space) row(t *testing.T, p *model.Protocol, reduce []string, claims ...string) *checker.Row {
	t.Helper()
	rows, err := checker.Check(p, model.Check{Variant: s.variant, Config: s.Config, Claims: claims}, checker.Options{Reduce: reduce})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return rows[0]
}

// A historian also stores each sequence of committed states.
type historian struct {
	Sequence sequence
	note     func([]State)
}

func (h *historian) Observe(w model.Watch, o model.Observation) {
	h.Sequence.Observe(w, o)
	h.note(h.Sequence.States)
}

// Reductions omit no sequence of committed states: with and without them, the reachable sequences are equal.
func TestReductionsKeepTheSequences(t *testing.T) {
	for _, s := range spaces {
		if s.whole == (size{}) {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			reduced, whole := s.sequences(t, nil), s.sequences(t, []string{})
			assert.Equal(t, whole, reduced)
			assert.Greater(t, len(whole), 2)
		})
	}
}

// sequences returns the sequences of committed states in a search.
func (s space) sequences(t *testing.T, reduce []string) []string {
	t.Helper()
	seen := map[string]bool{}
	p := *Protocol
	p.Claims = []model.Claim{{
		Name: "Theorem 1", Kind: model.Always,
		Monitor: func(s *model.System) model.Monitor {
			return &historian{sequence{States: begun(s)}, func(σ []State) { seen[describe.Value(σ, nil)] = true }}
		},
	}}
	row := s.row(t, &p, reduce, "Theorem 1")
	require.Equal(t, checker.Holds, row.Claims[0].Verdict)
	return slices.Sorted(maps.Keys(seen))
}
