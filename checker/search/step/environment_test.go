package step

import (
	"slices"
	"strings"
	"testing"

	"contend/model"
)

// What the environment may do while a message is under way and a bell is set, beside what happens
// by itself; and what it may do when its budget is spent.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		role   model.Role
		faults model.Faults
		want   []string // states after one step, and after two where the first was a fault
	}{
		{"none", model.Peer, model.Faults{}, []string{"deliver: 5 [timeout bell]", "timeout: 1 [deliver 5]"}},
		{"loss", model.Peer, model.Faults{Loss: 1}, []string{"deliver: 5 [timeout bell]", "lose, timeout: 1 []", "lose: 0 [timeout bell]", "timeout: 1 [deliver 5]"}},
		{"duplication", model.Peer, model.Faults{Duplication: 1}, []string{"deliver: 5 [timeout bell]", "duplicate, deliver: 5 [deliver 5 timeout bell]",
			"duplicate, timeout: 1 [deliver 5 deliver 5]", "duplicate: 0 [deliver 5 deliver 5 timeout bell]", "timeout: 1 [deliver 5]"}},
		{"a crash for good", model.Peer, model.Faults{Crashes: 1}, []string{"crash: down []", "deliver: 5 [timeout bell]", "timeout: 1 [deliver 5]"}},
		{"a crash of a server", model.Server, model.Faults{Restarts: 1}, []string{"crash, deliver: down []", "crash, restart: 0 [deliver 5 deliver 5 timeout bell]",
			"crash: down [deliver 5]", "deliver: 5 [delivered 5 timeout bell]", "timeout: 1 [deliver 5]"}},
		{"crashes are of others", model.Server, model.Faults{Crashes: 1}, []string{"deliver: 5 [timeout bell]", "timeout: 1 [deliver 5]"}},
	} {
		s := system(c.role, model.Anytime(), node{
			begins: func(env model.Env) { env.Send(0, 5); env.After("bell", model.Anytime()) },
			hears:  func(n *node, _ model.Env, m any) { n.S += m.(int) },
			rings:  func(n *node, _ model.Env) { n.S++ },
		})
		s.Faults = c.faults
		w := working(t, s, untimed)
		var got []string
		for _, one := range taken(w, first(t, w)) {
			if got = append(got, one.move+": "+shown(w, one.v)); one.move != "deliver" && one.move != "timeout" {
				for _, two := range taken(w, one.v) {
					got = append(got, one.move+", "+two.move+": "+shown(w, two.v))
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

// taken are successors by the kind of their moves.
func taken(w *Worker, v []uint32) (all []successor) {
	for _, n := range next(w, v) {
		n.move, _, _ = strings.Cut(n.move, " ")
		all = append(all, n)
	}
	return all
}

// What was delivered to a server before it restarted may arrive once more, and need not.
func TestDeliveredOnceMore(t *testing.T) {
	s := system(model.Server, model.Anytime(), node{hears: func(n *node, _ model.Env, m any) { n.S += m.(int) }},
		node{begins: func(env model.Env) { env.Send(0, 5) }})
	s.Nodes[1].Role = model.Peer
	s.Faults.Restarts = 1
	w := working(t, s, untimed)
	v := first(t, w)
	for _, c := range []struct{ move, want string }{
		{"deliver", "5 0 [delivered 5]"}, {"crash", "down 0 [delivered 5]"}, {"restart", "0 0 [deliver once more 5]"}, {"deliver", "5 0 []"},
	} {
		all := taken(w, v)
		at := slices.IndexFunc(all, func(n successor) bool { return n.move == c.move })
		if at < 0 || shown(w, all[at].v) != c.want {
			t.Fatalf("%s: %d of %d, want %s", c.move, at, len(all), c.want)
		}
		v = all[at].v
	}
}

// A Start that leads beyond a cut is refused: there is no state before it.
func TestStartBeyondACut(t *testing.T) {
	s := system(model.Peer, model.Anytime(), node{}, node{})
	s.Nodes[1].New = func() model.Node { return &late{} }
	s.Cuts = []model.Cut{{Name: "late", Beyond: func(n model.Node) bool { l, is := n.(*late); return is && l.S > 0 }}}
	w := working(t, s, untimed)
	if how := FailureOf(func() { firsts(w) }); how != "fails: node p2: Start leads beyond a cut" {
		t.Errorf("it %q", how)
	}
}

// A late node is beyond the cut from the beginning on.
type late struct{ S int }

func (l *late) Start(model.Env) { l.S = 1 }
