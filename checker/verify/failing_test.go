package verify

import (
	"contend/model"
)

// failingSuite has one protocol, with a bug a variant: what its author wrote fails. A client asks
// both servers, which answer; then it returns. The claim that no server answers is broken, too.
var failingSuite = []*model.Protocol{clumsyProtocol}

type (
	question struct{ Items []int }
	answer   struct{}
)

// bug is what a variant does wrong, where.
type bug struct {
	start, invoke, receive, timeout, serve func(env model.Env)
	observe, invariant, forge, made        func()
}

func (b *bug) strikes(does func(env model.Env), env model.Env) {
	if does != nil {
		does(env)
	}
}

func strikes(does func()) {
	if does != nil {
		does()
	}
}

type asker struct {
	bug     *bug
	Answers int
}

func (a *asker) Start(env model.Env) { a.bug.strikes(a.bug.start, env) }

func (a *asker) Invoke(env model.Env, op any) {
	if op == "done" {
		return
	}
	a.bug.strikes(a.bug.invoke, env)
	env.After("late", model.Exactly(2))
	env.Broadcast([]model.NodeID{1, 2}, question{[]int{1}})
}

func (a *asker) Receive(env model.Env, _ model.NodeID, _ any) {
	if a.Answers == 2 {
		return // a liar answers again and again
	}
	if a.Answers++; a.Answers == 2 {
		env.Note("answered")
		env.Return("yes")
		a.bug.strikes(a.bug.receive, env)
	}
}

func (a *asker) Timeout(env model.Env, _ any) { a.bug.strikes(a.bug.timeout, env) }

type server struct {
	bug   *bug
	Asked bool
}

func (s *server) Receive(env model.Env, from model.NodeID, m any) {
	s.Asked = true
	s.bug.strikes(s.bug.serve, env)
	env.Send(from, answer{})
}

// A clumsyMonitor sees notes; a nobody is a monitor that does not like them.
type clumsyMonitor struct{ bug *bug }

func (m *clumsyMonitor) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		strikes(m.bug.observe)
	}
}

type nobody struct{ Asked int }

func (n *nobody) Observe(w model.Watch, o model.Observation) {
	if n.Asked++; o.Kind == model.Returned {
		w.Violate("somebody answered")
	}
}

var clumsyProtocol = &model.Protocol{
	Name:  "clumsy",
	Build: func(c model.Config) (*model.System, error) { return clumsy(c, &bug{}), nil },
	Claims: []model.Claim{
		{Name: "watched", Kind: model.Always, Monitor: func(s *model.System) model.Monitor { return &clumsyMonitor{bugOf(s)} }},
		{Name: "judged", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*asker).Answers == 1 {
				strikes(nodes[0].(*asker).bug.invariant)
			}
			return nil
		}},
		{Name: "nobody answers", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &nobody{} }},
		{Name: "answered", Kind: model.PossibleFromEverywhere, Done: true},
		{Name: "linearizable", Kind: model.Linearizable, Object: model.Object{Name: "oracle", Init: 0, Step: func(state any, _ model.NodeID, op any) []model.Effect {
			return []model.Effect{{State: state, Result: "yes"}}
		}}},
	},
	Variants: []model.Variant{
		clumsyVariant("index", bug{serve: func(model.Env) { none := []int{}; none[len(none)]++ }}),
		clumsyVariant("assert", bug{receive: func(env model.Env) { model.Assert(env.Self() > 0, "%d is no client", env.Self()) }}),
		clumsyVariant("twice", bug{receive: func(env model.Env) { env.Return("again") }}),
		clumsyVariant("unasked", bug{timeout: func(env model.Env) { env.Return("too late") }}),
		clumsyVariant("window", bug{invoke: func(env model.Env) { env.After("bad", model.Between(2, 1)) }}),
		clumsyVariant("choose", bug{timeout: func(env model.Env) { env.Choose(0) }}),
		clumsyVariant("start", bug{start: func(model.Env) { panic("not yet") }}),
		clumsyVariant("sends", bug{serve: func(env model.Env) {
			for {
				env.Send(0, answer{})
			}
		}}),
		clumsyVariant("chooses", bug{timeout: func(env model.Env) {
			for env.Choose(2) == 0 {
			}
		}}),
		clumsyVariant("observe", bug{observe: func() { panic("it sees nothing") }}),
		clumsyVariant("invariant", bug{invariant: func() { panic("it judges nothing") }}),
		clumsyVariant("forge", bug{forge: func() { panic("it cannot lie") }}),
		clumsyVariant("waits", bug{serve: func(model.Env) { select {} }}),
		clumsyVariant("new", bug{made: func() { panic("it cannot be made") }}),
		clumsyVariant("text", bug{serve: func(model.Env) { panic("\x1b[2J\u202egnihton\nat all") }}),
	},
}

func clumsyVariant(name string, b bug) model.Variant {
	return model.Variant{Name: name, Title: "it fails", Edit: func(s *model.System) { *s = *clumsy(s.Config, &b) }}
}

func bugOf(s *model.System) *bug { return s.Nodes[0].New().(*asker).bug }

func clumsy(c model.Config, b *bug) *model.System {
	s := &model.System{Config: c, Network: model.Network{Delay: model.By(1)}, Types: []any{question{}, answer{}}}
	s.Nodes = []model.NodeSpec{
		{Name: "c1", Role: model.Client, Script: []model.Op{{Call: "ask", Release: "done"}}, New: func() model.Node { strikes(b.made); return &asker{bug: b} }},
		{Name: "s1", Role: model.Server, New: func() model.Node { return &server{bug: b} }},
		{Name: "s2", Role: model.Server, New: func() model.Node { return &server{bug: b} }},
	}
	if b.forge != nil {
		s.Nodes[2] = model.NodeSpec{Name: "s2", Role: model.Server, Byzantine: true}
		s.Forge = func(receiver model.Node, _, _ model.NodeID) []any {
			if a, ok := receiver.(*asker); ok && a.Answers == 1 {
				b.forge()
			}
			return []any{answer{}}
		}
	}
	return s
}
