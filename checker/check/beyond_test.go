package check_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/check"
	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/checker/search"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/impl/suzukikasami"
	"contend/model"
)

// Where a limit stops a search, schedules are sampled for what it leaves open: in the row's reading, or with
// real-valued times for the grid.
func TestBeyondALimit(t *testing.T) {
	small := model.Config{N: 2}.With(model.Ops.Is(2))
	for _, c := range []struct {
		name     string
		protocol *model.Protocol
		check    model.Check
		opt      checker.Options
		verdict  checker.Verdict
		sampled  bool
	}{
		{"a run that violates", suzukikasami.Protocol,
			model.Check{Variant: "last-first", Config: model.Config{N: 3}.With(model.Ops.Is(3)), Claims: []string{"bounded overtaking"}},
			checker.Options{MaxStates: 50, Beyond: true}, checker.Violated, true},
		{"no run that violates", ricartagrawala.Protocol,
			model.Check{Config: small, Claims: []string{"mutual exclusion"}},
			checker.Options{MaxStates: 5, Beyond: true}, checker.Inconclusive, true},
		{"not asked for", suzukikasami.Protocol,
			model.Check{Variant: "last-first", Config: model.Config{N: 3}.With(model.Ops.Is(3)), Claims: []string{"bounded overtaking"}},
			checker.Options{MaxStates: 50}, checker.Inconclusive, false},
		{"no run can decide it", ricartagrawala.Protocol,
			model.Check{Config: small, Claims: []string{"every request is granted"}},
			checker.Options{MaxStates: 5, Beyond: true}, checker.Inconclusive, false},
		{"no limit", ricartagrawala.Protocol,
			model.Check{Config: small, Claims: []string{"mutual exclusion"}}, checker.Options{Beyond: true}, checker.Holds, false},
		{"the grid", backoff.Protocol,
			model.Check{Variant: "lease-delta", Config: model.Config{N: 1}, Reading: model.Grid, Claims: []string{"Lemma 1"}},
			checker.Options{MaxStates: 5, Beyond: true}, checker.Violated, true},
		{"no time is left", ricartagrawala.Protocol,
			model.Check{Config: small, Claims: []string{"mutual exclusion"}},
			checker.Options{Timeout: time.Nanosecond, Beyond: true}, checker.Inconclusive, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opt.Seed, c.opt.NoMinimize = 1, true
			rows, err := checker.Check(c.protocol, c.check, c.opt)
			require.NoError(t, err)
			require.Len(t, rows, 1)
			row := rows[0]
			assert.Equal(t, c.verdict, row.Verdict)
			assert.Equal(t, c.verdict, row.Claims[0].Verdict)
			assert.Equal(t, "exhaustive", row.Strategy)
			assert.Equal(t, c.check.Reading.String(), row.Time)
			if !c.sampled {
				assert.Empty(t, row.Then)
				assert.Zero(t, row.Schedules)
				return
			}
			assert.Equal(t, strategy.Default, row.Then)
			assert.Equal(t, "1", row.Seed)
			assert.Positive(t, row.States)
			assert.Equal(t, search.States, row.Limit.Code)
			if c.verdict == checker.Violated {
				assert.NotNil(t, row.Claims[0].Counterexample)
				assert.NotNil(t, row.Claims[0].Found)
				assert.Positive(t, row.Schedules)
			} else {
				assert.EqualValues(t, check.BeyondSchedules, row.Schedules)
				assert.Equal(t, row.Limit, row.Claims[0].Limit)
			}
		})
	}
}

var full = flag.Bool("full", false, "sample a million steps")

// Two nodes outbid each other without end: no schedule ends by itself, and what bounds them is the steps of all. The command
// that the row names samples as many.
func TestBeyondEndlessRuns(t *testing.T) {
	if !*full {
		t.Skip("takes a million steps: -full")
	}
	p := &model.Protocol{Name: "bid", Claims: []model.Claim{{Name: "safe", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}},
		Build: func(c model.Config) (*model.System, error) {
			outbid := func() model.Node { return &outbidder{} }
			return &model.System{Config: c, Nodes: []model.NodeSpec{{Name: "a", New: outbid, Script: []model.Op{{Call: "start"}}}, {Name: "b", New: outbid}}}, nil
		}}
	rows, err := checker.Check(p, model.Check{}, checker.Options{MaxStates: 5, Beyond: true})
	require.NoError(t, err)
	assert.EqualValues(t, check.BeyondSteps/sample.DefaultSteps, rows[0].Schedules)
	assert.Contains(t, rows[0].Notes[len(rows[0].Notes)-1], "verify run bid --schedules 100 ")
}

type outbidder struct{ Bid int }

func (b *outbidder) Invoke(env model.Env, _ any) { env.Send(1-env.Self(), b.Bid) }

func (b *outbidder) Receive(env model.Env, from model.NodeID, m any) {
	b.Bid = m.(int)%7 + 1
	env.Send(from, b.Bid)
}

// Of the time the search has three quarters, and sampling what is left.
func TestBeyondTheTime(t *testing.T) {
	check := model.Check{Config: model.Config{N: 4}.With(model.Ops.Is(9)), Claims: []string{"mutual exclusion"}}
	var sampled []checker.Progress
	rows, err := checker.Check(ricartagrawala.Protocol, check, checker.Options{Timeout: 2 * time.Second, Beyond: true, Seed: 7, Progress: func(p checker.Progress) {
		if p.Sampled {
			sampled = append(sampled, p)
		}
	}})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.NotEmpty(t, sampled)
	for _, p := range sampled {
		assert.Zero(t, p.Planned, "no number of schedules is planned")
	}
	assert.Contains(t, rows[0].Notes[len(rows[0].Notes)-1], fmt.Sprintf("--schedules %d ", rows[0].Schedules), "the command that samples the same schedules")
	assert.Equal(t, search.Timeout, rows[0].Limit.Code)
	assert.Positive(t, rows[0].States)
	assert.Positive(t, rows[0].Schedules)
	assert.Equal(t, checker.Inconclusive, rows[0].Verdict)
}
