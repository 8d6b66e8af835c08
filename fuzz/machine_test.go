package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"contend/checker"
	"contend/checker/rapidcheck"
	"contend/model"
	"contend/model/world"
)

// interpreter is an account of what the interpreter promises for every protocol, and of what
// one protocol does.
type interpreter struct {
	w     *world.World
	parts world.Time // of a tick
	timed bool
	last  world.Time
	spent map[*world.Event]bool // delivered or lost
	own   func(t *rapid.T, m *interpreter, r world.Record)
}

// TestInterpreterKeepsItsWord lets rapid drive the worlds of the protocols.
func TestInterpreterKeepsItsWord(t *testing.T) {
	for _, c := range []struct {
		name   string
		target checker.Target
		own    func(s *model.System) func(*rapid.T, *interpreter, world.Record)
	}{
		{"backoff", checker.Target{Protocol: backoffTarget.Protocol, Configure: fewBackoff}, newGrants},
		{"ordering", checker.Target{Protocol: orderingTarget.Protocol, Configure: fewOrdering}, newLogs},
		{"bully", checker.Target{Protocol: bullyTarget.Protocol, Configure: fewBully}, newElections},
		{"multicast-agreed", checker.Target{Protocol: multicastAgreedTarget.Protocol, Configure: fewMulticastAgreed}, newQueues},
		{"multicast-causal", checker.Target{Protocol: multicastCausalTarget.Protocol, Configure: fewCausal}, newPasts},
		{"multicast-view", checker.Target{Protocol: multicastViewTarget.Protocol, Configure: fewMulticastView}, newMemberships},
	} {
		t.Run(c.name, func(t *testing.T) {
			rapidcheck.Run(t, c.target, func(run *checker.Trial) rapidcheck.Account {
				m := &interpreter{w: run.World, parts: world.Time(run.Reading.Parts), timed: run.Reading.Timed,
					spent: map[*world.Event]bool{}, own: c.own(run.World.System)}
				return m.check
			})
		})
	}
}

func (m *interpreter) check(t *rapid.T, r world.Record) {
	if m.timed {
		m.checkTime(t, r)
	}
	m.checkOnce(t, r)
	m.own(t, m, r)
}

// Time never runs backwards, and an event fires within its window.
func (m *interpreter) checkTime(t *rapid.T, r world.Record) {
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
func (m *interpreter) checkOnce(t *rapid.T, r world.Record) {
	if r.Move.Event == nil || r.Move.Kind == model.Duplicate {
		return
	}
	if m.spent[r.Move.Event] {
		t.Fatalf("%v happens twice: %+v", r.Move.Kind, *r.Move.Event)
	}
	m.spent[r.Move.Event] = true
}
