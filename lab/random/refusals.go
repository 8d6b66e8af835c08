package random

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// An asker numbers its requests. It reacts to answers by a random table, mostly not at all to answers to
// earlier requests.
type asker struct {
	rules   *rules
	Request int
	Waits   bool
	Kept    int // a stored answer to an earlier request
}

// A keeper grants requests that exceed all its grants. It reacts to other requests by a random table, mostly
// with a refusal.
type keeper struct {
	rules   *rules
	Highest int
	Grants  int // up to 2
	Disk    int `contend:"stable"` // highest granted request, if it is written
	// Down has the suspected nodes.
	Down map[model.NodeID]bool
}

type (
	ask struct{ K int }
	yes struct{ K int }
	no  struct{ K int }
)

// A rules has the tables.
type rules struct {
	keepers []model.NodeID
	chooses bool          // an asker asks one chosen keeper, not all
	hurries bool          // an asker may repeat without an answer
	greets  bool          // a keeper sends a refusal at its start
	writes  bool          // granted requests survive a crash
	answer  [2][2][3]deed // by refused, current, and phase of the asker
	request [2][3]refusal // by above, and number of grants
}

// A deed is an asker's reaction to an answer.
type deed int

const (
	ignore deed = iota
	tell        // note it
	finish      // return, if an operation runs
	again       // ask again, if an operation runs and the maximum is not reached
	keep        // store it
)

// A refusal is a keeper's reaction to a request.
type refusal int

const (
	grant   refusal = iota
	refuse          // refuse with the request's number
	inform          // refuse with the highest granted number
	silent          // no reaction
	mention         // note it, and refuse
	forget          // refuse, and forget the grants
	waver           // choose between refuse and silent
	stumble         // fail
)

// most is the maximum number of a repeated request.
const most = 2

func (a *asker) Invoke(env model.Env, _ any) { a.ask(env) }

func (a *asker) ask(env model.Env) {
	a.Request, a.Waits = a.Request+1, true
	to := a.rules.keepers
	if a.rules.chooses && len(to) == 2 {
		to = to[env.Choose(2):][:1]
	}
	env.Broadcast(to, ask{a.Request})
	if a.rules.hurries && a.Request < most {
		env.After(alarm{}, model.Between(0, 2))
	}
}

func (a *asker) Timeout(env model.Env, _ any) {
	if a.Waits && a.Request < most {
		a.ask(env)
	}
}

func (a *asker) Receive(env model.Env, _ model.NodeID, m any) {
	k, refused := 0, 0
	switch m := m.(type) {
	case yes:
		k = m.K
	case no:
		k, refused = m.K, 1
	}
	current := 0
	if k == a.Request {
		current = 1
	}
	switch do := a.rules.answer[refused][current][a.phase()]; {
	case do == tell:
		env.Note(k)
	case do == keep:
		a.Kept = k
	case do == again && a.Waits && a.Request < most:
		a.ask(env)
	case (do == again || do == finish) && a.Waits:
		a.Waits = false
		env.Return(k)
	}
}

// phase returns 0 while the asker waits for its first answers, 1 while it waits for others, and 2 otherwise.
func (a *asker) phase() int {
	switch {
	case !a.Waits:
		return 2
	case a.Request > 1:
		return 1
	}
	return 0
}

// Suspect makes an asker ask again.
func (a *asker) Suspect(env model.Env, _ model.NodeID) { a.Timeout(env, alarm{}) }

func (a *asker) Trust(model.Env, model.NodeID) {}

func (k *keeper) Suspect(_ model.Env, n model.NodeID) { k.Down[n] = true }

func (k *keeper) Trust(_ model.Env, n model.NodeID) { delete(k.Down, n) }

func (k *keeper) Start(env model.Env) {
	k.Highest = k.Disk
	if k.rules.greets {
		env.Send(0, no{0})
	}
}

func (k *keeper) Receive(env model.Env, from model.NodeID, m any) {
	n := m.(ask).K
	above := 0
	if n > k.Highest {
		above = 1
	}
	do := k.rules.request[above][k.Grants]
	if do == waver && env.Choose(2) == 1 {
		do = silent
	}
	switch do {
	case grant:
		k.Highest, k.Grants = n, min(2, k.Grants+1)
		env.Send(from, yes{n})
	case inform:
		env.Send(from, no{k.Highest})
	case mention:
		env.Note(n)
		env.Send(from, no{n})
	case forget:
		k.Highest = 0
		env.Send(from, no{n})
	case refuse, waver:
		env.Send(from, no{n})
	case stumble:
		model.Assert(false, "%d is never asked for", n)
	}
	if k.rules.writes {
		k.Disk = k.Highest
	}
}

// Refusals returns a small system with many stale requests, refused by keepers although the asker has
// continued. Some operations begin at boot, and some systems have a Byzantine keeper.
func Refusals(r *rand.Rand) *model.System {
	askers, keepers := 1+r.IntN(3)/2, 1+r.IntN(2)
	t := drawRules(r)
	s := &model.System{
		Network: model.Network{Channel: model.Channel(r.IntN(3)), Delay: model.Between(0, 1)},
		Faults:  [...]model.Faults{{}, {Loss: 1}, {Duplication: 1}, {Crashes: 1}, {Restarts: 1}}[r.IntN(5)],
		Types:   []any{ask{}, yes{}, no{}, call{}, alarm{}},
	}
	for i := range askers {
		first := model.Op{Call: call{}, After: model.Between(0, 1)}
		if r.IntN(2) == 0 {
			first = model.Op{Call: call{}, AtBoot: true}
		}
		spec := model.NodeSpec{Name: fmt.Sprint("a", i), New: func() model.Node { return &asker{rules: t} }, Script: []model.Op{first}}
		if askers == 1 || i == 0 && keepers == 1 {
			spec.Script = append(spec.Script, model.Op{Call: call{}, After: model.Between(0, 1)})
		}
		s.Nodes = append(s.Nodes, spec)
	}
	for i := range keepers {
		t.keepers = append(t.keepers, model.NodeID(len(s.Nodes)))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprint("k", i), Role: model.Server, New: func() model.Node { return &keeper{rules: t} },
		})
	}
	if r.IntN(4) == 0 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = forge
	}
	return s
}

func drawRules(r *rand.Rand) *rules {
	t := &rules{chooses: r.IntN(3) == 0, hurries: r.IntN(2) == 0, greets: r.IntN(4) == 0}
	for refused := range t.answer {
		for phase := range 3 {
			t.answer[refused][0][phase] = one(r, ignore, ignore, ignore, ignore, ignore, ignore, ignore, ignore, tell, finish, again, keep)
		}
		for phase := range 2 {
			t.answer[refused][1][phase] = one(r, ignore, tell, finish, finish, finish, again, again, again)
		}
		t.answer[refused][1][2] = one(r, ignore, ignore, ignore, tell)
	}
	for grants := range 3 {
		t.request[0][grants] = one(r, refuse, refuse, refuse, refuse, refuse, refuse, refuse, refuse, inform, silent, mention, forget, waver)
		t.request[1][grants] = one(r, grant, grant, grant, grant, grant, grant, refuse, mention)
	}
	return t
}

func one[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// forge grants an asker's current request, or refuses its previous request.
func forge(receiver model.Node, _, _ model.NodeID) []any {
	a, ok := receiver.(*asker)
	if !ok {
		return nil
	}
	return []any{yes{a.Request}, no{a.Request - 1}}
}
