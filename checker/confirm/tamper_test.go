package confirm

import (
	"slices"
	"strings"
	"testing"

	"contend/checker/search"
	"contend/checker/search/runs"
	"contend/model"
)

// dice throws a number of two, sends it on, and its receiver notes it.
func dice() *model.System {
	return system(model.Anytime(), actor{
		start: func(_ *actor, env model.Env) { env.After("throw", model.Anytime()) },
		timeout: func(a *actor, env model.Env, _ any) {
			a.S = 5 + env.Choose(2)
			env.Send(1, a.S)
		},
	}, actor{receive: func(a *actor, env model.Env, m any) {
		a.S++
		env.Note(m)
	}})
}

// A candidate that is not what the search found is an error, never a violation.
func TestTamperedCandidatesAreErrors(t *testing.T) {
	s, claims := dice(), about(model.Always, 6)
	sound := candidate(t, s, claims, search.Options{})
	if run, is, err := take(t, s, claims, false, sound); err != nil || is != search.Real || len(run.Records) != 2 {
		t.Fatal(is, err)
	}
	for _, c := range []struct {
		name   string
		tamper func(c *search.Candidate)
		error  string
	}{
		{"the first step is gone", func(c *search.Candidate) { c.Steps = c.Steps[1:] }, "step 1: no deliver of 6 #1 at b is pending"},
		{"the last step is gone", func(c *search.Candidate) { c.Steps = c.Steps[:1] }, "after 1 steps node b is in another state"},
		{"a step is taken twice", func(c *search.Candidate) { c.Steps = append(c.Steps, c.Steps[1]) }, "step 3: no deliver of 6 #1 at b is pending"},
		{"steps are swapped", func(c *search.Candidate) { slices.Reverse(c.Steps) }, "step 1: no deliver of 6 #1 at b is pending"},
		{"another message", func(c *search.Candidate) { c.Steps[1].Value = 5 }, "step 2: no deliver of 5 #1 at b is pending"},
		{"another sender", func(c *search.Candidate) { c.Steps[1].From = 1 }, "step 2: no deliver of 6 #1 at b is pending"},
		{"another answer", func(c *search.Candidate) { c.Steps[0].Picks[0].Is = 0 }, "step 2: no deliver of 6 #1 at b is pending"},
		{"an answer among more", func(c *search.Candidate) { c.Steps[0].Picks[0].Of = 3 },
			"step 1 (timeout at a): the interpreter asks for one of 2, the search answered one of 3"},
		{"an answer about a hold", func(c *search.Candidate) { c.Steps[0].Picks[0].Held = true },
			"step 1 (timeout at a): the interpreter asks for one of 2, the search answered one of 2"},
		{"a wrong answer and one too many", func(c *search.Candidate) { c.Steps[0].Picks = []runs.Pick{{Of: 3}, {Of: 2}} },
			"step 1 (timeout at a): the interpreter asks for one of 2, the search answered one of 3"},
		{"an answer as the run begins", func(c *search.Candidate) { c.Boot = []runs.Pick{{Of: 2}} },
			"as the run begins: the search gave 1 answers that the interpreter does not ask for"},
		{"no answer", func(c *search.Candidate) { c.Steps[0].Picks = nil },
			"step 1 (timeout at a): the interpreter asks for one of 2, and the search has no answer"},
		{"an answer too many", func(c *search.Candidate) { c.Steps[1].Picks = []runs.Pick{{Of: 2}} },
			"step 2 (deliver at b): the search gave 1 answers that the interpreter does not ask for"},
		{"other final nodes", func(c *search.Candidate) { c.Nodes[0] = c.Nodes[1] }, "after 2 steps node a is in another state"},
		{"a node that is up said to be down", func(c *search.Candidate) { c.Nodes[1] = nil }, "after 2 steps node b is in another state"},
		{"a crash beyond the budget", func(c *search.Candidate) { c.Steps = append(c.Steps, runs.Step{Kind: model.Crash}) }, "step 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := candidate(t, s, claims, search.Options{})
			c.tamper(&bad)
			_, _, err := take(t, s, claims, false, bad)
			if err == nil || !strings.HasPrefix(err.Error(), c.error) {
				t.Errorf("error %v, want %q", err, c.error)
			}
		})
	}
}

// A run that breaks another claim, or one that reaches the goal after all, confirms
// nothing.
func TestRunsThatBreakNothingAreErrors(t *testing.T) {
	s := dice()
	c := candidate(t, s, about(model.Always, 6), search.Options{})
	if _, _, err := take(t, s, about(model.Always, 5), false, c); err == nil || err.Error() != "claim note is not violated after 2 steps" {
		t.Errorf("error %v", err)
	}
	if _, _, err := take(t, s, about(model.Sometimes, 5), false, c); err == nil || err.Error() != "claim note: the goal is not reached after 2 steps" {
		t.Errorf("error %v", err)
	}
	for _, kind := range []model.Kind{model.Eventually, model.PossibleFromEverywhere} {
		short := candidate(t, s, about(kind, 6), search.Options{})
		if _, is, err := take(t, s, about(kind, 6), false, short); err != nil || is != search.Real {
			t.Errorf("%v: %v", kind, err)
		}
		c.Loop = short.Loop
		if _, _, err := take(t, s, about(kind, 6), false, c); err == nil || err.Error() != "claim note: the goal is reached after all" {
			t.Errorf("%v: error %v", kind, err)
		}
	}
}

// A run that breaks its claim before its last step is longer than what the search found.
func TestAViolationIsThatOfTheLastStep(t *testing.T) {
	s := system(model.Anytime(), actor{
		start: func(_ *actor, env model.Env) { env.After("note", model.Anytime()) },
		timeout: func(_ *actor, env model.Env, key any) {
			if key == "note" {
				env.Note(6)
				env.After("more", model.Anytime())
			}
		},
	})
	c := candidate(t, s, about(model.Always, 6), search.Options{})
	c.Nodes, c.Steps = nil, append(c.Steps, runs.Step{Kind: model.Timeout, Value: "more", Occurrence: 2})
	if _, _, err := take(t, s, about(model.Always, 6), false, c); err == nil || err.Error() != "claim note is not violated after 2 steps" {
		t.Errorf("error %v", err)
	}
}

// A livelock is confirmed by a run that enters its round and takes it once: from the
// step that Loop names the nodes are where they are at the end.
func TestLassoIsConfirmed(t *testing.T) {
	s := system(model.Anytime(), actor{
		start: func(_ *actor, env model.Env) { env.After("serve", model.Anytime()) },
		timeout: func(a *actor, env model.Env, _ any) {
			a.S = 1
			env.Send(1, 0)
		},
		receive: func(_ *actor, env model.Env, _ any) { env.Send(1, 0) },
	}, actor{receive: func(_ *actor, env model.Env, _ any) { env.Send(0, 0) }})
	claims := about(model.Eventually, 1)
	c := candidate(t, s, claims, search.Options{})
	if c.Loop != 1 || len(c.Steps) != 3 {
		t.Fatalf("%d steps, loop %d; want the serve, and a round of two", len(c.Steps), c.Loop)
	}
	whole, is, err := take(t, s, claims, false, c)
	if err != nil || is != search.Real || len(whole.Records) != 3 {
		t.Fatal(is, err)
	}
	entered, err := Drive(s, whole.World.Codec, claims, search.Candidate{Steps: c.Steps[:c.Loop]})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(entered.World.State(), whole.World.State()) {
		t.Errorf("where the round begins: %q; where it ends: %q", entered.World.State(), whole.World.State())
	}
	c.Loop = 0
	if _, _, err := take(t, s, claims, false, c); err == nil || !strings.Contains(err.Error(), "does not come back") {
		t.Errorf("a round from the wrong step: error %v", err)
	}
	c.Steps = c.Steps[1:]
	if _, _, err := take(t, s, claims, false, c); err == nil {
		t.Error("a round that was never entered is confirmed")
	}
}

// A message that stands behind one which the search has not absorbed does not arrive.
func TestAMessageBehindAnother(t *testing.T) {
	s := system(model.Anytime(), actor{start: func(_ *actor, env model.Env) { env.Send(1, 5); env.Send(1, 6) }},
		actor{receive: func(a *actor, env model.Env, m any) { a.S++; env.Note(m) }})
	s.Network.Channel = model.FIFO
	c := candidate(t, s, about(model.Always, 6), search.Options{})
	if len(c.Steps) != 2 {
		t.Fatalf("%d steps", len(c.Steps))
	}
	c.Steps = c.Steps[1:]
	if _, _, err := take(t, s, about(model.Always, 6), false, c); err == nil || err.Error() != "before step 1: 5 stands before it in its channel" {
		t.Error(err)
	}
}

// That Forge fails is confirmed: it fails for the interpreter, too.
func TestForgeFails(t *testing.T) {
	s := system(model.Anytime(), actor{start: func(_ *actor, env model.Env) { env.Send(0, 5) }, receive: func(a *actor, _ model.Env, _ any) { a.S = 1 }})
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	s.Forge = func(n model.Node, _, _ model.NodeID) []any {
		model.Assert(n.(*actor).S == 0, "nobody has heard anything")
		return nil
	}
	claims := about(model.Always, 6)
	r, err := search.Run(s, claims, search.Options{Pure: true})
	if err != nil {
		t.Fatal(err)
	}
	c, broken := violation(r, len(claims))
	if !broken || len(c.Steps) != 1 {
		t.Fatalf("Forge does not fail after %d steps", len(c.Steps))
	}
	if _, is, err := take(t, s, claims, false, c); err != nil || is != search.Real {
		t.Error(is, err)
	}
	c.Steps, c.Nodes = nil, nil
	if _, _, err := take(t, s, claims, false, c); err == nil {
		t.Error("it fails before anybody has heard anything")
	}
}
