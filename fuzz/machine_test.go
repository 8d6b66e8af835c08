package fuzz

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
)

// draws lets rapid make the choices, so that it also shrinks them.
type draws struct{ t *rapid.T }

func (d draws) Choose(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

var _ sample.Choices = draws{}

// machine drives a world step by step, without the sampler's runner, and holds what
// the world does to an account of its own.
type machine struct {
	w       *world.World
	c       sample.Choices
	parts   world.Time
	last    world.Time
	spent   map[*world.Event]bool // delivered or lost
	account account
}

// An account is kept of what a protocol does, apart from its claims.
type account interface {
	check(t *rapid.T, m *machine, r world.Record)
}

func newMachine(t *rapid.T, tg target, config model.Config, a account) *machine {
	c := draws{t}
	s, err := tg.protocol.System("", config)
	if err != nil {
		t.Fatal(err)
	}
	parts := 1 + c.Choose(4)
	reading := world.Options{Timed: true, Parts: int64(parts)}
	w, err := world.New(s, tg.claims(s, reading), reading)
	if err != nil {
		t.Fatal(err)
	}
	return &machine{w: w, c: c, parts: world.Time(parts), spent: map[*world.Event]bool{}, account: a}
}

// TestInterpreterKeepsItsWord lets rapid drive the worlds of the protocols.
func TestInterpreterKeepsItsWord(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(*rapid.T) *machine
	}{{"backoff", newBackoff}, {"ordering", newOrdering}} {
		t.Run(c.name, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { c.start(t).repeat(t) }) })
	}
}

func (m *machine) repeat(t *rapid.T) {
	t.Repeat(map[string]func(*rapid.T){
		"protocol": func(t *rapid.T) {
			for range 1 + m.c.Choose(4*len(m.w.System.Nodes)) {
				m.step(t, m.moves(func(k model.EventKind) bool { return !k.Adversarial() }))
			}
		},
		"deliver": func(t *rapid.T) { m.step(t, m.moves(func(k model.EventKind) bool { return k == model.Deliver })) },
		"adversary": func(t *rapid.T) {
			m.step(t, append(m.moves(model.EventKind.Adversarial), m.w.Forgeries()...))
		},
	})
}

func (m *machine) moves(keep func(model.EventKind) bool) []world.Move {
	var moves []world.Move
	for _, mv := range m.w.Moves() {
		if keep(mv.Kind) {
			moves = append(moves, mv)
		}
	}
	return moves
}

// step takes one of the moves at an instant of its window, if there is any.
func (m *machine) step(t *rapid.T, moves []world.Move) {
	if len(moves) == 0 {
		return
	}
	mv := moves[m.c.Choose(len(moves))]
	r, err := m.w.Step(mv, m.instant(mv), func(n int, _ string) int { return m.c.Choose(n) })
	if errors.As(err, new(world.ErrCut)) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range m.w.Violations {
		t.Fatalf("%s is violated: %s", v.Claim, v.Text)
	}
	m.checkTime(t, r)
	m.checkOnce(t, r)
	m.account.check(t, m, r)
}

func (m *machine) instant(mv world.Move) world.Time {
	if mv.Kind.Adversarial() {
		return m.w.Now
	}
	lo, hi, _ := m.w.Fires(mv.Event)
	hi = min(hi, lo+10*m.parts)
	return lo + world.Time(m.c.Choose(int(hi-lo)+1))
}

// Time never runs backwards, and an event fires within its window.
func (m *machine) checkTime(t *rapid.T, r world.Record) {
	if r.At < m.last || m.w.Now != r.At {
		t.Fatalf("a step at %d after one at %d; the world says it is %d", r.At, m.last, m.w.Now)
	}
	m.last = r.At
	e := r.Move.Event
	if e == nil || r.Move.Kind.Adversarial() {
		return
	}
	after := r.At - e.Born
	if after < world.Time(e.Window.Lo.At)*m.parts || e.Window.Hi.At != model.Forever && after > world.Time(e.Window.Hi.At)*m.parts {
		t.Fatalf("an event with window %v fires after %d/%d", e.Window, after, m.parts)
	}
}

// An event happens at most once; a message that is duplicated is there a second
// time as an event of its own.
func (m *machine) checkOnce(t *rapid.T, r world.Record) {
	if r.Move.Event == nil || r.Move.Kind == model.Duplicate {
		return
	}
	if m.spent[r.Move.Event] {
		t.Fatalf("%v happens twice: %+v", r.Move.Kind, *r.Move.Event)
	}
	m.spent[r.Move.Event] = true
}
