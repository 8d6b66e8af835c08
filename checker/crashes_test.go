package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/judge"
	"contend/model"
	"contend/traces/replay"
)

// A register is kept by one server: what it does not write to disk is lost in a crash.
type (
	disk struct {
		Value int `contend:"stable"`
	}
	memory struct{ Value int }
	// user numbers its requests, and never two alike: the number survives.
	user struct {
		store model.NodeID
		Asked int `contend:"stable"`
		Waits bool
	}

	// request reads, or writes a value.
	request struct {
		N     int
		Write model.Optional[int]
	}
	answer struct{ N, V int }
)

func (d *disk) Receive(env model.Env, from model.NodeID, m any)   { serve(&d.Value, env, from, m) }
func (s *memory) Receive(env model.Env, from model.NodeID, m any) { serve(&s.Value, env, from, m) }

func serve(v *int, env model.Env, from model.NodeID, m any) {
	r := m.(request)
	if w, writes := r.Write.Get(); writes {
		*v = w
		env.Send(from, answer{r.N, written})
		return
	}
	env.Send(from, answer{r.N, *v})
}

func (u *user) Invoke(env model.Env, op any) {
	u.Asked, u.Waits = u.Asked+1, true
	env.Send(u.store, request{u.Asked, op.(model.Optional[int])})
}

func (u *user) Receive(env model.Env, _ model.NodeID, m any) {
	if a := m.(answer); u.Waits && a.N == u.Asked {
		u.Waits = false
		env.Return(a.V)
	}
}

// written is the answer to a write.
const written = -1

// register is the protocol, on what New makes, with one user that writes and reads.
func register(store func() model.Node, crash model.CrashModel) *model.Protocol {
	return &model.Protocol{
		Name: "register",
		Build: func(model.Config) (*model.System, error) {
			return &model.System{
				Nodes: []model.NodeSpec{
					{Name: "s", Role: model.Server, New: store},
					{Name: "u", New: func() model.Node { return &user{} }, Crash: crash,
						Script: []model.Op{{Call: model.Some(1)}, {Call: model.Optional[int]{}}}},
				},
				Network: model.Network{Delay: model.Anytime()},
				Types:   []any{request{}, answer{}, model.Optional[int]{}},
			}, nil
		},
		Claims: []model.Claim{{Name: "linearizable", Kind: model.Linearizable, Object: model.Object{Name: "register", Init: 0,
			Step: func(state any, _ model.NodeID, op any) []model.Effect {
				if w, writes := op.(model.Optional[int]).Get(); writes {
					return []model.Effect{{State: w, Result: written}}
				}
				return []model.Effect{{State: state, Result: state}}
			}}}},
	}
}

func verdictOn(t *testing.T, p *model.Protocol, f model.Faults) checker.ClaimResult {
	t.Helper()
	rows, err := checker.Check(p, model.Check{Config: model.Config{Faults: f}}, checker.Options{Workers: 1})
	require.NoError(t, err)
	return rows[0].Claims[0]
}

// A register that is kept in memory forgets what was written when its server comes back, and one
// that is kept on disk does not.
func TestStableStorageKeepsARegister(t *testing.T) {
	kept := register(func() model.Node { return &disk{} }, model.ByRole)
	lost := register(func() model.Node { return &memory{} }, model.ByRole)
	assert.Equal(t, checker.Holds, verdictOn(t, kept, model.Faults{Restarts: 2}).Verdict)
	assert.Equal(t, checker.Holds, verdictOn(t, lost, model.Faults{}).Verdict)
	found := verdictOn(t, lost, model.Faults{Restarts: 1})
	require.Equal(t, checker.Violated, found.Verdict)
	_, err := replay.Replay(lost, found.Counterexample, judge.Watched(lost.Claims))
	assert.NoError(t, err)
}

// A write that was under way when its user crashed may have taken effect or not: the history
// leaves it open, and the user goes on to read.
func TestAnOperationOfACrashedUserStaysOpen(t *testing.T) {
	p := register(func() model.Node { return &disk{} }, model.CrashRecovery)
	got := verdictOn(t, p, model.Faults{Restarts: 1})
	assert.Equal(t, checker.Holds, got.Verdict, got.Text)
}

// A budget that can strike nobody is bad input.
func TestABudgetMustStrikeSomebody(t *testing.T) {
	p := register(func() model.Node { return &disk{} }, model.NoCrashes)
	_, err := checker.Check(p, model.Check{Config: model.Config{Faults: model.Faults{Crashes: 1}}}, checker.Options{})
	assert.EqualError(t, err, "faults: crashes is 1, but no node of this system may crash for good")
}

// twice answers each request two times; of the second answer nothing comes.
type twice struct{ Value int }

func (s *twice) Receive(env model.Env, from model.NodeID, m any) {
	serve(&s.Value, env, from, m)
	serve(&s.Value, env, from, m)
}

// A history is judged once more on a channel in which messages that were absorbed stand before others.
func TestHistoriesAreJudgedBehindAbsorbedMessages(t *testing.T) {
	p := register(func() model.Node { return &twice{} }, model.NoCrashes)
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		s.Network.Channel = model.FIFO
		return s, err
	}
	rows, err := checker.Check(p, model.Check{}, checker.Options{Workers: 1})
	require.NoError(t, err)
	assert.Equal(t, checker.Holds, rows[0].Claims[0].Verdict, rows[0].Limit)
	assert.Contains(t, rows[0].Reductions, "stale absorption")
}

// holder enters a section at once.
type holder struct{}

func (holder) Invoke(env model.Env, op any) {
	if op == "enter" {
		env.Return(nil)
	}
}

// A user that is down within its last operation, and need never come back, has not ended its script: the operation is one
// that has not returned, or a section that is not left. Back, it goes on with its next operation, so its script has ended. A user that is
// down for good is not waited for.
func TestScriptsOfUsersThatAreDown(t *testing.T) {
	enter := model.Op{Call: "enter", AtBoot: true, Release: "leave", Stay: model.Anytime()}
	visit := model.Op{Call: "enter", AtBoot: true}
	later := model.Op{Call: "enter", After: model.Anytime(), Release: "leave", Stay: model.Anytime()}
	for name, x := range map[string]struct {
		script []model.Op
		faults model.Faults
		want   checker.Verdict
		states int64
	}{
		"within an operation": {[]model.Op{visit}, model.Faults{Restarts: 1}, checker.Violated, 6},
		"within a section":    {[]model.Op{enter}, model.Faults{Restarts: 1}, checker.Violated, 7},
		"before another":      {[]model.Op{enter, later}, model.Faults{Restarts: 1}, checker.Violated, 15},
		"down for good":       {[]model.Op{enter, later}, model.Faults{Crashes: 1}, checker.Holds, 9},
	} {
		p := &model.Protocol{Name: "holder", Title: "holder", Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Nodes: []model.NodeSpec{
				{Name: "u", Crash: model.CrashStopRecovery, Script: x.script, New: func() model.Node { return &holder{} }}}}, nil
		}, Claims: []model.Claim{{Name: "ends", Kind: model.Eventually, Done: true}}}
		rows, err := checker.Check(p, model.Check{Config: model.Config{Faults: x.faults}}, checker.Options{Workers: 1})
		require.NoError(t, err)
		assert.Equal(t, x.want, rows[0].Claims[0].Verdict, name)
		assert.Equal(t, x.states, rows[0].States, name)
		if found := rows[0].Claims[0].Counterexample; found != nil {
			_, err := replay.Replay(p, found, p.Claims)
			assert.NoError(t, err, name)
		}
	}
}
