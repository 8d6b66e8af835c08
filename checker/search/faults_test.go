package search

import (
	"slices"
	"testing"

	"contend/model"
)

// Each fault happens at most as often as its budget says, to the channel's order.
func TestFaultsKeepToTheirBudget(t *testing.T) {
	for _, c := range []struct {
		name    string
		channel model.Channel
		faults  model.Faults
		size    size
		yes, no [][]int
	}{
		{"loss", model.FIFO, model.Faults{Loss: 1}, size{7, 7, 2}, [][]int{{1, 2}, {2}, {1}}, [][]int{{2, 1}, {1, 1}}},
		{"loss of both", model.FIFO, model.Faults{Loss: 2}, size{8, 9, 2}, [][]int{{1, 2}, {2}}, [][]int{{2, 1}}},
		{"duplication, bag", model.Bag, model.Faults{Duplication: 1}, size{23, 24, 4}, [][]int{{1, 2, 1}, {2, 2, 1}}, [][]int{{1, 1, 1}, {1, 1, 2, 2}}},
		{"duplication, FIFO", model.FIFO, model.Faults{Duplication: 1}, size{11, 11, 4}, [][]int{{1, 1, 2}, {1, 2, 2}}, [][]int{{2}, {1, 2, 1}, {1, 1, 1}}},
		{"two duplications", model.FIFO, model.Faults{Duplication: 2}, size{26, 35, 6}, [][]int{{1, 1, 2, 2}, {1, 1, 1, 2}}, [][]int{{1, 2, 1, 2}, {1, 1, 1, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explore(t, sends(c.channel, c.faults, 1, 2), Options{}, arrives())
			if r.size() != c.size {
				t.Errorf("%+v, want %+v", r.size(), c.size)
			}
			checkOrders(t, sends(c.channel, c.faults, 1, 2), c.yes, c.no)
		})
	}
}

// Of two messages one arrives when one may be lost, and none need when both may.
func TestLossIsWithinItsBudget(t *testing.T) {
	for loss, want := range map[int]verdict{0: holds, 1: holds, 2: refuted} {
		s := sends(model.Bag, model.Faults{Loss: loss}, 1, 1)
		if r := explore(t, s, Options{}, reach(model.Eventually, 1)); r.verdict(0) != want {
			t.Errorf("loss %d: %+v, want %+v", loss, r.verdict(0), want)
		}
	}
}

// A client crashes for good, as often as the budget says: its script ends there, and
// what is in flight to it matters no more.
func TestClientsCrashForGood(t *testing.T) {
	for crashes, most := range map[int]int{0: 0, 1: 1, 2: 2} {
		s := system(client("a", noting, "go"), client("b", noting, "go"), client("c", noting, "go"))
		s.Faults.Crashes = crashes
		for k := range 4 {
			r := explore(t, s, Options{}, when(func(h *history) bool { return h.Crashes == k }))
			if r.Claims[0].Reached != (k <= most) {
				t.Errorf("budget %d: %d crashes are reached: %v", crashes, k, r.Claims[0].Reached)
			}
		}
	}
	s := system(client("a", noting), client("b", scripted{start: func(_ *scripted, env model.Env) { env.Send(0, 1) }}))
	s.Faults.Crashes = 1
	r := explore(t, s, Options{}, when(func(h *history) bool { return h.Crashes == 1 && slices.Equal(h.After, []int{1}) }))
	if !r.Claims[0].Reached { // b crashed, a did not
		t.Error("a message does not outlive its sender")
	}
}

// starting is a server that notes 9 at each Start.
func starting(restarts int, numbers ...int) *model.System {
	s := sends(model.Bag, model.Faults{Restarts: restarts}, numbers...)
	up := noting
	up.start = func(n *scripted, env model.Env) { n.S++; env.Note(mark{8 + n.S}) }
	s.Nodes[0] = server("s", up)
	return s
}

// A server that restarts has forgotten everything, runs Start, and what it received
// before may reach it once more, but not twice.
func TestRestartForgetsAndReceivesOnceMore(t *testing.T) {
	for _, c := range []struct {
		name          string
		restarts      int
		before, after []int
		want          bool
	}{
		{"Start runs again, on the state as it was made", 1, []int{9}, []int{9}, true},
		{"memory is kept", 1, []int{9}, []int{10}, false},
		{"Start runs twice", 1, []int{9}, []int{9, 9}, false},
		{"Start runs at each restart", 2, []int{9}, []int{9, 9}, true},
		{"once more", 1, []int{9, 1}, []int{9, 1}, true},
		{"for the first time", 1, []int{9}, []int{9, 1}, true},
		{"twice more", 1, []int{9, 1}, []int{9, 1, 1}, false},
		{"for the first time, twice", 1, []int{9}, []int{9, 1, 1}, false},
		{"before Start", 1, []int{9, 1}, []int{1, 9}, false},
		{"once more after each restart", 2, []int{9, 1}, []int{9, 1, 9, 1}, true},
	} {
		goal := when(func(h *history) bool { return slices.Equal(h.Before, c.before) && slices.Equal(h.After, c.after) })
		if r := explore(t, starting(c.restarts, 1), Options{}, goal); r.Claims[0].Reached != c.want {
			t.Errorf("%s: before %v, after %v, with %d restarts: reached %v", c.name, c.before, c.after, c.restarts, r.Claims[0].Reached)
		}
	}
	r := explore(t, starting(1, 1), Options{}, when(func(h *history) bool { return h.Crashes > 1 }))
	if r.Claims[0].Reached || r.size() != (size{10, 9, 4}) {
		t.Errorf("a second crash is reached: %v; %+v", r.Claims[0].Reached, r.size())
	}
}

// What may arrive once more stands outside a FIFO channel: it holds nothing up, and
// its arrival moves nothing forward.
func TestSecondArrivalStandsOutsideTheQueue(t *testing.T) {
	s := sends(model.FIFO, model.Faults{Restarts: 1}, 1, 2, 3)
	after := func(want ...int) model.Claim {
		return when(func(h *history) bool { return slices.Equal(h.Before, []int{1}) && slices.Equal(h.After, want) })
	}
	for _, c := range []struct {
		after []int
		want  bool
	}{
		{[]int{2, 3}, true}, {[]int{2, 1, 3}, true}, {[]int{1, 2, 3}, true}, {[]int{2, 3, 1}, true},
		{[]int{3}, true}, {[]int{1, 3}, true}, // 2 arrived while the server was down, and is lost
		{[]int{3, 2}, false}, {[]int{1, 3, 2}, false}, {[]int{1, 1}, false},
	} {
		if r := explore(t, s, Options{}, after(c.after...)); r.Claims[0].Reached != c.want {
			t.Errorf("after 1 and a restart, %v: reached %v", c.after, r.Claims[0].Reached)
		}
	}
}

// What is sent to a new incarnation may overtake, on any channel, what the old one
// received already and the new one may receive once more.
func TestNewMessagesDoNotWaitForSecondArrivals(t *testing.T) {
	for _, channel := range []model.Channel{model.Bag, model.FIFO} {
		up := noting
		up.start = func(_ *scripted, env model.Env) { env.Send(1, 0) }
		s := system(server("s", up), client("c", scripted{
			receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) { n.S++; env.Send(0, n.S) },
		}))
		s.Network.Channel, s.Faults.Restarts = channel, 1
		r := explore(t, s, Options{}, when(func(h *history) bool {
			return slices.Equal(h.Before, []int{1}) && slices.Equal(h.After, []int{2})
		}))
		if !r.Claims[0].Reached {
			t.Errorf("%v: 2 does not arrive at the new incarnation before 1 comes again", channel)
		}
	}
}

// A server that is down and can come back has not stopped: what waits for it is not stuck.
func TestADownServerThatComesBack(t *testing.T) {
	s := system(client("c", scripted{
		invoke: func(n *scripted, env model.Env, _ any) { n.S = 1; env.Send(1, "go") },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			switch {
			case n.S == 1 && m == "up":
				env.Send(1, "go")
			case n.S == 1:
				n.S = 2
				env.Return(nil)
			}
		},
	}, "go"), server("s", scripted{
		start:   func(_ *scripted, env model.Env) { env.Send(0, "up") },
		receive: func(_ *scripted, env model.Env, from model.NodeID, _ any) { env.Send(from, "done") },
	}))
	s.Types = append(s.Types, "")
	s.Faults.Restarts = 1
	done := model.Claim{Name: "done", Kind: model.Always, Done: true}
	if got := explore(t, s, Options{}, done).verdict(0); got != holds {
		t.Errorf("%+v", got)
	}
	s.Faults, s.Nodes[0].Crash, s.Nodes[1].Crash = model.Faults{Crashes: 1}, model.NoCrashes, model.CrashStop
	if got := explore(t, s, Options{}, done).verdict(0); got != refuted {
		t.Errorf("without a restart: %+v", got)
	}
}
