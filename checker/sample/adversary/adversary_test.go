package adversary

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// seeded is a stream of random choices.
type seeded struct{ *rand.Rand }

func stream(seed uint64) seeded { return seeded{rand.New(rand.NewPCG(seed, 0))} }

func (s seeded) Choose(n int) int { return s.IntN(n) }

// option always gives one of the options, as far as there are so many.
type option int

func (o option) Choose(n int) int { return min(int(o), n-1) }

// A vote is what the nodes of these tests send.
type vote struct {
	Rank int
	By   model.NodeID
	For  string
}

// spoken are messages whose key is their rank, and what they are for.
type spoken []vote

func (s spoken) Alphabet(to, _ model.NodeID) int {
	if to > 1 {
		return 0
	}
	return len(s)
}
func (s spoken) MessageKey(_, _ model.NodeID, place int) uint64 { return key(s[place]) }
func (s spoken) Message(_, _ model.NodeID, place int) any       { return s[place] }

func key(v any) uint64 { return hashed(v.(vote).For) + uint64(v.(vote).Rank)<<8 + uint64(v.(vote).By) }

func sent(from, to model.NodeID, v vote) Sent {
	return Sent{From: from, To: to, Key: key(v), Value: func() any { return v }}
}

// voters are two clients, two servers and liars that are servers.
func voters(liars int) *model.System {
	s := &model.System{Nodes: []model.NodeSpec{{Name: "c1"}, {Name: "c2"}, {Name: "s1", Role: model.Server}, {Name: "s2", Role: model.Server}}}
	for i := range liars {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: string(rune('x' + i)), Role: model.Server, Byzantine: true})
	}
	return s
}

var ballots = spoken{{1, 0, "a"}, {2, 0, "a"}, {3, 0, "a"}, {1, 0, "b"}, {2, 0, "b"}, {9, 0, "b"}, {5, 3, "c"}}

// turns counts turns, so that each draws something else.
var turns uint64

// narrowed is what a behaviour leaves to say to the two clients.
func narrowed(b behaviour, a *Adversary, idle bool) (left map[model.NodeID][]vote) {
	l := &liar{id: 4}
	offers := a.cast.offers(l.id, ballots)
	left = map[model.NodeID][]vote{}
	turns++
	for _, o := range b.narrow(&turn{Choices: stream(turns), liar: l, traffic: a.traffic, cast: a.cast, idle: idle}, offers) {
		left[o.To] = append(left[o.To], o.Value().(vote))
	}
	return left
}

func quiet() *Adversary {
	k := NewCast(voters(1))
	return &Adversary{cast: k, traffic: newTraffic(k)}
}

func TestSilence(t *testing.T) {
	assert.Empty(t, narrowed(silence{all: true}, quiet(), true))
	assert.Equal(t, map[model.NodeID][]vote{0: ballots}, narrowed(silence{victims: 2}, quiet(), true))
}

func TestArbitrary(t *testing.T) {
	assert.Equal(t, map[model.NodeID][]vote{0: ballots, 1: ballots}, narrowed(arbitrary{}, quiet(), false))
}

// A prompt node says the same to everybody.
func TestPrompt(t *testing.T) {
	assert.Equal(t, map[model.NodeID][]vote{0: {{2, 0, "b"}}, 1: {{2, 0, "b"}}}, narrowed(prompt{11}, quiet(), false))
}

// An equivocating one says the same to each, but not to all.
func TestEquivocation(t *testing.T) {
	e := drawEquivocation(nil, nil, 0)
	first := narrowed(e, quiet(), false)
	require.Len(t, first[0], 1)
	assert.NotEqual(t, first[0], first[1])
	assert.Equal(t, first, narrowed(e, quiet(), false))
}

// A node that delays lets turns pass, unless nothing else can happen.
func TestDelay(t *testing.T) {
	d := &delay{turns: 2, waits: map[model.NodeID]int{}}
	for range 2 {
		assert.Empty(t, narrowed(d, quiet(), false))
	}
	assert.Len(t, narrowed(d, quiet(), false), 2)
	d = &delay{turns: 2, waits: map[model.NodeID]int{}}
	assert.Len(t, narrowed(d, quiet(), true), 2)
}

// A replay is of what an honest node said, or a liar; if there is nothing of that, it is anything.
func TestReplay(t *testing.T) {
	a := quiet()
	assert.Len(t, narrowed(replay{}, a, false)[0], len(ballots))
	a.ObserveMessage(sent(2, 1, vote{3, 0, "a"}))
	a.traffic.needed = true
	a.traffic.observeLie(Offer{From: 4, To: 1, Place: 4, alphabets: ballots})
	assert.Equal(t, []vote{{3, 0, "a"}, {2, 0, "b"}}, narrowed(replay{}, a, false)[0])
}

// The largest number is the same field throughout a schedule, and no name of a node.
func TestInflation(t *testing.T) {
	for field := range 5 {
		assert.Equal(t, []vote{{9, 0, "b"}}, narrowed(inflation{field}, quiet(), false)[1])
	}
}

// A mutation differs in one field from what one of the same role last said to the receiver.
func TestMutation(t *testing.T) {
	a := quiet()
	assert.Len(t, narrowed(mutation{}, a, false)[0], len(ballots))
	a.ObserveMessage(sent(2, 0, vote{1, 0, "b"}))
	a.ObserveMessage(sent(3, 0, vote{2, 0, "a"}))
	a.ObserveMessage(sent(1, 0, vote{9, 0, "b"})) // another role
	assert.Equal(t, []vote{{1, 0, "a"}, {3, 0, "a"}, {2, 0, "b"}}, narrowed(mutation{}, a, false)[0])
	assert.Len(t, narrowed(mutation{}, a, false)[1], len(ballots), "nobody said anything to it")
}

// Colluding nodes tell each part a story, and say what another of them said.
func TestCollusion(t *testing.T) {
	a := quiet()
	a.traffic.needed = true
	c := collusion{part: 2, places: [2]int{0, 6}}
	assert.Equal(t, map[model.NodeID][]vote{0: {{1, 0, "a"}}, 1: {{5, 3, "c"}}}, narrowed(c, a, false))
	a.traffic.observeLie(Offer{From: 5, To: 0, Place: 4, alphabets: ballots})
	a.traffic.observeLie(Offer{From: 4, To: 1, Place: 4, alphabets: ballots}) // its own
	assert.Equal(t, map[model.NodeID][]vote{0: {{2, 0, "b"}}, 1: {{5, 3, "c"}}}, narrowed(c, a, false))
}

// All the Byzantine nodes of a schedule collude, or none.
func TestAllCollude(t *testing.T) {
	k := NewCast(voters(3))
	colluding := 0
	for seed := range uint64(300) {
		a := k.Draw(stream(seed))
		plans, plotters := map[collusion]int{}, 0
		for _, l := range a.liars {
			if slices.ContainsFunc(l.behaviours, func(b behaviour) bool { return b.name() == collude }) {
				plotters++
			}
			for _, b := range l.behaviours {
				if plan, is := b.(collusion); is {
					plans[plan]++
				}
			}
		}
		if len(plans) == 0 {
			continue
		}
		colluding++
		assert.Len(t, plans, 1, "seed %d", seed)
		assert.Equal(t, len(a.liars), plotters, "seed %d", seed)
	}
	assert.Positive(t, colluding)
}

// What is restricted is drawn of the kinds that are named; without one for Byzantine nodes, of all of these.
func TestOnly(t *testing.T) {
	drawn := func(names ...string) []string {
		k := NewCast(voters(2))
		k.Only(names)
		var met []string
		for seed := range uint64(200) {
			for _, l := range k.Draw(stream(seed)).liars {
				for _, b := range l.behaviours {
					met = append(met, b.name())
				}
			}
		}
		slices.Sort(met)
		return slices.Compact(met)
	}
	assert.Equal(t, []string{"mutation", "replay"}, drawn("mutation", "replay"))
	assert.Len(t, drawn(worstMoment), len(Kinds())-1)
	assert.NoError(t, Known([]string{"twins", worstMoment}))
	assert.ErrorContains(t, Known([]string{"nobody"}), `adversary is "nobody", but must be one of silence, prompt,`)
}

// A frequency is out of a step in which the protocol can move. Where the protocol cannot move, a fault strikes far more often, and a
// restart nearly always.
func TestHowOftenFaultsStrike(t *testing.T) {
	for _, c := range []struct {
		kind     model.EventKind
		protocol bool
		want     int
	}{{model.Lose, true, 2}, {model.Lose, false, certain - enough}, {model.Restart, true, 2}, {model.Restart, false, certain - soonEnough}} {
		a, strikes := swarm{}, 0
		a.weights[c.kind] = 2
		for o := range option(certain) {
			if place, is := a.act(o, []Fault{{Kind: model.Crash}, {Kind: c.kind}}, nil, 0, c.protocol); is == InjectFault {
				assert.Equal(t, 1, place)
				strikes++
			}
		}
		assert.Equal(t, c.want, strikes, "%v, moves of the protocol: %v", c.kind, c.protocol)
	}
}

// A crash at the worst moment strikes the node of the moment, right after it; no other.
func TestWorstMoment(t *testing.T) {
	for m, step := range map[moment]Step{
		afterSending:    {Kind: model.Deliver, Node: 2, Sends: 1},
		afterBroadcast:  {Kind: model.Deliver, Node: 2, Sends: 2},
		afterCollecting: {Kind: model.Deliver, Node: 2},
		afterNote:       {Kind: model.Invoke, Node: 2, Notes: true},
		afterReturn:     {Kind: model.Return, Node: 2, Returns: true},
		afterAlarm:      {Kind: model.Timeout, Node: 2},
	} {
		a := &worst{plans: []plan{{kind: model.Crash, moment: m, after: 1}}}
		crashes := []Fault{{Kind: model.Crash, Node: 1}, {Kind: model.Crash, Node: 2}, {Kind: model.Lose, Node: 2}}
		strike := func() (int, Action) { return a.act(option(0), crashes, nil, 0, true) }
		a.observe(Step{Kind: model.Trust, Node: 2})
		a.observe(step)
		_, is := strike()
		assert.Equal(t, NoAction, is, "the first moment %d passes", m)
		a.observe(step)
		place, is := strike()
		assert.Equal(t, InjectFault, is, "moment %d", m)
		assert.Equal(t, 1, place)
		_, is = strike()
		assert.Equal(t, NoAction, is, "once")
	}
}

// A message that is lost at the worst moment is one of those that the step sent, or, where it sent
// none, one to its node.
func TestWhichMessageIsLost(t *testing.T) {
	lost := []Fault{{Kind: model.Lose, Node: 1}, {Kind: model.Lose, Node: 2}, {Kind: model.Lose, Node: 3}}
	sent := func(place int) int { return []int{4, 6, 7}[place] }
	for sends, want := range map[int]int{2: 2, 0: 1} {
		a := &worst{plans: []plan{{kind: model.Lose, moment: afterReturn}}}
		a.observe(Step{Number: 7, Node: 2, Sends: sends, Returns: true})
		place, is := a.act(option(0), lost, sent, 0, true)
		assert.Equal(t, InjectFault, is)
		assert.Equal(t, want, place, "sends %d", sends)
	}
}

// A clerk answers a vote with the next rank, and counts votes.
type clerk struct{ Votes int }

func (c *clerk) Receive(env model.Env, from model.NodeID, m any) {
	c.Votes++
	v := m.(vote)
	env.Send(from, vote{v.Rank + c.Votes, 0, v.For})
}

// Each twin hears its own part of the nodes, and answers these as an honest node would; where that is
// not in the alphabet, with what is nearest.
func TestTwins(t *testing.T) {
	s := voters(1)
	s.Types = []any{vote{}}
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return nil }
	for i := range s.Nodes {
		s.Nodes[i].New = func() model.Node { return &clerk{} }
	}
	k := NewCast(s)
	a := &Adversary{cast: k, traffic: newTraffic(k)}
	w := drawTwins(option(2), a, 4).(*twins) // the second client is the second twin's
	a.liars = []*liar{{id: 4, behaviours: []behaviour{w}}}
	assert.Empty(t, narrowed(w, a, false), "nobody asked")
	a.ObserveMessage(sent(0, 4, vote{1, 0, "a"}))
	a.ObserveMessage(sent(0, 2, vote{1, 0, "b"})) // not to the liar
	assert.Equal(t, map[model.NodeID][]vote{0: {{2, 0, "a"}}}, narrowed(w, a, false))
	a.ObserveMessage(sent(1, 4, vote{4, 0, "c"}))
	assert.Equal(t, map[model.NodeID][]vote{0: {{2, 0, "a"}}, 1: {{5, 3, "c"}}}, narrowed(w, a, false), "its first vote")
	a.ObserveMessage(sent(0, 4, vote{1, 0, "b"}))
	assert.Equal(t, []vote{{3, 0, "a"}, {1, 0, "b"}, {2, 0, "b"}, {9, 0, "b"}}, narrowed(w, a, false)[0], "its second vote, {3 b}, is not in the alphabet")
	first := k.twins[4]
	assert.Len(t, first.known, 3, "states are kept for all schedules")
	again := drawTwins(option(2), a, 4).(*twins)
	again.observe(sent(0, 4, vote{1, 0, "a"}))
	assert.Len(t, first.known, 3)
	assert.Same(t, first.initial.reactions[trigger{from: 0, key: key(vote{1, 0, "a"})}].next, again.twins[0])
}

// Of a node that the protocol cannot make honest there are no twins: it says anything.
func TestNoTwins(t *testing.T) {
	a := quiet()
	assert.Equal(t, map[model.NodeID][]vote{0: ballots, 1: ballots}, narrowed(drawTwins(option(2), a, 4), a, false))
}
