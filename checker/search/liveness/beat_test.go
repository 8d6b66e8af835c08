package liveness

import "testing"

// Whatever takes the time of the edges beats meanwhile, and a panic of the beat ends it and changes nothing.
func TestBeats(t *testing.T) {
	const states = 3 * beatInterval
	g := New(true)
	for s := range uint32(states) { // one ring
		g.Edge(Edge{To: (s + 1) % states, Event: 1 + s%2})
		g.Close(nil, 0)
	}
	far := make([]bool, states)
	far[0] = true
	for name, decide := range map[string]func(){
		"possible":   func() { g.Possible(far) },
		"ends":       func() { g.Ends(far) },
		"fair round": func() { g.FairRound(make([]bool, states)) },
	} {
		beats := 0
		g.Beat.Call = func() { beats++ }
		decide()
		if beats < 2 {
			t.Errorf("%s: %d beats", name, beats)
		}
		g.Beat.Call = func() { panic("stop") }
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s goes on behind a beat that panics", name)
				}
			}()
			decide()
		}()
	}
	g.Beat.Call = nil
	if round, ok := g.FairRound(make([]bool, states)); !ok || len(round.Edges) != states {
		t.Errorf("the round has %d steps", len(round.Edges))
	}
}
