package naimithiare

import (
	"fmt"
	"slices"
	"testing"

	"contend/impl/mutex"
	"contend/model"
)

// A scene is the example of the paper. It has four processes, and P_3 holds the token. Messages wait until a step
// delivers them.
type scene struct {
	nodes     []model.Node
	processes []*Process
	flight    []letter
}

type letter struct {
	from, to model.NodeID
	m        any
}

// stage is the environment of one process in a scene.
type stage struct {
	model.Env
	scene *scene
	self  model.NodeID
}

func (s stage) Self() model.NodeID { return s.self }
func (s stage) Return(any)         {}
func (s stage) Note(any)           {}

func (s stage) Send(to model.NodeID, m any) {
	s.scene.flight = append(s.scene.flight, letter{s.self, to, m})
}

func (s stage) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		s.Send(id, m)
	}
}

func newScene(variant string) *scene {
	system, _ := Protocol.System(variant, model.Config{N: 4})
	system.Setup.(*mutex.Peers).Holder = 2
	s := &scene{}
	for i, spec := range system.Nodes {
		s.nodes = append(s.nodes, spec.New())
		s.nodes[i].(model.Starter).Start(s.env(i + 1))
	}
	s.processes = processes(s.nodes)
	return s
}

// env returns the environment of P_i. The paper counts from 1.
func (s *scene) env(i int) stage { return stage{scene: s, self: model.NodeID(i - 1)} }

func (s *scene) asks(i int)   { s.nodes[i-1].(model.Invoker).Invoke(s.env(i), mutex.Acquire{}) }
func (s *scene) leaves(i int) { s.nodes[i-1].(model.Invoker).Invoke(s.env(i), mutex.Release{}) }

// hears delivers the only message from P_i to P_j.
func (s *scene) hears(t *testing.T, j, i int) {
	t.Helper()
	at := slices.IndexFunc(s.flight, func(l letter) bool { return l.from == model.NodeID(i-1) && l.to == model.NodeID(j-1) })
	if at < 0 {
		t.Fatalf("nothing is on its way from P%d to P%d", i, j)
	}
	l := s.flight[at]
	s.flight = slices.Delete(s.flight, at, at+1)
	s.nodes[j-1].(model.Receiver).Receive(s.env(j), l.from, l.m)
}

// says compares a state with the state in the paper.
func says(t *testing.T, when string, is, printed any) {
	t.Helper()
	if fmt.Sprint(is) != fmt.Sprint(printed) {
		t.Errorf("%s: %v, and the paper prints %v", when, is, printed)
	}
}

// queue returns Q_i in the notation of the paper.
func queue(p *Process) (q [][2]int) {
	for _, c := range p.Q {
		q = append(q, [2]int{int(c.J) + 1, c.H})
	}
	return q
}

// untilT9 runs the example until the token is in flight to P_1.
func untilT9(t *testing.T, s *scene) {
	p := s.processes
	s.asks(3) // T0
	says(t, "T0, messages", len(s.flight), 0)
	says(t, "T0, P3 is inside", p[2].InCS, true)
	s.asks(1) // T1
	says(t, "T1, Q1", queue(p[0]), [][2]int{})
	s.hears(t, 2, 1) // T2
	s.hears(t, 4, 1) // T3
	says(t, "T3, R1", p[0].R, []int{1, 0, 0, 0})
	says(t, "T3, R2", p[1].R, []int{1, 1, 0, 0})
	says(t, "T3, R4", p[3].R, []int{1, 0, 0, 1})
	s.asks(4) // T4
	says(t, "T4, R4[4], not printed", p[3].R[3], 2)
	s.asks(2)        // T5
	s.hears(t, 3, 2) // T6
	says(t, "T6, Q3, printed Q4", queue(p[2]), [][2]int{{1, 1}, {2, 2}})
	s.hears(t, 1, 4) // T7
	says(t, "T7, Q1", queue(p[0]), [][2]int{{4, 2}})
	s.leaves(3) // T8
	says(t, "T8, Q3", queue(p[2]), [][2]int{})
	s.hears(t, 1, 2) // T9
	says(t, "T9, Q1", queue(p[0]), [][2]int{{4, 2}, {2, 2}})
}

// The states T0 to T9 of the example follow from the rules. At T10 the paper prints the state of another reading, with
// Q_1 before the queue of the token. That reading violates its theorem. With the queue of the token first, P_2 is next,
// not P_4.
func TestExample(t *testing.T) {
	for _, c := range []struct {
		name, variant string
		q1            [][2]int
		next          model.NodeID
	}{
		{"token first", "", [][2]int{{2, 2}, {4, 2}}, 1},
		{"local first, as printed", "local-first", [][2]int{{4, 2}, {2, 2}}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(c.variant)
			untilT9(t, s)
			s.hears(t, 1, 3) // T10
			says(t, "T10, Q1", queue(s.processes[0]), c.q1)
			s.leaves(1)
			if to := s.flight[len(s.flight)-1].to; to != c.next {
				t.Errorf("the token goes to P%d, not P%d", to+1, c.next+1)
			}
		})
	}
}

// Lemma 1 is already false in the example. At T4, P_4 asks with timestamp 2, and T[4] is 0. Before T4 it is true of all
// processes.
func TestExampleAgainstLemma1(t *testing.T) {
	s := newScene("")
	s.asks(3)
	s.asks(1)
	s.hears(t, 2, 1)
	s.hears(t, 4, 1) // T3
	for i, p := range s.processes {
		if err := lemma1(i, p); err != nil {
			t.Errorf("T3, P%d: %v", i+1, err)
		}
	}
	s.asks(4) // T4
	if err := lemma1(3, s.processes[3]); err == nil {
		t.Error("T4: R_4[4] ≤ T[4]+1")
	}
}

// At T7, P_1 drops its own request, which all processes have received: "for all k". At T6, P_3 has that request in its
// queue. From then on all processes have received it. By the same test P_3 would drop it, and P_1 would wait forever.
func TestExampleOfObsolete(t *testing.T) {
	s := newScene("")
	untilT9(t, s)
	for i, p := range s.processes {
		if p.R[0] < 1 {
			t.Errorf("P%d has not received (1, 1)", i+1)
		}
	}
	if !s.processes[0].Waiting {
		t.Error("P1 has been granted")
	}
}

// Without the last line of rule 2, timestamps differ from the example.
func TestExampleOfCounters(t *testing.T) {
	s := newScene("counters")
	s.asks(1)
	s.hears(t, 4, 1)
	s.asks(4)
	says(t, "T4", s.flight[len(s.flight)-1].m, REQ{[]Couple{{0, 1}, {3, 1}}})
}
