package symmetry

import (
	"slices"
	"testing"

	"contend/checker/search/component"
	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// An author writes outcomes of the first client of a system with two clients and three servers,
// with its nodes called as a renaming has it.
type author struct {
	g   *Groups
	ren value.Renaming
}

// systemOf makes the groups of a system that is searched no further.
func systemOf(t *testing.T, s *model.System, claims []model.Claim) *Groups {
	t.Helper()
	_, _, g := explored(t, s, claims, both, 0)
	return g
}

// The first client, and two servers that are exchanged.
const c1, s1, s2 = model.NodeID(0), model.NodeID(2), model.NodeID(3)

func (a author) is(id model.NodeID) model.NodeID { return a.ren[id] }

func (a author) outcome(effects ...component.Effect) component.Outcome {
	return component.Outcome{Next: a.knows(), Cut: -1, Effects: effects}
}

// knows is the client's state when it has heard of servers.
func (a author) knows(of ...model.NodeID) uint32 {
	n := &client{servers: []model.NodeID{2, 3, 4}}
	for _, id := range of {
		n.Of = append(n.Of, a.is(id))
	}
	return a.g.e.Store.Local(int16(c1), a.g.e.Codec.Node(n, nil))
}

func (a author) value(m any) uint32 {
	if by, ok := m.(answer); ok {
		m = answer{a.is(by.By)}
	}
	return a.g.e.Value(m)
}

func (a author) send(to model.NodeID, m any) component.Effect {
	b := a.g.e.Store.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: int16(a.is(to)), From: int16(c1), Value: a.value(m)})
	return component.Effect{Do: component.Send, Base: b, Part: a.g.e.Pending(b, model.Anytime())}
}

func (a author) tell(to model.NodeID) component.Effect {
	return component.Effect{Do: component.Tell, Base: a.send(to, "ask").Base}
}

func (a author) alarm(kind component.Kind, key any) uint32 {
	return a.g.e.Store.Base(component.Base{Kind: kind, Slot: int16(c1), Value: a.value(key)})
}

func (a author) arm(key any) component.Effect {
	b := a.alarm(component.Kind(model.Timeout), key)
	return component.Effect{Do: component.Arm, Base: b, Part: a.g.e.Pending(b, model.Anytime())}
}

func (a author) disarm(key any) component.Effect {
	return component.Effect{Do: component.Disarm, Base: a.alarm(component.Kind(model.Timeout), key)}
}

func (a author) hold(key any, is int32) component.Pick {
	return component.Pick{Of: 2, Is: is, Held: a.alarm(component.Hold, key)}
}

// with is an outcome that something is changed of.
func (a author) with(change func(o *component.Outcome)) component.Outcome {
	o := a.outcome()
	change(&o)
	return o
}

func (a author) picks(picks ...component.Pick) component.Outcome {
	return a.with(func(o *component.Outcome) { o.Picks = picks })
}

var note, up, end = component.Note, component.Deliver, component.Finish

// kindsOf are outcomes of which no two are the same; those of one kind differ in what makes no
// difference: the numbers of choices, and the order of what commutes.
func (a author) kindsOf(fifo bool) [][]component.Outcome {
	first, second := component.Pick{Of: 2, Is: 0}, component.Pick{Of: 2, Is: 1}
	one := func(o component.Outcome) []component.Outcome { return []component.Outcome{o} }
	arg := func(do component.Effect, m any) component.Effect { do.Arg = a.value(m); return do }
	noted, handed, ended := component.Effect{Do: note}, component.Effect{Do: up}, component.Effect{Do: end}
	all := [][]component.Outcome{
		one(a.outcome()),
		one(a.with(func(o *component.Outcome) { o.Next = a.knows(s1) })),
		one(a.with(func(o *component.Outcome) { o.Next = a.knows(s2) })),
		one(a.with(func(o *component.Outcome) { o.Cut = 0 })),
		one(a.with(func(o *component.Outcome) { o.Failed = &guard.Failure{} })),
		one(a.with(func(o *component.Outcome) { o.Violation = "no" })),
		one(a.with(func(o *component.Outcome) { o.Witness = true })),
		one(a.with(func(o *component.Outcome) { o.Measured = 1 })),
		one(a.with(func(o *component.Outcome) { o.Measured = 2 })),
		{a.picks(first), a.picks(second)},
		{a.picks(first, first), a.picks(second, first)},
		one(a.picks(a.hold("a", 0))),
		one(a.picks(a.hold("a", 1))),
		one(a.picks(a.hold(answer{s1}, 0))),
		one(a.picks(a.hold(answer{s2}, 0))),
		{a.picks(a.hold("a", 0), a.hold("b", 1)), a.picks(a.hold("b", 1), a.hold("a", 0))},
		{a.picks(first, a.hold("a", 0)), a.picks(a.hold("a", 0), second)},
		one(a.outcome(a.send(s1, "ask"))),
		one(a.outcome(a.send(s2, "ask"))),
		one(a.outcome(a.send(s1, "told"))),
		one(a.outcome(a.send(s1, answer{s1}))),
		one(a.outcome(a.send(s1, answer{s2}))),
		one(a.outcome(a.send(s1, "ask"), a.send(s1, "ask"))),
		{a.outcome(a.send(s1, "ask"), a.send(s2, "told")), a.outcome(a.send(s2, "told"), a.send(s1, "ask"))},
		{a.outcome(a.send(s2, "ask"), a.send(s1, "told")), a.outcome(a.send(s1, "told"), a.send(s2, "ask"))},
		one(a.outcome(a.arm("a"))),
		one(a.outcome(a.arm(answer{s1}))),
		one(a.outcome(a.disarm("a"))),
		one(a.outcome(a.disarm(answer{s1}))),
		one(a.outcome(a.disarm(answer{s2}))),
		{a.outcome(a.arm("a"), a.arm("b"), a.disarm(answer{s1})), a.outcome(a.arm("b"), a.disarm(answer{s1}), a.arm("a"))},
		one(a.outcome(a.arm("a"), a.disarm("a"))),
		one(a.outcome(a.disarm("a"), a.arm("a"))),
		one(a.outcome(a.tell(s1))),
		one(a.outcome(a.tell(s2))),
		{a.outcome(a.send(s1, "ask"), arg(noted, "a"), a.arm("a")), a.outcome(arg(noted, "a"), a.arm("a"), a.send(s1, "ask"))},
		one(a.outcome(arg(noted, "a"), arg(handed, "a"))),
		one(a.outcome(arg(handed, "a"), arg(noted, "a"))),
	}
	for _, do := range []component.Effect{noted, handed, ended} {
		for _, m := range []any{"a", answer{s1}, answer{s2}} {
			all = append(all, one(a.outcome(arg(do, m))))
		}
	}
	ask, told := a.outcome(a.send(s1, "ask"), a.send(s1, "told")), a.outcome(a.send(s1, "told"), a.send(s1, "ask"))
	if fifo {
		return append(all, one(ask), one(told))
	}
	return append(all, []component.Outcome{ask, told})
}

// Outcomes are the same under a renaming just if they are of one kind, with the nodes renamed; of
// several, in whatever order the choices come. In order they are the same with all that they do
// in order.
func TestSameOutcomes(t *testing.T) {
	for _, channel := range []model.Channel{model.Bag, model.FIFO} {
		s := asked(2, 3, odd{})
		s.Network.Channel = channel
		g := systemOf(t, s, nil)
		ren := g.Identity()
		ren[s1], ren[s2] = s2, s1
		p := g.Intern(ren)
		here, there := author{g, g.Identity()}.kindsOf(channel == model.FIFO), author{g, ren}.kindsOf(channel == model.FIFO)
		last := len(here) - 1
		type list = []component.Outcome
		for i := range here {
			for k := range here[i] {
				for j := range there {
					for l := range there[j] {
						x, y := here[i][k], there[j][l]
						if got := g.equivalent(list{x}, list{y}, p); got != (i == j) {
							t.Errorf("%v: variant %d of kind %d and variant %d of kind %d are the same: %v", channel, k, i, l, j, got)
						}
						if got := g.equalInOrder(list{x}, list{y}, p); got && i != j || !got && i == j && k == l {
							t.Errorf("%v: variant %d of kind %d and variant %d of kind %d are the same in order: %v", channel, k, i, l, j, got)
						}
						// Of two, the last in the other order, so that the short cut does not serve.
						if i != last && j != last {
							if got := g.equivalent(list{x, here[last][0]}, list{there[last][0], y}, p); got != (i == j) {
								t.Errorf("%v: kinds %d and %d are the same, out of order: %v", channel, i, j, got)
							}
							if got := g.equalInOrder(list{here[last][0], x}, list{there[last][0], y}, p); got && i != j {
								t.Errorf("%v: kinds %d and %d are the same, second of two: %v", channel, i, j, got)
							}
						}
					}
				}
			}
			if g.equivalent(list{here[i][0]}, list{there[i][0], there[i][0]}, p) || g.equivalent(list{here[i][0], here[i][0]}, list{there[i][0]}, p) {
				t.Errorf("%v: kind %d is the same as two of it", channel, i)
			}
		}
		one, other := author{g, g.Identity()}.picks(component.Pick{Of: 2}), author{g, ren}.picks(component.Pick{Of: 2, Is: 1})
		if !g.equalInOrder(list{one}, list{other}, p) {
			t.Errorf("%v: the number of a choice makes a difference in order", channel)
		}
		// One after the other is compared to its end, and not only the first.
		held, asks := author{g, g.Identity()}.picks(component.Pick{Of: 2}, author{g, g.Identity()}.hold("a", 0)), author{g, ren}.picks(component.Pick{Of: 2}, author{g, ren}.hold("a", 1))
		if g.equivalent(list{held}, list{asks}, p) || g.equalInOrder(list{held}, list{asks}, p) {
			t.Errorf("%v: a hold that lasts is one that is over", channel)
		}
	}
}

// Renaming an outcome renames what it says of nodes, and nothing else.
func TestEffectsAreRenamed(t *testing.T) {
	g := systemOf(t, asked(2, 3, odd{}), nil)
	ren := g.Identity()
	ren[s1], ren[s2] = s2, s1
	p := g.Intern(ren)
	here, there := author{g, g.Identity()}.kindsOf(false), author{g, ren}.kindsOf(false)
	for i := range here {
		for k, f := range here[i][0].Effects {
			if got, want := g.effect(f, p), there[i][0].Effects[k]; got != want {
				t.Errorf("effect %d of kind %d is %v when it is renamed, want %v", k, i, got, want)
			}
			if got := g.effect(f, 0); got != f {
				t.Errorf("effect %d of kind %d is %v when nothing is renamed, and was %v", k, i, got, f)
			}
		}
	}
	tick := component.Effect{Do: component.Disarm, Base: here[0][0].Next, Part: 1, Arg: g.e.Value(answer{s1})}
	tick.Base = author{g, ren}.disarm("a").Base
	if got := g.effect(tick, p); !slices.Equal([]component.Effect{got}, []component.Effect{tick}) {
		t.Errorf("what a disarmed alarm does not have is %v when it is renamed, and was %v", got, tick)
	}
}
