package why_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/model"
	"contend/model/claims"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/why"
)

// Nodes that act pseudo-randomly.
type (
	Set  struct{ Value int }
	Read struct{}
	Stop struct{}
	Tell struct {
		Value int
		Of    model.NodeID
	}
	Wrap  struct{ Is any }
	Mark  struct{ Value int }
	Item  struct{ Value int }
	wake  struct{ Number int }
	held  struct{}
	Guess struct {
		Value int
		Of    model.NodeID
		All   []int
		Took  int
		Runs  bool
		seed  uint64
		nodes int
	}
)

// alarmed is the input of an alarm.
const alarmed = 20

// act executes a random action. It is a function of the seed, the state and the input.
func (g *Guess) act(env model.Env, input uint64, from model.NodeID, heard int) {
	if g.Took++; g.Took > 6 {
		return
	}
	rng := rand.New(rand.NewPCG(g.seed, input<<32|uint64(env.Self())<<24|uint64(g.Value)<<16|uint64(g.Took)<<8|uint64(heard)))
	some := func(n int) bool { return rng.IntN(n) == 0 }
	some(2) // the first number says little
	if some(20) && g.seed%16 == 0 {
		panic("by chance")
	}
	if some(9) { // nothing comes of it
		g.Took--
		return
	}
	if some(2) {
		g.Value = [...]int{heard, rng.IntN(4)}[rng.IntN(2)]
	}
	if some(3) {
		g.Of = from
	}
	if some(4) {
		g.All = append(g.All[:min(len(g.All), 2):min(len(g.All), 2)], heard)
	}
	if some(6) {
		env.Hold(held{}, model.Through(2))
	} else if some(3) && env.Held(held{}) {
		g.Value = 0
	}
	for range rng.IntN(3) {
		to := [...]model.NodeID{from, from, env.Self(), model.NodeID(rng.IntN(g.nodes)), model.NodeID(rng.IntN(g.nodes))}[rng.IntN(5)]
		env.Send(to, [...]any{Set{g.Value}, Read{}, Tell{g.Value, from}, Tell{heard, g.Of}, Wrap{Item{g.Value}}, Wrap{Tell{heard, from}}}[rng.IntN(6)])
	}
	what := rng.IntN(9)
	if input == alarmed && some(2) {
		what = 3 // for claims are about notes that alarms give rise to
	}
	switch what {
	case 0, 1:
		env.After(wake{rng.IntN(2)}, model.Between(0, 3))
	case 2:
		env.Cancel(wake{rng.IntN(2)})
	case 3:
		env.Note(Mark{g.Value})
	case 4:
		env.Deliver(Item{heard})
	}
	if g.Runs && some(3) {
		g.Runs = false
		env.Return([...]any{nil, g.Value, heard}[rng.IntN(3)])
	}
}

func (g *Guess) Start(env model.Env) { g.act(env, 0, env.Self(), 0) }

func (g *Guess) Invoke(env model.Env, call any) {
	g.Runs = call != any(Stop{})
	g.act(env, 1, model.NodeID(g.nodes-1), valueOf(call))
}

func (g *Guess) Receive(env model.Env, from model.NodeID, m any) {
	g.act(env, 2+uint64(from), from, valueOf(m))
}
func (g *Guess) Timeout(env model.Env, key any)           { g.act(env, alarmed, env.Self(), valueOf(key)) }
func (g *Guess) Suspect(env model.Env, node model.NodeID) { g.act(env, 21, node, 1) }
func (g *Guess) Trust(env model.Env, node model.NodeID)   { g.act(env, 22, node, 2) }

func valueOf(v any) int {
	switch v := v.(type) {
	case Set:
		return v.Value
	case Tell:
		return v.Value
	case Item:
		return v.Value
	case wake:
		return v.Number
	case Wrap:
		return valueOf(v.Is)
	}
	return 3
}

// An unmarked is a goal: each node with a script has marked something. Misses returns the nodes that have
// not.
type unmarked struct {
	Marked map[model.NodeID]bool
	nodes  []model.NodeID
}

func (u *unmarked) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		u.Marked[o.Node] = true
	}
}

func (u *unmarked) Reached() bool { return len(u.Misses(func(model.NodeID) string { return "" })) == 0 }

func (u *unmarked) Misses(name func(model.NodeID) string) (all []string) {
	for _, id := range u.nodes {
		if !u.Marked[id] {
			all = append(all, name(id)+" has marked nothing")
		}
	}
	return all
}

// slate is a register that can be written and read.
var slate = model.Object{Name: "register", Init: 0, Types: []any{0}, Step: func(state any, _ model.NodeID, call any) []model.Effect {
	if put, is := call.(Set); is {
		return []model.Effect{{State: put.Value}}
	}
	return []model.Effect{{State: state, Result: state}}
}}

// A spaced is violated by two marks of different nodes within two ticks.
type spaced struct{ Last model.NodeID }

func (s *spaced) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Noted {
		return
	}
	if w.Held(wake{}) && o.Node != s.Last || w.Held(held{}) && o.Node == s.Last {
		w.Violate("two marks are close to each other")
	}
	s.Last = o.Node
	w.Hold(wake{}, model.Through(2))
	w.Hold(held{}, model.Below(1))
}

// A firsts is violated by an observation of one kind after one of another.
type firsts struct {
	Seen   bool
	before model.ObservationKind
	minds  model.ObservationKind
}

func (f *firsts) Observe(w model.Watch, o model.Observation) {
	if f.Seen && o.Kind == f.minds {
		w.Violate("it comes behind another")
	}
	f.Seen = f.Seen || o.Kind == f.before
}

func first(before, minds model.ObservationKind) model.Claim {
	return model.Claim{Name: fmt.Sprintf("%v, then %v", before, minds), Kind: model.Always, Monitor: func(*model.System) model.Monitor {
		return &firsts{before: before, minds: minds}
	}}
}

// latch is an object that its first setter or reader owns until it stops.
var latch = model.Object{Name: "latch", Init: 0, Types: []any{0, model.NodeID(0)}, Step: func(state any, id model.NodeID, call any) []model.Effect {
	switch _, leaves := call.(Stop); {
	case leaves && state == any(1+int(id)):
		return []model.Effect{{State: 0}}
	case !leaves && state == any(0):
		return []model.Effect{{State: 1 + int(id)}, {State: 1 + int(id), Result: 3}}
	}
	return nil
}}

// Markers is the node of a page that marks at most three times, with increasing numbers.
type Markers struct{ Least, Times int }

func (*Markers) Start(env model.Env) { env.After(wake{}, model.Anytime()) }

func (m *Markers) Timeout(env model.Env, _ any) {
	if m.Times == 0 {
		m.Least = env.Choose(3)
	} else {
		m.Least += env.Choose(6 - m.Least)
	}
	if env.Note(Mark{m.Least}); m.Times < 2 {
		m.Times++
		env.After(wake{}, model.Anytime())
	}
}

// marks claims that the marks of the first node, or of all nodes, are the page's marks.
func marks(all bool) model.Claim {
	name := "markers"
	if all {
		name = "all markers"
	}
	page := &model.Protocol{Name: name, Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{Mark{}, wake{}}, Network: model.Network{Delay: model.Anytime()},
			Nodes: []model.NodeSpec{{Name: "m", New: func() model.Node { return &Markers{} }}}}, nil
	}}
	return claims.Refines(page, func(o model.Observation) (model.Observation, bool) {
		return model.Observation{Kind: model.Noted, Op: -1, Value: o.Value}, o.Kind == model.Noted && (all || o.Node == 0)
	})
}

// mayMark returns the marks that the page could have shown instead of the violating mark.
func mayMark(run *replay.Run) string {
	var marks []int
	for _, o := range run.World.Began {
		if o.Kind == model.Noted && (o.Node == 0 || run.Trace.Claim == "refines all markers") {
			marks = append(marks, o.Value.(Mark).Value)
		}
	}
	for _, r := range run.Records {
		for _, o := range r.Observations {
			if o.Kind == model.Noted && (o.Node == 0 || run.Trace.Claim == "refines all markers") {
				marks = append(marks, o.Value.(Mark).Value)
			}
		}
	}
	for n, v := range marks {
		switch {
		case n == 0 && v >= 3:
			return "The page would have allowed Mark{0}, Mark{1} or Mark{2} there."
		case n == 3:
			return "The page would have shown nothing more there."
		case n > 0 && v < marks[n-1]:
			return "The page would have allowed " + [...]string{
				"", "5 other things there, such as Mark{1}, Mark{2}, Mark{3} or Mark{4}.", "Mark{2}, Mark{3}, Mark{4} or Mark{5} there.", "Mark{3}, Mark{4} or Mark{5} there.",
			}[marks[n-1]]
		}
	}
	return "it is no violation"
}

// others returns further claims. Their systems have all faults.
func others() []model.Claim {
	return []model.Claim{
		marks(true), marks(false), claims.HappenedBefore(),
		{Name: "marks are apart", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &spaced{} }},
		{Name: "the latch is atomic", Kind: model.Linearizable, Object: latch},
		first(model.Noted, model.Recovered), first(model.Crashed, model.Released),
	}
}

// hazards returns claims of all kinds. The random systems violate them.
func hazards(nodes []model.NodeID) []model.Claim {
	marked := claims.Reading(func(o model.Observation) (any, bool) { return o.Value, o.Kind == model.Noted })
	return []model.Claim{
		{Name: "all return", Kind: model.Eventually, Done: true},
		{Name: "all may return", Kind: model.PossibleFromEverywhere, Done: true},
		claims.MutualExclusion(),
		claims.Agreement(claims.Returns),
		claims.UniformAgreement(claims.Delivers),
		claims.DecidesOnce(claims.Delivers),
		claims.Validity(claims.Invokes, claims.Returns),
		claims.EventualAgreement(claims.Delivers),
		claims.EventualAgreement(marked),
		claims.UniformAgreement(marked),
		{Name: "all mark", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &unmarked{nodes: nodes} }},
		{Name: "the register is atomic", Kind: model.Linearizable, Object: slate},
		{Name: "few have two", Kind: model.Always, Invariant: func(all []model.Node) error {
			var have []int
			for i, n := range all {
				if g, is := n.(*Guess); is && g.Value == 2 {
					have = append(have, i)
				}
			}
			if len(have) > 1 {
				return fmt.Errorf("nodes %v have two", have)
			}
			return nil
		}},
		{Name: "no list and no three", Kind: model.Always, Invariant: func(all []model.Node) error {
			for _, n := range all {
				if g, is := n.(*Guess); is && (len(g.All) > 1 || g.Value == 3) {
					return errors.New("a list or a three")
				}
			}
			return nil
		}},
	}
}

// chance returns a small random system with one claim, and a configuration.
func chance(seed uint64) (*model.Protocol, model.Config) {
	rng := rand.New(rand.NewPCG(seed, 7))
	some := func(n int) bool { return rng.IntN(n) == 0 }
	names := []string{"a", "b", "went", "s1", "s11"}
	kind, late := seed%kindsOfClaims, seed >= kindsOfClaims*chances
	if late {
		kind = seed % uint64(kindsOfClaims+len(others()))
	}
	clients, servers := 1+rng.IntN(2), 1+rng.IntN(2)
	s := model.System{Types: []any{Set{}, Read{}, Stop{}, Tell{}, Wrap{}, Mark{}, Item{}, wake{}, held{}, 0, model.NodeID(0)}, Network: model.Network{Delay: model.Between(0, 2)}}
	if some(3) {
		s.Network.Channel = model.FIFO
	}
	var scripted []model.NodeID
	peers := some(3)
	for i := range clients + servers {
		spec := model.NodeSpec{Name: names[i], Crash: [...]model.CrashModel{model.CrashStop, model.CrashStopRecovery}[rng.IntN(2)], New: func() model.Node { return &Guess{seed: seed, nodes: clients + servers} }}
		if i >= clients {
			spec.Name, spec.Role = names[3+i-clients], model.Server
		}
		if peers {
			spec.Role = model.Peer
		}
		if i < clients || peers && some(2) {
			scripted = append(scripted, model.NodeID(i))
			for range 1 + rng.IntN(2) {
				op := model.Op{Call: [...]any{Set{1 + rng.IntN(3)}, Read{}}[rng.IntN(2)], After: model.Between(0, 3)}
				if kind == 2 || some(5) && kind != 11 || late && seed/21%2 > 0 {
					op.Release, op.Stay = Stop{}, model.Between(0, 2)
				}
				spec.Script = append(spec.Script, op)
			}
		} else if i > clients && some(3) {
			spec.Byzantine = true
		}
		s.Nodes = append(s.Nodes, spec)
	}
	s.Nodes[0].Crash, s.Nodes[1].Crash = model.CrashStop, model.CrashStopRecovery
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{Tell{2, 0}, Wrap{Item{1}}} }
	if some(2) {
		s.Detector = model.Detector{Kind: model.Perfect, Report: model.By(2)}
	}
	faults := model.Faults{Crashes: rng.IntN(3), Restarts: rng.IntN(2), Loss: rng.IntN(2), Duplication: rng.IntN(2)}
	if late {
		s.Detector = model.Detector{Kind: model.EventuallyPerfect, Report: model.By(2), Mistake: model.By(3)}
		faults.Restarts, faults.Suspicions, faults.Partitions = 1, 1, rng.IntN(2)
	}
	all := append(hazards(scripted), others()...)
	p := &model.Protocol{Name: "chance", Claims: []model.Claim{all[kind]}, Build: func(c model.Config) (*model.System, error) {
		is := s
		is.Config = c
		return &is, nil
	}}
	return p, model.Config{Faults: faults}
}

// kindsOfClaims is the number of hazards, and chances the number of systems of each hazard. lateChances is
// the number of systems of the other claims.
const (
	kindsOfClaims = 14
	chances       = 24
	lateChances   = 1500
)

// The sentences about random runs of random systems are true. They are in testdata/chance.txt with each run,
// for people to read: go test -update rewrites the file.
func TestChance(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(kindsOfClaims*chances + lateChances) {
		p, c := chance(seed)
		watched := judge.Watched(p.Claims)
		drawn, w := toy.Drive(t, p, "", c, seed/kindsOfClaims%2 == 0, watched, seed)
		if claim := p.Claims[0]; drawn.Claim == "" {
			if claim.Kind == model.Always || claim.Kind == model.Linearizable || claim.Kind == model.Refines || seed%3 > 0 && w.Reached(claim) {
				continue
			}
			if drawn.Claim = claim.Name; seed%3 == 0 { // the sentence also holds for earlier steps
				drawn.Steps = drawn.Steps[:len(drawn.Steps)*2/3]
			}
		}
		run, err := replay.Until(p, drawn, watched, len(drawn.Steps))
		require.NoError(t, err, seed)
		e, book := why.Explain(run), ledgerOf(run)
		fmt.Fprintf(&all, "%d: %s: %s\n", seed, drawn.Claim, drawn.Text)
		for _, line := range show.Lines(run) {
			if seed >= kindsOfClaims*chances { // for further systems only the sentences are checked
				break
			}
			fmt.Fprintf(&all, "  %d %s: %s; %s\n", line.Step, line.Who, line.What, strings.Join(line.Details, "; "))
		}
		for _, says := range e.Sentences {
			fmt.Fprintf(&all, "- %s\n", says)
			book = book.further(t, says)
			spoken(t, fmt.Sprint(seed), e, says, len(run.Records))
			holds(t, fmt.Sprint(seed), run, says)
			assert.Empty(t, book.told(says), "%d: %s", seed, says)
		}
		if p.Claims[0].Kind == model.Refines && run.Trace.Claim == p.Claims[0].Name {
			assert.Contains(t, e.Sentences, mayMark(run), seed)
		}
		fmt.Fprintf(&all, "(%d, %v)\n\n", len(e.Short), e.Steps)
		assert.Subset(t, e.Sentences, e.Short, seed)
	}
	golden(t, "chance.txt", all.String())
}
