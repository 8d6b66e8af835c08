package random

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// A source makes a small system for an interpretation of time.
type source func(r *rand.Rand, reading model.Reading) *model.System

// A theme is a distribution of wild cases.
type theme struct {
	sources []source // repeated ones are drawn more often
	faults  func(r *rand.Rand, s *model.System) model.Faults
	claims  func(r *rand.Rand, reading model.Reading) []model.Claim // in addition to the drawn ones
}

// themes are drawn uniformly. Most have few faults, so that many systems are small enough for a comparison.
var themes = []theme{
	{sources: []source{fellows, fewTickers, refusing, posting}, faults: cutOff},
	{sources: []source{fewTickers, fewTickers, fellows}, faults: suspected, claims: hopes},
	{sources: []source{fellows}, faults: struck, claims: ofTheStruck},
	{sources: []source{fellows}, faults: restarted, claims: ofTheStruck},
	{sources: []source{fellows, fewTickers, refusing, posting}, faults: restarted},
	{sources: []source{fellows, fewTickers, refusing, posting}, faults: crashed},
	{sources: []source{fellows, fewTickers, refusing, posting}, faults: anyFaults},
	{sources: []source{errands}, faults: rarely(anyFaults)},
}

// wild returns a case with interacting faults: several faults of a kind, liars, different crash models within
// a group, failing handlers, and costs.
func wild(seed uint64) Case {
	r := rand.New(rand.NewPCG(seed, 29))
	c := Case{Reading: one(r, model.Untimed, model.Untimed, model.Grid, model.Dense)}
	about := themes[r.IntN(len(themes))]
	c.System = about.sources[r.IntN(len(about.sources))](r, c.Reading)
	crashModels(r, c.System)
	c.System.Faults = striking(c.System, timely(c.Reading, about.faults(r, c.System)))
	if r.IntN(4) == 0 {
		c.Fails = failing(r, c.System)
	}
	if about.claims != nil {
		c.Claims = about.claims(r, c.Reading)
	}
	c.Claims = wildClaims(r, c)
	if _, ok := c.System.Nodes[0].New().(*customer); ok || r.IntN(3) == 0 {
		c.Costs = drawCosts(r)
	}
	return c
}

// fewTickers returns a small system of tickers with few messages.
func fewTickers(r *rand.Rand, reading model.Reading) *model.System {
	m := mixture{reading: reading, open: reading != model.Untimed && r.IntN(3) == 0, loops: r.IntN(4) == 0}
	s := m.system(r)
	t := s.Nodes[0].New().(*ticker).table
	t.most = 1
	return s
}

func refusing(r *rand.Rand, reading model.Reading) *model.System {
	s := Refusals(r)
	s.Nodes[0].New().(*asker).rules.writes = r.IntN(2) == 0
	return s
}

// posting returns a system of letters.
func posting(r *rand.Rand, reading model.Reading) *model.System {
	return Letters(r, Timing{Open: reading != model.Untimed && r.IntN(2) == 0, Holds: reading == model.Dense && r.IntN(2) == 0})
}

// crashModels draws a crash model for each role, or for each node.
func crashModels(r *rand.Rand, s *model.System) {
	if r.IntN(4) == 0 {
		return
	}
	all := map[model.Role]model.CrashModel{model.Client: crashModel(r), model.Server: crashModel(r), model.Peer: crashModel(r)}
	each := r.IntN(2) == 0
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Byzantine {
			continue
		}
		if n.Crash = all[n.Role]; each {
			n.Crash = crashModel(r)
		}
	}
}

// cutOff adds network partitions, and mostly a liar.
func cutOff(r *rand.Rand, s *model.System) model.Faults {
	s.Network.Partition = one(r, model.Window{}, model.By(1), model.Between(1, 2), model.Anytime())
	if n := len(s.Nodes); s.Forge == nil && r.IntN(3) > 0 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = lies(s.Nodes[n-1].New())
	}
	return one(r, model.Faults{Partitions: 1}, model.Faults{Partitions: 1}, model.Faults{Partitions: 2}, model.Faults{Partitions: 1, Crashes: 1})
}

// lies returns the forgeable messages for a kind of server.
func lies(server model.Node) func(n model.Node, to, from model.NodeID) []any {
	switch server.(type) {
	case *fellow:
		return forgeWord
	case *ticker:
		return forgePing
	case *reader:
		return func(n model.Node, _, _ model.NodeID) []any {
			if r, ok := n.(*reader); ok && r.State == 0 {
				return []any{letter{0}}
			}
			return nil
		}
	}
	return forge
}

// suspected adds a mistaken failure detector, mostly without other faults.
func suspected(r *rand.Rand, s *model.System) model.Faults {
	window := func() model.Window { return one(r, model.Window{}, model.By(1), model.Between(1, 2), model.Anytime()) }
	s.Detector = model.Detector{Kind: model.EventuallyPerfect, Report: window(), Mistake: window()}
	if len(s.Informs()) == 0 {
		s.Detector = model.Detector{}
		return model.Faults{Loss: 1}
	}
	f := one(r, model.Faults{}, model.Faults{}, model.Faults{}, model.Faults{Restarts: 1}, model.Faults{Crashes: 1}, model.Faults{Partitions: 1})
	f.Suspicions = one(r, 1, 2)
	return f
}

// struck restricts faults to some of the servers.
func struck(r *rand.Rand, s *model.System) model.Faults {
	may := one(r, model.CrashStop, model.CrashRecovery)
	for i := range s.Nodes {
		if n := &s.Nodes[i]; n.Role == model.Server && !n.Byzantine {
			n.Crash = one(r, model.NoCrashes, may)
		}
	}
	return model.Faults{Crashes: one(r, 1, 1, 2), Restarts: one(r, 0, 0, 1)}
}

// restarted adds restarts, sometimes with a failure detector.
func restarted(r *rand.Rand, s *model.System) model.Faults {
	if r.IntN(4) == 0 {
		s.Detector = model.Detector{Kind: one(r, model.Perfect, model.EventuallyPerfect), Report: one(r, model.Window{}, model.By(1), model.Anytime())}
	}
	return one(r, model.Faults{Restarts: 1}, model.Faults{Restarts: 1}, model.Faults{Restarts: 1}, model.Faults{Restarts: 2}, model.Faults{Restarts: 1, Loss: 1}, model.Faults{Restarts: 1, Crashes: 1})
}

// crashed adds permanent crashes.
func crashed(r *rand.Rand, _ *model.System) model.Faults {
	return one(r, model.Faults{Crashes: 1}, model.Faults{Crashes: 1}, model.Faults{Crashes: 2}, model.Faults{Crashes: 1, Duplication: 1}, model.Faults{Crashes: 1, Restarts: 1})
}

// anyFaults draws up to two kinds of faults, with one or two of each.
func anyFaults(r *rand.Rand, _ *model.System) model.Faults {
	var f model.Faults
	count := []*int{&f.Loss, &f.Duplication, &f.Crashes, &f.Restarts, &f.Partitions}
	for range r.IntN(3) {
		*count[r.IntN(len(count))] = one(r, 1, 1, 2)
	}
	return f
}

// rarely returns a function that omits the faults in most cases.
func rarely(faults func(r *rand.Rand, s *model.System) model.Faults) func(r *rand.Rand, s *model.System) model.Faults {
	return func(r *rand.Rand, s *model.System) model.Faults {
		if r.IntN(3) > 0 {
			return model.Faults{}
		}
		return faults(r, s)
	}
}

// timely removes the faults that dense time does not support.
func timely(reading model.Reading, f model.Faults) model.Faults {
	if reading == model.Dense {
		f.Duplication, f.Restarts = 0, 0
	}
	return f
}

// failing makes some handler fail, and reports whether it could.
func failing(r *rand.Rand, s *model.System) bool {
	for _, spec := range s.Nodes {
		if spec.Byzantine {
			continue
		}
		switch n := spec.New().(type) {
		case *teller:
			switch r.IntN(5) {
			case 0:
				n.pact.fails = true
			case 1:
				n.pact.risks = true
			case 2:
				n.pact.returns, n.pact.wanted = true, 2
			default:
				n.pact.strokes[r.IntN(3)][one(r, onWord, onWord, onWord+1, onWake, onBegin, onSuspect)].fail = true
			}
		case *ticker:
			b := &n.table.next[r.IntN(3)][r.IntN(len(n.table.next[0]))]
			if b.fail = true; r.IntN(3) == 0 {
				b = &n.table.next[0][onInvoke]
				b.fail, b.choose = true, true
			}
		case *asker:
			n.rules.request[r.IntN(2)][r.IntN(3)] = stumble
		case *writer:
			n.post.reads[r.IntN(3)][r.IntN(2)].fail = true
		default:
			continue
		}
		return true
	}
	return false
}

// wildClaims draws claims of all kinds. In half of the cases it draws only claims whose searches support
// checkpoints.
func wildClaims(r *rand.Rand, c Case) []model.Claim {
	m := mixture{open: c.Reading != model.Untimed && r.IntN(3) == 0}
	kinds := []model.Kind{model.Always, model.Always, model.Sometimes, model.Linearizable}
	switch {
	case c.Reading == model.Dense || r.IntN(2) == 0:
	case c.System.Faults.Suspicions > 0:
		kinds = []model.Kind{model.PossibleFromEverywhere, model.PossibleFromEverywhere, model.Eventually}
	default:
		kinds = append(kinds, model.Eventually, model.Eventually, model.PossibleFromEverywhere, model.PossibleFromEverywhere)
		if c.Reading == model.Grid {
			kinds = append(kinds, model.AlmostSurely)
		}
	}
	if len(c.Claims) > 0 && r.IntN(3) > 0 {
		return c.Claims
	}
	_, alike := c.System.Nodes[0].New().(*teller)
	list := c.Claims
	for i := range 1 + r.IntN(3) {
		kind := kinds[r.IntN(len(kinds))]
		claim := m.claim(r, kind)
		if alike && kind != model.Linearizable && r.IntN(3) == 0 {
			claim = aboutNames(r, kind)
		}
		claim.Name = fmt.Sprintf("%d %v", i, claim.Kind)
		list = append(list, claim)
	}
	if c.Fails && r.IntN(2) == 0 { // a failing handler is no end of a run
		kind := one(r, model.Always, model.Always, kinds[len(kinds)-1])
		if kind == model.Linearizable {
			kind = model.Sometimes
		}
		list = append(list, model.Claim{Name: "ends", Kind: kind, Done: true})
	}
	if c.Fails && r.IntN(4) == 0 {
		o := observed(r)
		list = append(list, model.Claim{Name: "stumbles", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &stumbler{on: o} }})
	}
	if r.IntN(4) > 0 {
		list = append(list, model.Claim{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }})
	}
	return list
}

// A stumbler is a monitor that fails at the second observation of a sort.
type stumbler struct {
	on int

	Seen bool
}

func (s *stumbler) Observe(_ model.Watch, o model.Observation) {
	if observedNumber(o) == s.on {
		model.Assert(!s.Seen, "it comes once")
		s.Seen = true
	}
}

// A memory stores the first node that does something, and waits until this node does another thing, or is
// named.
type memory struct {
	first, then int
	broken      bool // reaching the goal breaks the claim

	By    model.NodeID
	Knows bool
	Again bool
}

func (m *memory) Observe(w model.Watch, o model.Observation) {
	switch id, ok := o.Value.(model.NodeID); {
	case m.Again:
	case !m.Knows:
		if observedNumber(o) == m.first {
			w.Witness()
			m.By, m.Knows = o.Node, true
		}
	case observedNumber(o) == m.then && o.Node == m.By, ok && id == m.By:
		m.Again = true
		if m.broken {
			w.Violate("it comes to %v again", o.Value)
		}
	}
}

func (m *memory) Reached() bool { return m.Again }

// hopes draws claims that something is possible, or happens eventually.
func hopes(r *rand.Rand, reading model.Reading) (list []model.Claim) {
	m := mixture{open: reading == model.Dense && r.IntN(3) == 0}
	kinds := []model.Kind{model.PossibleFromEverywhere, model.PossibleFromEverywhere, model.Eventually}
	for i := range 1 + r.IntN(2) {
		c := m.claim(r, kinds[r.IntN(len(kinds))])
		c.Name = fmt.Sprintf("hope %d", i)
		list = append(list, c)
	}
	return list
}

// ofTheStruck draws claims about crashed or recovered nodes.
func ofTheStruck(r *rand.Rand, _ model.Reading) (list []model.Claim) {
	for i := range 1 + r.IntN(2) {
		m := memory{
			first: one(r, r.IntN(3), 10+int(model.Crashed), 10+int(model.Recovered)), then: one(r, r.IntN(3), 10+int(model.Crashed), 10+int(model.Recovered)),
			broken: true,
		}
		list = append(list, model.Claim{Name: fmt.Sprintf("struck %d", i), Kind: model.Always, Monitor: func(*model.System) model.Monitor { m := m; return &m }})
	}
	return list
}

// aboutNames draws a claim of a kind about the names that fellows store.
func aboutNames(r *rand.Rand, kind model.Kind) model.Claim {
	if kind == model.Always && r.IntN(2) == 0 {
		return model.Claim{Kind: kind, Invariant: one(r, keepsNoneTwice, keepsNotItself)}
	}
	proto := memory{first: r.IntN(3), then: one(r, r.IntN(3), 10+int(model.Crashed), 10+int(model.Recovered)), broken: kind == model.Always}
	c := model.Claim{Kind: kind, Monitor: func(*model.System) model.Monitor { m := proto; return &m }}
	if kind == model.AlmostSurely {
		c.Against = model.Adversary(r.IntN(3))
	}
	return c
}

// keepsNoneTwice returns an error if two fellows store the same name.
func keepsNoneTwice(nodes []model.Node) error {
	by := map[model.NodeID]bool{}
	for _, n := range nodes {
		if f, ok := n.(*fellow); ok && f.Kept != 0 {
			if by[f.Kept] {
				return fmt.Errorf("node %d is kept twice", f.Kept)
			}
			by[f.Kept] = true
		}
	}
	return nil
}

// keepsNotItself returns an error if a fellow stores or has met itself.
func keepsNotItself(nodes []model.Node) error {
	for i, n := range nodes {
		if f, ok := n.(*fellow); ok && (f.Kept == model.NodeID(i) || f.Met[model.NodeID(i)]) {
			return fmt.Errorf("node %d keeps itself", i)
		}
	}
	return nil
}
