package fuzz

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"contend/checker/sample"
	"contend/impl/backoff"
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
	config  model.Config
	parts   world.Time
	last    world.Time
	spent   map[*world.Event]bool         // delivered or lost
	granted map[model.NodeID]world.Time   // when each server last answered FREE
	entered map[model.NodeID][]world.Time // when each client's contends returned
}

func newMachine(t *rapid.T) *machine {
	c := draws{t}
	config := model.Config{N: 1 + c.Choose(3), Clients: 2, Ops: 1 + c.Choose(2), Tries: 2,
		Faults: model.Faults{Duplication: c.Choose(2), Crashes: c.Choose(2)}}
	if c.Choose(3) == 2 {
		config.N, config.B = 6, 1
	}
	s, err := backoff.Protocol.System("", config)
	if err != nil {
		t.Fatal(err)
	}
	parts := 1 + c.Choose(4)
	w, err := world.New(s, backoff.Protocol.Claims, world.Options{Timed: true, Parts: int64(parts)})
	if err != nil {
		t.Fatal(err)
	}
	return &machine{w: w, c: c, config: s.Config, parts: world.Time(parts), spent: map[*world.Event]bool{},
		granted: map[model.NodeID]world.Time{}, entered: map[model.NodeID][]world.Time{}}
}

// TestInterpreterKeepsItsWord lets rapid drive the world of the backoff protocol.
func TestInterpreterKeepsItsWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t)
		t.Repeat(map[string]func(*rapid.T){
			"protocol": func(t *rapid.T) {
				for range 1 + m.c.Choose(8) {
					m.step(t, m.moves(func(k model.EventKind) bool { return !k.Adversarial() }))
				}
			},
			"deliver": func(t *rapid.T) { m.step(t, m.moves(func(k model.EventKind) bool { return k == model.Deliver })) },
			"adversary": func(t *rapid.T) {
				m.step(t, append(m.moves(model.EventKind.Adversarial), m.w.Forgeries()...))
			},
		})
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
	m.checkGrants(t, r)
	m.checkEntries(t, r)
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

// A server grants exactly when more than Δ+2δ has passed since it last did.
func (m *machine) checkGrants(t *rapid.T, r world.Record) {
	server := r.Node
	since, granted := m.granted[server]
	free := !granted || r.At-since > world.Time(m.config.Section+2*m.config.Delay)*m.parts
	for _, o := range r.Observations {
		if _, grants := o.Value.(backoff.Granted); grants {
			if !free {
				t.Fatalf("server %d grants at %d, having granted at %d, with %d parts to a tick", server, r.At, since, m.parts)
			}
			m.granted[server] = r.At
		}
	}
	for _, e := range r.Sent { // a grant to a crashed client is noted, but not sent
		if answer, ok := e.Value.(backoff.Answer); ok && (answer.Status == backoff.Free) != free {
			t.Fatalf("server %d answers %v at %d, having granted (%v) at %d, with %d parts to a tick", server, answer.Status, r.At, granted, since, m.parts)
		}
	}
}

// Lemma 1, by its own account: contends of two clients do not return within Δ.
func (m *machine) checkEntries(t *rapid.T, r world.Record) {
	for _, o := range r.Observations {
		if o.Kind != model.Returned {
			continue
		}
		for client, times := range m.entered {
			for _, at := range times {
				if client != o.Node && r.At-at <= world.Time(m.config.Section)*m.parts {
					t.Fatalf("client %d returns at %d, client %d did at %d", o.Node, r.At, client, at)
				}
			}
		}
		m.entered[o.Node] = append(m.entered[o.Node], r.At)
	}
}
