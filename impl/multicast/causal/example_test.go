package causal

import (
	"slices"
	"testing"

	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// A scene is a group whose messages wait until a step delivers them.
type scene struct {
	processes []*Process
	flight    []letter
	delivered [][]multicast.Message
}

type letter struct {
	from, to model.NodeID
	m        Data
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

func (s stage) Deliver(m any) {
	s.scene.delivered[s.self] = append(s.scene.delivered[s.self], m.(multicast.Message))
}

func (s stage) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		s.scene.flight = append(s.scene.flight, letter{s.self, id, m.(Data)})
	}
}

func newScene(n int) *scene {
	s := &scene{delivered: make([][]multicast.Message, n)}
	for range n {
		s.processes = append(s.processes, &Process{cfg: newConfig(model.Config{N: n})})
	}
	return s
}

// multicasts makes P_i multicast its next message. The lecture counts from 1.
func (s *scene) multicasts(i int) multicast.Message {
	p, self := s.processes[i-1], model.NodeID(i-1)
	m := multicast.Message{Sender: self, Number: p.VC[self] + 1}
	p.Invoke(stage{scene: s, self: self}, multicast.Numbered{Number: m.Number})
	return m
}

// hears delivers a message at P_j.
func (s *scene) hears(t *testing.T, j int, m multicast.Message) {
	t.Helper()
	at := slices.IndexFunc(s.flight, func(l letter) bool { return l.to == model.NodeID(j-1) && l.m.Message == m })
	if at < 0 {
		t.Fatalf("%v is not on its way to P%d", m, j)
	}
	l := s.flight[at]
	s.flight = slices.Delete(s.flight, at, at+1)
	s.processes[j-1].Receive(stage{scene: s, self: l.to}, l.from, l.m)
}

// has compares the deliveries of P_j.
func (s *scene) has(t *testing.T, j int, want ...multicast.Message) {
	t.Helper()
	if got := s.delivered[j-1]; !slices.Equal(got, want) {
		t.Errorf("P%d has delivered %v, want %v", j, got, want)
	}
}

// "C_1 and C_2 are FIFO related; C_1 and C_3 are causally related. All processes deliver C_1 before
// C_2 and C_1 before C_3." C_2 and C_3 are concurrent: P_3 may deliver either first.
func TestLectureExample(t *testing.T) {
	for _, c := range []struct {
		name       string
		c2BeforeC3 bool
	}{{name: "C3 is first"}, {name: "C2 is first", c2BeforeC3: true}} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(3)
			c1 := s.multicasts(1)
			c2 := s.multicasts(1)
			s.hears(t, 2, c1)
			c3 := s.multicasts(2)
			s.has(t, 2, c1, c3)
			if ts := s.flight[len(s.flight)-1].m.TS; !slices.Equal(entries(ts, 3), []int{1, 1, 0}) {
				t.Errorf("ts(C3) is %v", ts)
			}
			last := []multicast.Message{c3, c2}
			if c.c2BeforeC3 {
				last = []multicast.Message{c2, c3}
			}
			s.hears(t, 3, last[0])
			s.hears(t, 3, last[1])
			s.has(t, 3) // both wait for C1
			s.hears(t, 3, c1)
			s.has(t, 3, c1, last[0], last[1])
			s.hears(t, 1, c3)
			s.has(t, 1, c1, c2, c3)
			s.hears(t, 2, c2)
			s.has(t, 2, c1, c3, c2)
		})
	}
}

func entries(v clocks.Vector, n int) []int {
	var all []int
	for i := range n {
		all = append(all, v[model.NodeID(i)])
	}
	return all
}
