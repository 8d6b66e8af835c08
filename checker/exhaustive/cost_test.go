package exhaustive_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/search"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/costs"
	"contend/traces"
	"contend/traces/replay"
)

// costOf finds a cost of a protocol; of none of that name the test fails.
func costOf(t *testing.T, p *model.Protocol, name string, c model.Check, opt checker.Options) *checker.CostRow {
	t.Helper()
	for _, cost := range p.Costs {
		if cost.Name == name {
			row, err := checker.FindCost(p, cost, c, opt)
			require.NoError(t, err)
			return row
		}
	}
	t.Fatalf("%s has no cost %s", p.Name, name)
	return nil
}

// The numbers that are known: 2(N − 1) messages for each entry of Ricart–Agrawala, two of them
// one after the other where nobody else wants in; n tries and the answers of a quorum for a
// contend that is granted at once, and 2n for each try at most.
func TestKnownCosts(t *testing.T) {
	at := func(c model.Config) model.Check { return model.Check{Config: c} }
	timed := func(r model.Reading) model.Check {
		return model.Check{Config: model.Config{N: 3}.With(backoff.Tries.Is(2)), Reading: r}
	}
	for _, c := range []struct {
		protocol    *model.Protocol
		cost        string
		check       model.Check
		least, most int
		limit       string
	}{
		{ricartagrawala.Protocol, "messages per entry", at(model.Config{N: 2}.With(model.Ops.Is(3))), 2, 2, ""},
		{ricartagrawala.Protocol, "messages per entry", at(model.Config{N: 3}.With(model.Ops.Is(1))), 4, 4, ""},
		{ricartagrawala.Protocol, "messages per entry", model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(1)), Reading: model.Dense}, 4, 4, ""},
		{ricartagrawala.Protocol, "latency of an entry", at(model.Config{N: 2}.With(model.Ops.Is(2))), 2, 2, ""},
		{ricartagrawala.Protocol, "latency of an entry", at(model.Config{N: 3}.With(model.Ops.Is(1))), 2, 5, ""},
		{ricartagrawala.Protocol, "messages per entry and exit", at(model.Config{N: 3}.With(model.Ops.Is(1))), 4, 4, ""},
		{ricartagrawala.Protocol, "messages per entry and exit", at(model.Config{N: 2}.With(model.Ops.Is(3))), 2, 2, ""},
		{ricartagrawala.Protocol, "client delay", at(model.Config{N: 3}.With(model.Ops.Is(1))), 2, 2, ""},
		{ricartagrawala.Protocol, "synchronization delay", at(model.Config{N: 3}.With(model.Ops.Is(1))), 1, 1, ""},
		{ricartagrawala.Protocol, "client delay in time", model.Check{Config: model.Config{N: 2}, Reading: model.Grid}, 0, 2, ""},
		{ricartagrawala.Protocol, "synchronization delay in time", model.Check{Config: model.Config{N: 2}, Reading: model.Grid}, 0, 2, ""},
		{ricartagrawala.Protocol, "synchronization delay in time", model.Check{Config: model.Config{N: 2}, Reading: model.Dense}, 0, 2, ""},
		{backoff.Protocol, "messages per contend", timed(model.Grid), 5, 12, "cut"},
		{backoff.Protocol, "messages per contend", timed(model.Dense), 5, 12, "cut"},
		{backoff.Protocol, "messages per contend", at(model.Config{N: 3}.With(backoff.Tries.Is(1), model.Clients.Is(1))), 5, 6, ""},
		{backoff.Protocol, "latency of a contend", timed(model.Grid), 2, 4, "cut"},
		{backoff.Protocol, "latency of a contend", at(model.Config{N: 2}.With(backoff.Tries.Is(2))), 2, 6, "cut"},
	} {
		row := costOf(t, c.protocol, c.cost, c.check, checker.Options{Workers: 1})
		name := row.Command + " " + c.cost
		require.NotNil(t, row.Least, name)
		assert.Equal(t, []int{c.least, c.most}, []int{row.Least.Number, row.Most.Number}, name)
		assert.Equal(t, c.limit, row.Limit.String(), name)
		assert.Equal(t, c.limit == "", row.Complete, name)
		assert.True(t, row.Least.Confirmed && row.Most.Confirmed, name)
	}
}

// all counts the messages of whole runs.
func all(most int) *model.Protocol {
	p := *ricartagrawala.Protocol
	c := costs.Messages()
	c.Most = most
	p.Costs = []*model.Cost{c}
	return &p
}

// A whole run of Ricart–Agrawala has N·ops·2(N − 1) messages; a cost that counts to fewer says so.
func TestCostsOfWholeRuns(t *testing.T) {
	check := model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(1))}
	for most, want := range map[int]string{0: "12", 12: "12", 11: "more than 11", 1: "more than 1"} {
		row := costOf(t, all(most), "messages", check, checker.Options{})
		assert.Equal(t, []string{want, want}, []string{row.Least.String(), row.Most.String()}, "most is %d", most)
		assert.True(t, row.Complete)
	}
}

// Neither the numbers nor the runs depend on how many workers search.
func TestCostsForAnyWorkers(t *testing.T) {
	check := model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(1))}
	trace := func(workers int, of func(*checker.CostRow) *checker.Reading) string {
		var b bytes.Buffer
		row := costOf(t, ricartagrawala.Protocol, "latency of an entry", check, checker.Options{Workers: workers})
		require.NoError(t, traces.Write(&b, of(row).Run))
		return b.String()
	}
	least := func(r *checker.CostRow) *checker.Reading { return r.Least }
	most := func(r *checker.CostRow) *checker.Reading { return r.Most }
	assert.Equal(t, trace(1, least), trace(3, least))
	assert.Equal(t, trace(1, most), trace(3, most))
}

// A search that is stopped and a row that does not meet what is assumed leave a cost open, and say
// why. A run that gets stuck has its numbers up to there.
func TestCostsLeftOpen(t *testing.T) {
	small := model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(1))}
	stopped := costOf(t, ricartagrawala.Protocol, "messages per entry", small, checker.Options{MaxStates: 5})
	assert.Equal(t, search.States, stopped.Limit.Code)
	assert.False(t, stopped.Complete)

	p := *ricartagrawala.Protocol
	lossless := costs.Messages()
	lossless.Assumes = []model.Assumption{model.NoLoss}
	p.Costs = []*model.Cost{lossless}
	lossy := small
	lossy.Config.Faults.Loss = 1
	assert.Equal(t, "it assumes no loss", costOf(t, &p, "messages", lossy, checker.Options{}).Text)

	small.Variant = "defer-on-tie"
	stuck := costOf(t, ricartagrawala.Protocol, "messages per entry", small, checker.Options{})
	assert.Equal(t, 2, stuck.Most.Number, "of those that enter")
}

// What does not go with a cost is refused by name.
func TestCostsRefused(t *testing.T) {
	plain := model.Check{}
	cost := ricartagrawala.Protocol.Costs[0]
	tooMany := *cost
	tooMany.Most = 40_000
	twice := model.Check{Reading: model.Dense, Config: model.Config{Faults: model.Faults{Duplication: 1}}}
	none := *ricartagrawala.Protocol
	none.Costs = nil
	for _, c := range []struct {
		protocol *model.Protocol
		cost     *model.Cost
		check    model.Check
		opt      checker.Options
		want     string
	}{
		{&none, cost, plain, checker.Options{}, "costs: protocol ricartagrawala declares none"},
		{ricartagrawala.Protocol, cost, model.Check{Schedules: 5}, checker.Options{}, "schedules: the least and the most of a cost are found by a search, not by sampling"},
		{ricartagrawala.Protocol, cost, plain, checker.Options{Checkpoints: "ck"}, "checkpoint: of the search for a cost no checkpoints are kept"},
		{ricartagrawala.Protocol, cost, plain, checker.Options{Profile: true}, "profile: the search for a cost makes none"},
		{ricartagrawala.Protocol, &tooMany, plain, checker.Options{}, "cost messages per entry: most is 40000, but must be 1 to 30000"},
		{ricartagrawala.Protocol, cost, twice, checker.Options{}, "duplication: a message that comes again is read untimed or on the grid, not in dense time"},
	} {
		_, err := checker.FindCost(c.protocol, c.cost, c.check, c.opt)
		assert.EqualError(t, err, c.want)
	}
}

// The run of a cost replays with its meter, and not with another number.
func TestRunsOfCostsReplay(t *testing.T) {
	for _, p := range []*model.Protocol{ricartagrawala.Protocol, all(0)} {
		row, err := checker.FindCost(p, p.Costs[0], model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(1))}, checker.Options{})
		require.NoError(t, err)
		tr := *row.Most.Run
		_, err = replay.Replay(p, &tr, nil)
		require.NoError(t, err)
		for what, edit := range map[string]func(*traces.Trace){
			"another number":  func(tr *traces.Trace) { tr.Cost = &traces.Cost{Name: row.Cost, Number: row.Most.Number + 1} },
			"a step short":    func(tr *traces.Trace) { tr.Steps = tr.Steps[:len(tr.Steps)-1] },
			"another cost":    func(tr *traces.Trace) { tr.Cost = &traces.Cost{Name: "price"} },
			"a claim as well": func(tr *traces.Trace) { tr.Claim = "mutual exclusion" },
		} {
			bad := tr
			edit(&bad)
			_, err := replay.Replay(p, &bad, nil)
			assert.Error(t, err, what)
		}
	}
}
