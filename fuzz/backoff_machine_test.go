package fuzz

import (
	"pgregory.net/rapid"

	"contend/checker/sample"
	"contend/impl/backoff"
	"contend/model"
	"contend/model/world"
)

// grants is an account of when servers grant and clients enter.
type grants struct {
	config  model.Config
	granted map[model.NodeID]world.Time   // when each server last answered FREE
	entered map[model.NodeID][]world.Time // when each client's contends returned
}

// fewBackoff is a system small enough for rapid.
func fewBackoff(c sample.Choices) model.Check {
	config := model.Config{N: 1 + c.Choose(3)}.With(model.Clients.Is(2), model.Ops.Is(1+c.Choose(2)), backoff.Tries.Is(2))
	config.Faults = model.Faults{Duplication: c.Choose(2), Crashes: c.Choose(2)}
	if c.Choose(3) == 2 {
		config.N, config.B = 6, 1
	}
	return model.Check{Config: config}
}

func newGrants(s *model.System) func(*rapid.T, *interpreter, world.Record) {
	a := &grants{config: s.Config, granted: map[model.NodeID]world.Time{}, entered: map[model.NodeID][]world.Time{}}
	return a.check
}

// check looks at runs that keep time: of others there is nothing to be said.
func (a *grants) check(t *rapid.T, m *interpreter, r world.Record) {
	if m.timed {
		a.checkGrants(t, m, r)
		a.checkEntries(t, m, r)
	}
}

// A server grants exactly when more than Δ+2δ has passed since it last did.
func (a *grants) checkGrants(t *rapid.T, m *interpreter, r world.Record) {
	server := r.Node
	since, granted := a.granted[server]
	free := !granted || r.At-since > world.Time(backoff.Section.Of(a.config)+2*model.Delay.Of(a.config))*m.parts
	for _, o := range r.Observations {
		if _, grants := o.Value.(backoff.Granted); grants {
			if !free {
				t.Fatalf("server %d grants at %d, having granted at %d, with %d parts to a tick", server, r.At, since, m.parts)
			}
			a.granted[server] = r.At
		}
	}
	for _, e := range r.Sent { // a grant to a crashed client is noted, but not sent
		if answer, ok := e.Value.(backoff.Answer); ok && (answer.Status == backoff.Free) != free {
			t.Fatalf("server %d answers %v at %d, having granted (%v) at %d, with %d parts to a tick", server, answer.Status, r.At, granted, since, m.parts)
		}
	}
}

// Lemma 1, by its own account: contends of two clients do not return within Δ.
func (a *grants) checkEntries(t *rapid.T, m *interpreter, r world.Record) {
	for _, o := range r.Observations {
		if o.Kind != model.Returned {
			continue
		}
		for client, times := range a.entered {
			for _, at := range times {
				if client != o.Node && r.At-at <= world.Time(backoff.Section.Of(a.config))*m.parts {
					t.Fatalf("client %d returns at %d, client %d did at %d", o.Node, r.At, client, at)
				}
			}
		}
		a.entered[o.Node] = append(a.entered[o.Node], r.At)
	}
}
