package check

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
	"contend/model/claims"
)

// puppet is a node that does what a test says.
type puppet struct {
	does func(p *puppet, env model.Env, on string)
	N    int
	Bad  bool
}

func (p *puppet) Invoke(env model.Env, _ any) { p.on(env, "invoke") }

func (p *puppet) Receive(env model.Env, _ model.NodeID, m any) { p.on(env, m.(string)) }

func (p *puppet) Timeout(env model.Env, key any) { p.on(env, key.(string)) }

func (p *puppet) on(env model.Env, what string) {
	if p.does != nil {
		p.does(p, env, what)
	}
}

// puppets is a system of a client with one operation at time zero and a server, which both do the same.
func puppets(does func(p *puppet, env model.Env, on string), edit func(s *model.System)) func(claims ...model.Claim) *model.Protocol {
	build := func(c model.Config) (*model.System, error) {
		made := func() model.Node { return &puppet{does: does} }
		s := &model.System{Config: c, Types: []any{""}, Nodes: []model.NodeSpec{
			{Name: "client", Role: model.Client, New: made, Script: []model.Op{{Call: "go", After: model.Exactly(0)}}},
			{Name: "server", Role: model.Server, New: made}},
			Network: model.Network{Delay: model.Exactly(1)}, Returned: model.Exactly(0)}
		if edit != nil {
			edit(s)
		}
		return s, nil
	}
	return func(claims ...model.Claim) *model.Protocol {
		return &model.Protocol{Name: "puppets", Build: build, Claims: claims}
	}
}

func returns(_ *puppet, env model.Env, on string) {
	if on == "invoke" {
		env.Return(nil)
	}
}

// bad is that no node is.
var bad = model.Claim{Name: "never bad", Kind: model.Always, Invariant: func(nodes []model.Node) error {
	for _, n := range nodes {
		if n.(*puppet).Bad {
			return errors.New("it is bad")
		}
	}
	return nil
}}

// expired arms an alarm within a hold, and is bad when the hold is over before it.
func expired(of model.Ticks) func(p *puppet, env model.Env, on string) {
	return func(p *puppet, env model.Env, on string) {
		switch on {
		case "invoke":
			env.Hold("lease", model.Through(of))
			env.After("alarm", model.Exactly(1))
		case "alarm":
			p.Bad = !env.Held("lease")
		}
	}
}

// retries sends again until it has done so often enough.
func retries(often int) func(p *puppet, env model.Env, on string) {
	return func(p *puppet, env model.Env, on string) {
		if p.N++; p.N > often {
			env.Return(nil)
			return
		}
		env.After("again", model.Exactly(1))
	}
}

func cutAt(most int) func(s *model.System) {
	return func(s *model.System) {
		s.Cuts = []model.Cut{{Name: "tries", Beyond: func(n model.Node) bool { return n.(*puppet).N > most }}}
	}
}

// pings goes to and fro between client and server for ever.
func pings(_ *puppet, env model.Env, on string) {
	if env.Self() == 0 {
		env.Send(1, "ping")
	} else {
		env.Send(0, "ping")
	}
}

// behind sends what is due at once behind what is slower.
func behind(slow model.Ticks) func(s *model.System) {
	return func(s *model.System) {
		s.Network.Channel = model.FIFO
		s.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
			return model.Exactly(map[any]model.Ticks{"slow": slow, "fast": 1}[m])
		}
	}
}

func twoSpeeds(_ *puppet, env model.Env, on string) {
	switch on {
	case "invoke":
		env.Send(1, "slow")
		env.Send(1, "fast")
	case "fast":
		env.Send(0, "answer")
	case "answer":
		env.Return(nil)
	}
}

// notes notes a step so often, and then goes on without a note for ever.
func notes(often int) func(p *puppet, env model.Env, on string) {
	return func(p *puppet, env model.Env, on string) {
		if p.N++; p.N <= often {
			env.Note("step")
		}
		env.After("again", model.Exactly(1))
	}
}

// notesOnce notes a step and returns.
func notesOnce(_ *puppet, env model.Env, on string) {
	env.Note("step")
	env.Return(nil)
}

// refines compares what is noted with a page.
func refines(page *model.Protocol) model.Claim {
	c := claims.Refines(page, func(o model.Observation) (model.Observation, bool) { return o, o.Kind == model.Noted })
	c.Refinement.Hides = func(o model.Observation) bool { return o.Kind != model.Noted }
	return c
}

// idly takes the client its operation.
func idly(s *model.System) { s.Nodes[0].Script, s.Nodes[0].Role = nil, model.Server }

func panics(_ *puppet, env model.Env, on string) { panic("it is not written yet") }

func loops(*puppet, model.Env, string) {
	for { // it does not return
		time.Sleep(time.Millisecond)
	}
}

// unwitnessed is a claim that nothing puts to the test.
func unwitnessed(why string) model.Claim {
	c := model.Claim{Name: "idle", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &idle{} }}
	if why != "" {
		c.Vacuous = func(*model.System) string { return why }
	}
	return c
}

type idle struct{}

func (*idle) Observe(model.Watch, model.Observation) {}

// elsewhere says of limits why no case below follows their advice.
var elsewhere = map[string]string{
	"porcupine":         "how much it can judge in its seconds depends on the machine",
	"time stands still": "the limit of claims of probability in the same systems as time-lock",
	verdict.Internal:    "only a bug of the checker leads there",
}

// Following the advice for a limit leads to another outcome.
func TestAdviceChangesTheOutcome(t *testing.T) {
	var followed []string
	interrupted := make(chan struct{})
	close(interrupted)
	done := func(kind model.Kind) model.Claim { return model.Claim{Name: "done", Kind: kind, Done: true} }
	timed := func(c model.Claim) model.Claim { c.Assumes = []model.Assumption{model.Timed}; return c }
	type made struct {
		p     *model.Protocol
		check model.Check
		opt   verdict.Options
	}
	grid, dense, untimed := model.Check{Reading: model.Grid}, model.Check{Reading: model.Dense}, model.Check{}
	for _, c := range []struct {
		limit         string
		before, after made
		becomes       verdict.Verdict
	}{
		{"timeout", made{crowd(safe), untimed, verdict.Options{Timeout: 1}}, made{crowd(safe), untimed, verdict.Options{Timeout: time.Hour}}, verdict.Holds},
		{"states", made{crowd(fair), untimed, verdict.Options{MaxStates: 20}}, made{crowd(fair), untimed, verdict.Options{MaxStates: 20_000}}, verdict.Holds},
		{"memory", made{crowd(fair), untimed, verdict.Options{MaxMemory: 1 << 20}}, made{crowd(fair), untimed, verdict.Options{MaxMemory: 1 << 40}}, verdict.Holds},
		{"interrupted", made{crowd(safe), untimed, verdict.Options{Interrupt: interrupted}}, made{crowd(safe), untimed, verdict.Options{}}, verdict.Holds},
		{"cut", made{puppets(retries(3), cutAt(2))(done(model.PossibleFromEverywhere)), untimed, verdict.Options{}},
			made{puppets(retries(3), cutAt(4))(done(model.PossibleFromEverywhere)), untimed, verdict.Options{}}, verdict.Holds},
		{"strict bound", made{puppets(expired(1), nil)(bad), grid, verdict.Options{}}, made{puppets(expired(1), nil)(bad), dense, verdict.Options{}}, verdict.Holds},
		{"strict bound", made{puppets(expired(1), nil)(bad), grid, verdict.Options{}}, made{puppets(expired(2), nil)(bad), grid, verdict.Options{}}, verdict.Holds},
		{"dense time", made{puppets(returns, nil)(done(model.PossibleFromEverywhere)), dense, verdict.Options{}},
			made{puppets(returns, nil)(done(model.PossibleFromEverywhere)), grid, verdict.Options{}}, verdict.Holds},
		{"timed lasso", made{puppets(pings, nil)(done(model.Eventually)), grid, verdict.Options{}},
			made{puppets(pings, nil)(done(model.Eventually)), untimed, verdict.Options{}}, verdict.Violated},
		{"timed lasso", made{puppets(pings, nil)(done(model.Eventually)), grid, verdict.Options{}},
			made{puppets(pings, nil)(done(model.PossibleFromEverywhere)), grid, verdict.Options{}}, verdict.Violated},
		{"time-lock", made{puppets(twoSpeeds, behind(3))(done(model.PossibleFromEverywhere)), grid, verdict.Options{}},
			made{puppets(twoSpeeds, behind(1))(done(model.PossibleFromEverywhere)), grid, verdict.Options{}}, verdict.Holds},
		{"page states", made{puppets(notesOnce, nil)(refines(puppets(notes(1), nil)())), untimed, verdict.Options{}},
			made{puppets(notesOnce, nil)(refines(puppets(notes(1), cutAt(3))())), untimed, verdict.Options{}}, verdict.Holds},
		{"page cut", made{puppets(notes(3), cutAt(3))(refines(puppets(notes(3), cutAt(1))())), untimed, verdict.Options{}},
			made{puppets(notes(3), cutAt(3))(refines(puppets(notes(3), cutAt(4))())), untimed, verdict.Options{}}, verdict.Holds},
		{"schedules", made{puppets(returns, nil)(bad), model.Check{Schedules: 5}, verdict.Options{}}, made{puppets(returns, nil)(bad), untimed, verdict.Options{}}, verdict.Holds},
		{"steps", made{puppets(returns, nil)(bad), model.Check{Schedules: 5}, verdict.Options{Steps: 1}}, made{puppets(returns, nil)(bad), model.Check{Schedules: 5}, verdict.Options{}}, verdict.Inconclusive},
		{verdict.NoStep, made{puppets(nil, idly)(bad), model.Check{Schedules: 5}, verdict.Options{}}, made{puppets(nil, nil)(bad), model.Check{Schedules: 5}, verdict.Options{}}, verdict.Inconclusive},
		{verdict.NothingClaimed, made{puppets(returns, nil)(timed(bad)), untimed, verdict.Options{}},
			made{puppets(returns, nil)(timed(bad)), model.Check{AssumeAnyway: true}, verdict.Options{}}, verdict.Holds},
		{verdict.NothingClaimed, made{puppets(returns, nil)(timed(bad)), untimed, verdict.Options{}}, made{puppets(returns, nil)(timed(bad)), grid, verdict.Options{}}, verdict.Holds},
		{verdict.Untested, made{puppets(returns, nil)(unwitnessed("")), untimed, verdict.Options{}},
			made{puppets(returns, nil)(unwitnessed("there is nothing to see")), untimed, verdict.Options{}}, verdict.Holds},
		{"failure", made{puppets(panics, nil)(bad), untimed, verdict.Options{}}, made{puppets(returns, nil)(bad), untimed, verdict.Options{}}, verdict.Holds},
		{verdict.Stuck, made{puppets(loops, nil)(bad), untimed, verdict.Options{}}, made{puppets(returns, nil)(bad), untimed, verdict.Options{}}, verdict.Holds},
	} {
		t.Run(strings.ReplaceAll(c.limit, " ", "-"), func(t *testing.T) {
			first := func(m made) (*verdict.Row, verdict.ClaimResult) {
				rows, err := Run(m.p, m.check, m.opt)
				if err != nil {
					t.Fatal(err)
				}
				return rows[0], rows[0].Claims[0]
			}
			if c.limit == verdict.Stuck {
				c.before.opt.Patience = watch.Usual
				c.before.opt.Patience.GivenUp = 50 * time.Millisecond
			}
			row, claim := first(c.before)
			if is := claim.Limit.Code == c.limit || row.Limit.Code == c.limit; !is || row.Verdict == verdict.Holds {
				t.Fatalf("the row is %s (%q), and the claim %s (%q), without the limit %q", row.Verdict, row.Limit, claim.Verdict, claim.Limit, c.limit)
			}
			if Advice(c.limit) == "" {
				t.Error("there is no advice")
			}
			if _, claim := first(c.after); claim.Verdict != c.becomes || claim.Limit.Code == c.limit {
				t.Errorf("then it is %s (%q), want %s", claim.Verdict, claim.Limit, c.becomes)
			}
			followed = append(followed, c.limit)
		})
	}
	for code := range advice {
		if !slices.Contains(followed, code) && elsewhere[code] == "" {
			t.Errorf("nothing follows the advice for %q", code)
		}
	}
}
