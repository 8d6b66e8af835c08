package ordering

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/describe"
	"contend/model/variant"
)

// A start is a workload with a state written by hand, and a run of the protocol as printed that leads to this state
// from the initial state.
type start struct {
	workload string
	model.Config
	run func(d *driver)
	// late are the messages in flight, to nodes that still exist, that the start omits. Messages need not arrive. So
	// the runs of the start are the protocol's runs in which these messages do not arrive.
	late []string
}

var starts = []start{
	{
		workload: "seeded", Config: three.Config,
		run: func(d *driver) {
			d.do("c1 submits", "c2 submits", "c1,c2→s1,s2,s3 submit")
		},
	},
	{
		workload: "alone", Config: lone.Config,
		run: func(d *driver) {
			d.do("c1 submits", "c2 submits", "c1,c2→s1,s2,s3 submit")
		},
	},
	{
		workload: "split", Config: divided.Config,
		run: func(d *driver) {
			d.do("c1 submits", "c2 submits", "c3 submits")
			d.do("c2→s1 submit", "c2 contends", "c2→s1,s2 get 1", "s1,s2→c2 got 1", "c2→s1 propose 1")
			d.do("c3→s2,s3 submit", "c3 contends", "c3→s2,s3 get 2", "s2,s3→c3 got 2", "c3→s2,s3 propose 2", "s2,s3→c3 done propose 2")
			d.do("c3→s3 commit 2")
			d.do("c1→s1,s2,s3 submit", "c2→s2,s3 submit", "c3→s1 submit")
		},
		late: []string{"c2→s3 get 1", "c2→s2,s3 propose 1", "c3→s1 get 2", "c3→s1 propose 2", "c3→s1,s2 commit 2"},
	},
	{
		workload: "racing", Config: race.Config,
		run: func(d *driver) {
			d.do("c1 submits", "c2 submits")
			d.do("c2→s3 submit", "c2 contends", "c2→s1,s3 get 1", "s1,s3→c2 got 1")
			d.do("c1→s2 submit", "c1 contends", "c1→s1,s2 get 2", "s1,s2→c1 got 2")
			d.do("c1→s1,s3 submit", "c2→s1,s2 submit")
		},
		late: []string{"c2→s2 get 1", "c1→s3 get 2"},
	},
	{
		workload: "late-answer", Config: overdue.Config,
		run: func(d *driver) {
			d.do("c1 submits", "c2 submits", "c3 submits")
			d.do("c2→s1,s2 submit", "c2 contends", "c2→s1,s2 get 1", "s1,s2→c2 got 1", "c2→s2 propose 1")
			d.do("c3 contends", "c3→s1 get 2", "c2→s1 propose 1", "s1→c2 refused propose 1")
			d.do("c1 contends", "c1→s3 get 4", "c3→s3 get 2", "s3→c3 refused get 2")
			d.do("c3→s3 submit")
		},
		late: []string{
			"c1→s1,s2,s3 submit", "c2→s3 submit", "c3→s1,s2 submit",
			"c2→s3 get 1", "c2→s3 propose 1", "c3→s2 get 2", "s1→c3 got 2", "c1→s1,s2 get 4",
		},
	},
	{
		workload: "late-commit", Config: belated.Config,
		run: func(d *driver) {
			d.do("c1 submits", "c1→s1,s2,s3 submit", "c1 contends", "c1→s1,s2 get 1", "s1,s2→c1 got 1")
			d.do("c1→s2,s3 propose 1", "s2,s3→c1 done propose 1", "c1→s2,s3 commit 1", "s2,s3→c1 done commit 1")
			d.do("c1 contends", "c1→s2,s3 get 2", "s2,s3→c1 got 2", "c1→s2,s3 propose 2", "s2,s3→c1 done propose 2")
		},
		late: []string{"c1→s3 get 1", "c1→s1 propose 1", "c1→s1 get 2", "c1→s1 propose 2", "s2,s3→c1 response"},
	},
	{
		// The get of c2 overtakes its submit, so FIFO channels would not lead here. A claim about the start with FIFO
		// channels is a claim about all runs from here that keep the order from now on.
		workload: "unanswered", Config: three.Config,
		run: func(d *driver) {
			d.do("c1 submits", "c2 submits", "c1→s1 submit")
			d.do("c2 contends", "c2→s1,s2 get 1", "s1,s2→c2 got 1", "c2→s2,s3 propose 1", "s2,s3→c2 done propose 1")
			d.do("c2→s2,s3 commit 1", "s2,s3→c2 done commit 1")
			d.do("c2→s1,s2,s3 submit")
		},
		late: []string{"c2→s3 get 1", "c2→s1 propose 1", "c2→s1 commit 1"},
	},
	{
		workload: "lagging", Config: behind.Config, run: lag8,
		late: []string{
			"c2→s1,s2,s3 propose 1", "c3→s4 get 2", "c3→s4 propose 2", "c3→s4 commit 2",
			"c3→s4 get 6", "c3→s1,s2,s4 propose 6", "c1→s3,s4 get 4",
		},
	},
	{
		workload: "lagging-returns", Config: returned.Config,
		run: func(d *driver) {
			lag8(d)
			d.do("c1 contends", "c1→s1,s2 get 8", "c3→s1,s2 propose 6", "s1,s2→c3 refused propose 6")
		},
		late: []string{
			"c2→s1,s2,s3 propose 1", "c3→s4 get 2", "c3→s4 propose 2", "c3→s4 commit 2", "s1,s2,s3→c3 response",
			"c3→s4 get 6", "c3→s4 propose 6", "s3→c3 done propose 6", "c1→s3,s4 get 4", "c1→s3,s4 get 8",
		},
	},
}

// lag8 leads to the start of lagging, before c1 tries rank 8. s5 lies.
func lag8(d *driver) {
	nothing := func(r Rank) Got { return Got{Rank: r, Committed: Undefined, Proposed: Undefined} }
	d.do("c1 submits", "c2 submits", "c3 submits")

	d.do("c2→s1,s4 submit", "c2 contends", "c2→s1,s2,s3,s4 get 1", "s1,s2,s3,s4→c2 got 1", "c2→s4 propose 1")

	d.do("c3→s1,s2,s3 submit", "c3 contends", "c3→s1,s2,s3 get 2", "s1,s2,s3→c3 got 2")
	d.lie("s5", "c3", nothing(2))
	d.do("c3→s1,s2,s3 propose 2", "s1,s2,s3→c3 done propose 2")
	d.lie("s5", "c3", Done{Proposing, 2})
	d.do("c3→s1,s2,s3 commit 2", "s1,s2,s3→c3 done commit 2")
	d.lie("s5", "c3", Done{Committing, 2})

	d.do("c1→s1,s2,s3,s4 submit", "c2→s2,s3 submit", "c3→s4 submit")
	d.do("c3 contends", "c3→s1,s2,s3 get 6", "s1,s2,s3→c3 got 6")
	d.lie("s5", "c3", nothing(6))
	d.do("c3→s3 propose 6")

	d.do("c1 contends", "c1→s1,s2 get 4", "s1,s2→c1 refused get 4")
}

// Each start is reachable. The protocol as printed can lead all servers, and the clients that still exist, to exactly
// the states of the workload. The same events are then pending, except late messages. One difference remains: a start
// counts passages from its own beginning. Only the cut on attempts uses this count.
func TestStartsAreReachable(t *testing.T) {
	for _, st := range starts {
		t.Run(st.workload, func(t *testing.T) {
			d := drive(t, st.printed(t))
			st.run(d)

			s, err := Protocol.System(st.workload, st.Config)
			require.NoError(t, err)
			begins := drive(t, s)
			begins.boot()

			for i := range s.Nodes {
				if there, node := is(begins, i); there {
					_, led := is(d, i)
					assert.Empty(t, cmp.Diff(node, led, states...), "%s: − as the workload writes it, + as the run leads to", s.Name(model.NodeID(i)))
				}
			}
			assert.ElementsMatch(t, each(st.late), late(t, begins, d))
		})
	}
}

// The starts of mutants do not break their claims. The protocol as printed, begun there, keeps the claims. (The other
// starts are among the default checks.)
func TestStartsKeepTheClaims(t *testing.T) {
	for _, c := range []struct {
		setting
		claim string
	}{
		{divided, "Theorem 1"},
		{silent, "Theorem 2, bounded"},
	} {
		t.Run(c.title, func(t *testing.T) {
			p := *Protocol
			p.Variants = []model.Variant{{Name: "begun", Edit: c.begin}}
			row := space{variant: "begun", Config: c.Config}.row(t, &p, nil, c.claim)
			assert.True(t, row.Complete)
			assert.Equal(t, checker.Holds, row.Claims[0].Verdict, row.Claims[0].Text)
			assert.True(t, row.Claims[0].Witnessed)
		})
	}
}

// Five edits of handlers show in no default check from the initial state. Each shows in its own check.
func TestDefaultChecksThatBeginMidway(t *testing.T) {
	for _, c := range []struct {
		edit string
		bug  func(*model.System)
		setting
	}{
		{"answers of an earlier passage count", takingEarlierAcks, overdue},
		{"commit waits for one server fewer", variant.Setup(func(c *Config) { c.Commit.Size-- }), lone},
		{"propose does not raise maxRank", proposeKeepsRank, race},
		{"commit does not raise maxRank", commitKeepsRank, belated},
		{"line 2.25 applies operations to σᵖᶜ", extendingProposed, returned},
	} {
		if c.title == overdue.title && !*full {
			continue // it takes seconds
		}
		t.Run(c.edit, func(t *testing.T) {
			assert.True(t, slices.ContainsFunc(checks, func(k model.Check) bool { return k.Variant == c.title && k.Config == c.Config }))
			p := *Protocol
			p.Variants = []model.Variant{{Name: "edited", Edit: variant.All(c.bug, c.begin)}}
			row := space{variant: "edited", Config: c.Config}.row(t, &p, nil, "Theorem 1")
			assert.Equal(t, checker.Violated, row.Claims[0].Verdict)
		})
	}
}

// The corrected lemmas are checked with liars: bugs of Theorem 1 violate them.
func TestLemmasAmongLiars(t *testing.T) {
	for _, c := range []struct {
		mutant, claim string
		setting
	}{
		{"b-committed", "Lemma 4 (3), by rank", liarAgain},
		{"applies-again", "Lemma 4 (3), by rank", liarAgain},
		{"b-completed", "Lemma 4 (2), by rank", liar},
		{"b-completed", "Lemma 4 (3), by rank", liar},
		{"choose-set", "Lemma 4 (2), by rank", liar},
	} {
		t.Run(c.mutant+"/"+c.claim, func(t *testing.T) {
			row := space{variant: c.mutant, Config: c.Config}.row(t, Protocol, nil, c.claim)
			assert.Equal(t, checker.Violated, row.Claims[0].Verdict)
		})
	}
}

// printed returns the protocol as printed, without a cut that the run could reach. Q₁ is any quorum, here U.
func (st start) printed(t *testing.T) *model.System {
	t.Helper()
	s, err := Protocol.System("submit-to-all", st.Config.With(Attempts.Is(10)))
	require.NoError(t, err)
	return s
}

// states compares the states of nodes, without their configurations.
var states = []cmp.Option{cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Client{}, Server{})}

// is returns the client or server of a node, unless the node lies or has departed.
func is(d *driver, id int) (there bool, node any) {
	switch n := d.Live(model.NodeID(id)).(type) {
	case interface{ server() *Server }:
		return true, *n.server()
	case interface{ client() *Client }:
		c := *n.client()
		c.Passages = 0
		return true, c
	}
	return false, nil
}

// late returns the events of a run that a start omits. It first checks that the run has all events of the start. Events
// of departed nodes do not count.
func late(t *testing.T, begins, run *driver) []string {
	t.Helper()
	content := func(d *driver) (all []string) {
		for _, e := range d.Pending() {
			if there, _ := is(begins, int(e.Node)); there {
				all = append(all, d.event(e)+"\t"+fmt.Sprint(e.Kind, describe.Value(e.Value, nil)))
			}
		}
		return all
	}
	out := content(run)
	for _, e := range content(begins) {
		i := slices.Index(out, e)
		if assert.GreaterOrEqual(t, i, 0, "the start has %s, the run only %q", e, out) {
			out = slices.Delete(out, i, i+1)
		}
	}
	for i, e := range out {
		out[i], _, _ = strings.Cut(e, "\t")
	}
	return out
}
