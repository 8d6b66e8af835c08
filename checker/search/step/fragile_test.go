package step

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/lab/random"
	"contend/model"
)

// A fragile node counts what its handlers are called for, and fails where a rule says so.
type fragile struct {
	rule *rule

	N int `contend:"stable"`
}

// A rule says which handler fails, and after how many calls of any.
type rule struct {
	what string
	at   int
}

func (f *fragile) does(what string) {
	model.Assert(what != f.rule.what || f.N < f.rule.at, "%s after %d", what, f.N)
	f.N = min(f.N+1, 2)
}

func (f *fragile) Start(env model.Env) {
	if f.does("Start"); env.Self() == 0 {
		env.After("bell", model.Anytime())
	}
}

func (f *fragile) Timeout(env model.Env, _ any) {
	f.does("Timeout")
	env.Send(1, "hello")
}

func (f *fragile) Receive(model.Env, model.NodeID, any) { f.does("Receive") }
func (f *fragile) Suspect(model.Env, model.NodeID)      { f.does("Suspect") }
func (f *fragile) Trust(model.Env, model.NodeID)        { f.does("Trust") }

func (f *fragile) Invoke(env model.Env, _ any) {
	f.does("Invoke")
	env.Return(f.N)
}

// A nervous monitor fails where it is told of something for the second time, or its alarm rings.
type nervous struct {
	rule *rule

	Told int
}

func (n *nervous) Observe(w model.Watch, o model.Observation) {
	if o.Kind.String() == n.rule.what {
		model.Assert(n.Told < n.rule.at, "%v after %d", o.Kind, n.Told)
		n.Told++
	}
	if n.rule.what == "Expire" {
		w.After("alarm", model.Anytime())
	}
}

func (n *nervous) Expire(model.Watch, any) {
	model.Assert(n.Told < n.rule.at, "an alarm after %d", n.Told)
	n.Told++
}

// So it is where any handler of a node or of a monitor fails, as the run begins or later, whoever has it called.
func TestStepsThatFail(t *testing.T) {
	back, mistaken, both, lied := model.Faults{Restarts: 1}, model.Faults{Crashes: 1, Suspicions: 1}, model.Faults{Restarts: 1, Suspicions: 1}, model.Faults{Loss: 1, Duplication: 1}
	for what, faults := range map[string][]model.Faults{
		"": {lied, back, mistaken}, "Start": {{}, back}, "Timeout": {back, lied}, "Receive": {lied}, "Suspect": {mistaken}, "Trust": {mistaken, both}, "Invoke": {back},
		"Expire": {lied}, "invoked": {back}, "returned": {lied}, "crashed": {back, mistaken}, "recovered": {back},
	} {
		for at := range 3 {
			for _, f := range faults {
				it := random.Case{System: fragiles(&rule{what, at}, f)}
				if what == "" { // the second call of the second node leads beyond a cut
					it.System.Nodes[1].New = func() model.Node { return &fragile{rule: &rule{"ends", 1}} }
					it.System.Cuts = []model.Cut{{Name: "calls", Beyond: func(n model.Node) bool { f := n.(*fragile); return f.rule.what == "ends" && f.N > f.rule.at }}}
				}
				claims := []model.Claim{{Name: "nervous", Monitor: func(*model.System) model.Monitor { return &nervous{rule: &rule{what, at}} }}}
				if how, small := differs(t, it, claims, 400); how != "" || !small {
					t.Errorf("%s fails after %d calls, with %+v: it is small: %v, %s", what, at, f, small, how)
				}
			}
		}
	}
}

// fragiles are two fragile nodes, of which one has an application, and a liar where messages are lost.
func fragiles(r *rule, f model.Faults) *model.System {
	s := &model.System{Network: model.Network{Delay: model.Anytime()}, Faults: f, Types: []any{0, ""}}
	for i := range 2 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("f", i), Role: model.Server, Crash: model.CrashStopRecovery, New: func() model.Node { return &fragile{rule: r} }})
	}
	s.Nodes[0].Role, s.Nodes[0].Script = model.Client, []model.Op{{Call: 0}}
	if f.Suspicions > 0 {
		s.Detector.Kind = model.EventuallyPerfect
	}
	if f.Loss > 0 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} }
	}
	return s
}

// actor is a node, or a monitor, that does what its funcs say. It knows across crashes how often it began.
type actor struct {
	start, receive, timeout, invoke func(a *actor, env model.Env)
	suspect                         func(a *actor)
	observe, expire                 func(w model.Watch)

	Began int `contend:"stable"`
}

func (a *actor) Start(env model.Env) {
	if a.start != nil {
		a.start(a, env)
	}
	a.Began++
}

func (a *actor) Receive(env model.Env, _ model.NodeID, _ any) {
	if a.receive != nil {
		a.receive(a, env)
	}
}

func (a *actor) Timeout(env model.Env, _ any) { a.timeout(a, env) }

func (a *actor) Invoke(env model.Env, _ any) {
	if a.invoke != nil {
		a.invoke(a, env)
	}
}

func (a *actor) Suspect(model.Env, model.NodeID) {
	if a.suspect != nil {
		a.suspect(a)
	}
}

func (*actor) Trust(model.Env, model.NodeID) {}

func (a *actor) Observe(w model.Watch, _ model.Observation) { a.observe(w) }

func (a *actor) Expire(w model.Watch, _ any) {
	if a.expire != nil {
		a.expire(w)
	}
}

// acting is a system of two nodes: one with an application, and one that may crash and come back.
func acting(first, second actor) *model.System {
	s := &model.System{Network: model.Network{Delay: model.Anytime()}, Types: []any{0, ""}}
	for k, a := range []actor{first, second} {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("a", k+1), Role: model.Server, Crash: model.CrashStopRecovery, New: func() model.Node { c := a; return &c }})
	}
	s.Nodes[0].Role, s.Nodes[0].Script = model.Client, []model.Op{{Call: 0}}
	return s
}

// Of a handler that fails it is said which it is, whose, and how; and the step is kept from happening. What fails or leads beyond a cut
// as something arrives once more need not have happened, and what the environment does to no end is its own.
func TestWhatIsSaidOfFailures(t *testing.T) {
	fails := func(*actor, model.Env) { panic("no") }
	begin := func(do func(env model.Env)) func(*actor, model.Env) { return func(_ *actor, env model.Env) { do(env) } }
	says := func(*actor, model.Env) {}
	tells := begin(func(env model.Env) { env.Send(1, "hello") })
	watch := func(first, then func(w model.Watch)) func(*model.System) model.Monitor {
		return func(*model.System) model.Monitor { return &actor{observe: first, expire: then} }
	}
	noted := actor{timeout: begin(func(env model.Env) { env.Note("told") }), start: begin(func(env model.Env) { env.After("bell", model.Anytime()) })}
	for name, c := range map[string]struct {
		first, second actor
		change        func(s *model.System)
		monitor       func(*model.System) model.Monitor
		want          string
		kept          string // of the steps: event, restart, environment, spare
	}{
		"as it begins":        {first: actor{start: fails}, want: "Start of a1: panic: no"},
		"the second":          {second: actor{start: fails}, want: "Start of a2: panic: no"},
		"it returns at boot":  {first: actor{start: begin(func(env model.Env) { env.Return(1) })}, want: "Start of a1: node a1 returns, but no invocation runs"},
		"on a message":        {first: actor{start: tells}, second: actor{receive: fails}, want: "Receive of a2: panic: no", kept: "event"},
		"on an alarm":         {first: actor{start: begin(func(env model.Env) { env.After("bell", model.Anytime()) }), timeout: fails}, want: "Timeout of a1: panic: no", kept: "event"},
		"an invocation":       {first: actor{invoke: fails}, want: "Invoke of a1: panic: no", kept: "event"},
		"it returns too soon": {first: actor{start: begin(func(env model.Env) { env.After("bell", model.Anytime()) }), timeout: begin(func(env model.Env) { env.Return(1) }), invoke: says}, want: "Timeout of a1: node a1 returns, but no invocation runs", kept: "event"},
		"it returns twice": {first: actor{start: begin(func(env model.Env) { env.After("bell", model.Anytime()) }), invoke: begin(func(env model.Env) { env.Return(1) }),
			timeout: func(a *actor, env model.Env) {
				if a.Began++; a.Began > 2 {
					env.Return(2)
				}
				env.After("bell", model.Anytime())
			}}, want: "Timeout of a1: node a1 returns, but no invocation runs", kept: "event"},
		"where it comes back": {second: actor{start: func(a *actor, _ model.Env) { model.Assert(a.Began == 0, "no") }}, change: func(s *model.System) { s.Faults.Restarts = 1 },
			want: "Start of a2: assertion: no", kept: "restart"},
		"on what arrives once more": {first: actor{start: tells}, second: actor{receive: func(a *actor, _ model.Env) { model.Assert(a.Began == 1, "no") }}, change: func(s *model.System) { s.Faults.Restarts = 1 },
			want: "Receive of a2: assertion: no", kept: "event spare"},
		"on a false suspicion": {second: actor{suspect: func(*actor) { panic("no") }}, change: func(s *model.System) {
			s.Faults.Suspicions, s.Detector.Kind = 1, model.EventuallyPerfect
		}, want: "Suspect of a2: panic: no", kept: "environment"},
		"on a lie": {second: actor{receive: fails}, change: lying(func() []any { return []any{"lie"} }), want: "Receive of a2: panic: no", kept: "environment"},
		"a lie":    {change: lying(func() []any { panic("no lie") }), want: "Forge of a1: panic: no lie\nForge of a2: panic: no lie", kept: "environment"},
		"a claim":  {first: noted, monitor: watch(func(model.Watch) { panic("no") }, nil), want: "Observe of claim watches: panic: no", kept: "event"},
		"a claim, once it has asked": {first: noted, monitor: watch(func(w model.Watch) {
			w.Held("hold")
			panic("no")
		}, nil), want: "Observe of claim watches: panic: no", kept: "event"},
		"a claim's alarm": {first: noted, monitor: watch(func(w model.Watch) { w.After("alarm", model.Anytime()) }, func(model.Watch) { panic("no") }),
			want: "Expire of claim watches: panic: no", kept: "event"},
		"a claim, of what arrives once more": {first: actor{start: tells}, second: actor{receive: func(a *actor, env model.Env) {
			if a.Began > 1 {
				env.Note("once more")
			}
		}}, change: func(s *model.System) { s.Faults.Restarts = 1 }, monitor: func(*model.System) model.Monitor { return &nervous{rule: &rule{"noted", 0}} },
			want: "Observe of claim watches: assertion: noted after 0", kept: "event spare"},
		"beyond a cut, of what arrives once more": {first: actor{start: tells}, second: actor{receive: func(a *actor, _ model.Env) { a.Began *= 5 }}, change: func(s *model.System) {
			s.Faults.Restarts = 1
			s.Cuts = []model.Cut{{Name: "late", Beyond: func(n model.Node) bool { return n.(*actor).Began == 30 }}}
		}, want: "", kept: "spare"},
	} {
		s := acting(c.first, c.second)
		if c.change != nil {
			c.change(s)
		}
		var claims []model.Claim
		if c.monitor != nil {
			claims = []model.Claim{{Name: "watches", Kind: model.Always, Monitor: c.monitor}}
		}
		said, kept := failures(working(t, s, untimed, claims...))
		if got := strings.Join(said, "\n"); got != c.want {
			t.Errorf("%s: it is said %q, and not %q", name, got, c.want)
		}
		if got := strings.Join(kept, " "); got != c.kept {
			t.Errorf("%s: kept from happening is %q, and not %q", name, got, c.kept)
		}
	}
}

// lying has a system have a liar.
func lying(lies func() []any) func(s *model.System) {
	return func(s *model.System) {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return lies() }
	}
}

// failures goes through the states of a system: what is said of handlers that fail, and what is kept from happening then.
func failures(w *Worker) (said, kept []string) {
	var states [][]uint32
	met := map[fingerprint.Print]bool{}
	w.Emit = func(next []uint32) {
		if v := slices.Clone(next); !met[w.Sum] {
			met[w.Sum] = true
			SortParts(v[w.Head:])
			states = append(states, v)
		}
	}
	w.Fail = func([]uint32) {
		for _, b := range w.Move.Broken {
			text, _, _ := strings.Cut(b.Text, " (") // where it fails
			if said = append(said, text); b.Monitor != Failing || b.Who != -1 || !w.Move.Fails() {
				said = append(said, fmt.Sprintf("%+v", b))
			}
		}
	}
	w.Initial()
	for k := 0; k < len(states); k++ {
		w.Expand(states[k], w.PrintOfState(states[k]))
		if len(w.Withheld) > 0 {
			kept = append(kept, "event")
		}
		for flag, what := range map[liveness.Flags]string{liveness.Repair: "restart", liveness.Environment: "environment", liveness.Spare: "spare"} {
			if w.WithheldFlags&flag != 0 {
				kept = append(kept, what)
			}
		}
	}
	slices.Sort(said)
	slices.Sort(kept)
	return slices.Compact(said), slices.Compact(kept)
}
