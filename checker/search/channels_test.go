package search

import (
	"slices"
	"testing"

	"contend/model"
)

// history is a goal over the order in which notes were made, before a crash of
// node 0 and after it.
type history struct {
	want    func(h *history) bool
	Before  []int
	After   []int
	Crashes int
}

func (h *history) Observe(_ model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Crashed:
		h.Crashes++
	case o.Kind != model.Noted:
	case h.Crashes > 0:
		h.After = append(h.After, o.Value.(mark).K)
	default:
		h.Before = append(h.Before, o.Value.(mark).K)
	}
}

func (h *history) Reached() bool { return h.want(h) }

// when is the claim that some run makes such a history.
func when(want func(h *history) bool) model.Claim {
	return model.Claim{Name: "history", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &history{want: want} }}
}

// arrives is the claim that notes are made in some run exactly so, none after a crash.
func arrives(order ...int) model.Claim {
	return when(func(h *history) bool { return h.Crashes == 0 && slices.Equal(h.Before, order) })
}

// noting notes each number that it receives.
var noting = scripted{receive: func(_ *scripted, env model.Env, _ model.NodeID, m any) { env.Note(mark{m.(int)}) }}

// sends is a server that notes what it receives and a client that sends it numbers.
func sends(channel model.Channel, f model.Faults, numbers ...int) *model.System {
	s := system(server("s", noting), client("c", scripted{start: func(_ *scripted, env model.Env) {
		for _, k := range numbers {
			env.Send(0, k)
		}
	}}))
	s.Network.Channel, s.Faults = channel, f
	return s
}

// A bag delivers in any order, FIFO in the order sent, and a set coalesces equal
// messages in flight. The counts are those of the orders in which numbers can arrive:
// of all prefixes of the permutations of 1, 2, 3; of one; of words over {1, 1, 2}; of
// words over {1, 2}.
func TestChannels(t *testing.T) {
	for _, c := range []struct {
		name    string
		channel model.Channel
		numbers []int
		size    size
		yes, no [][]int
	}{
		{"bag", model.Bag, []int{1, 2, 3}, size{16, 15, 3}, [][]int{{1, 2, 3}, {3, 2, 1}}, [][]int{{1, 1}}},
		{"FIFO", model.FIFO, []int{1, 2, 3}, size{4, 3, 3}, [][]int{{1, 2, 3}}, [][]int{{2}, {3}, {1, 3}}},
		{"FIFO, equal messages", model.FIFO, []int{1, 1, 2}, size{4, 3, 3}, [][]int{{1, 1, 2}}, [][]int{{2}, {1, 2}}},
		{"bag, equal messages", model.Bag, []int{1, 1, 2}, size{9, 8, 3}, [][]int{{1, 1, 2}, {2, 1, 1}}, [][]int{{2, 2}}},
		{"set", model.Set, []int{1, 1, 2}, size{5, 4, 2}, [][]int{{1, 2}, {2, 1}}, [][]int{{1, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explore(t, sends(c.channel, model.Faults{}, c.numbers...), Options{}, arrives())
			if r.size() != c.size {
				t.Errorf("%+v, want %+v", r.size(), c.size)
			}
			checkOrders(t, sends(c.channel, model.Faults{}, c.numbers...), c.yes, c.no)
		})
	}
}

func checkOrders(t *testing.T, s *model.System, yes, no [][]int) {
	t.Helper()
	for reachable, orders := range map[bool][][]int{true: yes, false: no} {
		for _, order := range orders {
			if r := explore(t, s, Options{}, arrives(order...)); r.Claims[0].Reached != reachable {
				t.Errorf("%v arrives: %v", order, r.Claims[0].Reached)
			}
		}
	}
}

// A set does not coalesce with what has arrived already, and a FIFO channel orders
// each pair of nodes apart.
func TestChannelsAreOfPairsInFlight(t *testing.T) {
	again := system(server("s", noting), client("c", scripted{
		start:   func(_ *scripted, env model.Env) { env.Send(0, 1); env.Send(1, 0) },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) { env.Send(0, 1) },
	}))
	again.Network.Channel = model.Set
	checkOrders(t, again, [][]int{{1, 1}}, [][]int{{1, 1, 1}})

	first := scripted{start: func(_ *scripted, env model.Env) { env.Send(0, 1); env.Send(0, 2) }}
	second := scripted{start: func(_ *scripted, env model.Env) { env.Send(0, 3) }}
	two := system(server("s", noting), client("a", first), client("b", second))
	two.Network.Channel = model.FIFO
	checkOrders(t, two, [][]int{{1, 2, 3}, {1, 3, 2}, {3, 1, 2}}, [][]int{{2}, {3, 2}})
}

// What may come once more after a restart is not what a set coalesces with: the same message,
// sent again, comes besides.
func TestSetsKeepApartWhatComesOnceMore(t *testing.T) {
	greeting := noting
	greeting.start = func(_ *scripted, env model.Env) { env.Send(1, "up") }
	s := system(server("s", greeting), client("c", scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
		if n.S++; n.S == 2 { // the server has restarted
			env.Send(0, 2)
		}
		env.Send(0, 1)
	}}))
	s.Network.Channel, s.Faults.Restarts = model.Set, 1
	twice := when(func(h *history) bool {
		return slices.Equal(h.Before, []int{1}) && slices.Equal(h.After, []int{2, 1, 1})
	})
	if r := explore(t, s, Options{}, twice); !r.Claims[0].Reached {
		t.Error("the message that is sent again does not come besides the one that comes once more")
	}
}
