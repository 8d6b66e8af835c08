package why_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/judge"
	"contend/model"
	"contend/traces/draw"
	"contend/traces/replay"
	"contend/traces/why"
)

// ten are protocols of known kinds, each with one planted bug. An expert's explanation of the shortest
// violating run comes with each. The explanations were written before package why was applied to these
// protocols.
var ten = []struct {
	name  string
	says  string                    // the expert's explanation
	cause func(d *draw.Diagram) int // the step that it names
	p     *model.Protocol
	check model.Check
}{
	{"paxos", "When the proposer of the higher ballot had its quorum of promises, one of them named an accepted value, and it proposed its own all the same.",
		sends(`^Accept\{2`), paxos, model.Check{}},
	{"abd", "The first read returned the new value though only one replica had it, and did not write it back.",
		decides("r1"), abd, model.Check{}},
	{"two-phase commit", "A participant that had voted yes did not hear the decision and aborted on its own when its alarm fired.",
		happens(`alarm .* fires`), twoPhase, model.Check{Config: model.Config{Faults: model.Faults{Loss: 1}}}},
	{"lease", "The server counts two ticks and the client three, so the server granted the lease again while the first client still counted.",
		sends(`^Lease`, 2), lease, model.Check{Reading: model.Dense}},
	{"primary-backup", "The primary acknowledged the write before the backup had it.",
		sends(`^Written`), primaryBackup, model.Check{Config: model.Config{Faults: model.Faults{Crashes: 1}}}},
	{"election", "One voter voted for both candidates of one term.",
		twice(`^Vote`), election, model.Check{}},
	{"token", "The alarm of the sender fired while its token was under way, and it sent the token a second time.",
		happens(`alarm .* fires`), token, model.Check{}},
	{"counter", "A replica added a count that it had already, where it should have taken the larger of the two.",
		last(), counter, model.Check{}},
	{"follower", "The follower answered the read before it had been told of the write.",
		sends(`^Value`), follower, model.Check{}},
	{"lock", "The server took a release from a client that did not hold the lock.",
		happens(`Unlock.* arrives`), lock, model.Check{}},
}

// What a colleague points at.
func sends(label string, times ...int) func(*draw.Diagram) int {
	return func(d *draw.Diagram) int {
		var steps []int
		for _, a := range d.Arrows {
			if regexp.MustCompile(label).MatchString(a.Label) && !slices.Contains(steps, a.Sent) {
				steps = append(steps, a.Sent)
			}
		}
		slices.Sort(steps)
		if len(times) > 0 {
			return steps[times[0]-1]
		}
		return steps[0]
	}
}

// twice returns the second step in which a node sends a matching message.
func twice(label string) func(*draw.Diagram) int {
	return func(d *draw.Diagram) int {
		by := map[int][]int{}
		for _, a := range d.Arrows {
			if regexp.MustCompile(label).MatchString(a.Label) {
				by[a.From] = append(by[a.From], a.Sent)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(by)) {
			if slices.Sort(by[id]); len(by[id]) > 1 {
				return by[id][1]
			}
		}
		return -1
	}
}

func happens(what string) func(*draw.Diagram) int {
	return func(d *draw.Diagram) int {
		return slices.IndexFunc(d.Rows, func(r draw.Row) bool { return regexp.MustCompile(what).MatchString(r.What) })
	}
}

// decides returns the step in which a node receives the last message before its operation returns.
func decides(name string) func(*draw.Diagram) int {
	return func(d *draw.Diagram) int {
		at := -1
		for i, r := range d.Rows {
			if strings.HasSuffix(r.Who, "→ "+name) {
				at = i
			}
			if r.Who == name && strings.HasPrefix(r.What, "returns") {
				break
			}
		}
		return at
	}
}

func last() func(*draw.Diagram) int { return func(d *draw.Diagram) int { return len(d.Rows) - 1 } }

// Of ten runs why names the step that a colleague would name.
func TestTen(t *testing.T) {
	fits := 0
	for _, c := range ten {
		rows, err := checker.Check(c.p, c.check, checker.Options{Seed: 1, Workers: 1})
		require.NoError(t, err, c.name)
		i := slices.IndexFunc(rows[0].Claims, func(r checker.ClaimResult) bool { return r.Verdict == checker.Violated })
		require.GreaterOrEqual(t, i, 0, "%s: %+v", c.name, rows[0].Claims)
		run, err := replay.Replay(c.p, rows[0].Claims[i].Counterexample, judge.Watched(c.p.Statements()))
		require.NoError(t, err, c.name)
		d, e := draw.New(run), why.Explain(run)
		step := c.cause(d)
		require.Positive(t, step, "%s: no step is the cause", c.name)
		named := regexp.MustCompile(fmt.Sprintf(`\bstep %d\b`, step))
		// A sentence about an earlier received message is not about this step.
		fit := slices.ContainsFunc(e.Sentences, func(says string) bool { return named.MatchString(says) && !strings.HasPrefix(says, "What ") })
		if fit {
			fits++
		}
		t.Logf("%s: fits: %v; a colleague: step %d (%s: %s): %s", c.name, fit, step, d.Rows[step].Who, d.Rows[step].What, c.says)
		for i, r := range d.Rows {
			t.Logf("    %d %s: %s; %s", i, r.Who, r.What, strings.Join(r.Details, "; "))
		}
		for _, says := range e.Sentences {
			t.Logf("  - %s", says)
		}
	}
	t.Logf("%d of %d fit", fits, len(ten))
	require.GreaterOrEqual(t, fits, len(ten))
}
