package lin

import (
	"slices"
	"strconv"

	"contend/impl/clocks"
	"contend/model"
)

// livelock is the edit of the option led: the run of docs/proofs/lin.md#a-livelock. Responses arrive in an order that
// leaves fewer runs.
func livelock(s *model.System) {
	twice := []string{"4", "43", "413", "134", "1234", "234"}
	lead(s, []string{"3412", "3412", "3412", "3412"}, twice, twice, []string{"1", "14", "134", "34", "324"}, []string{"1", "14", "4", "43", "423"})
}

// lead restricts the runs. All processes request the section before any other event. Each process receives responses in
// the order of the digits in orders. The coordinators [follow] the states in through.
func lead(s *model.System, orders []string, through ...[]string) {
	cfg := s.Setup.(*Config)
	follow(s, through...)
	for p, order := range orders {
		client := &s.Nodes[len(through)+p]
		client.New = func() model.Node { return &ledClient{EditedClient{Client: Client{cfg: cfg}}, order} }
		client.Script = slices.Clone(client.Script)
		client.Script[0].AtBoot, client.Script[0].After = true, model.Window{}
	}
}

// slowReleases is the edit of the option slow-releases. Process p1 enters and leaves, and then p2. Then p3 asks while
// two Releases are in flight: from p1 to k2, and from p2 to k3. The three coordinators then vote for three processes.
func slowReleases(s *model.System) {
	follow(s, []string{"1", "12", "2", "3"}, []string{"1", "12", "13", "3"}, []string{"1", "12", "2", "23", "3"})
}

// follow restricts the runs by a cut: each coordinator passes through certain states. A state is a string of digits:
// the process with the coordinator's vote, and the processes in its queue.
func follow(s *model.System, through ...[]string) {
	cfg := s.Setup.(*Config)
	if n := len(through); len(cfg.Coordinators) != n || len(s.Nodes) != 2*n || cfg.Majority != n/2+1 {
		model.Misused("the variant is for n = %d coordinators, majority = %d and clients = %d", n, n/2+1, n)
	}
	for k := range through {
		s.Nodes[k].New = func() model.Node {
			return &ledCoordinator{EditedCoordinator{Coordinator: Coordinator{cfg: cfg}}, through[k]}
		}
	}
	s.Cuts = []model.Cut{{Name: "led", Beyond: func(n model.Node) bool { l, is := n.(led); return is && l.astray() }}}
}

// A led node reports whether its state is outside the selected runs.
type led interface{ astray() bool }

// A ledClient is a client of restricted runs. It may also run an edit of the text.
type ledClient struct {
	EditedClient
	order string
}

func (c *ledClient) astray() bool {
	heard := 0
	for _, k := range c.order {
		if _, known := c.Votes[model.NodeID(k-'1')]; !known {
			break
		}
		heard++
	}
	return heard < len(c.Votes)
}

// A ledCoordinator is a coordinator of restricted runs. It may also run an edit of the text.
type ledCoordinator struct {
	EditedCoordinator
	through []string
}

func (k *ledCoordinator) astray() bool { return k.strays(k.through) }

// strays reports whether a coordinator is in none of the states.
func (k *Coordinator) strays(through []string) bool {
	if !k.Vote.Known {
		return false
	}
	state := k.digit(k.Vote.Value)
	for _, r := range k.Queue {
		state += k.digit(r)
	}
	return !slices.Contains(through, state)
}

// digit returns the number of a process, from 1. In node ids, the processes follow the coordinators.
func (k *Coordinator) digit(r clocks.Stamp) string {
	return strconv.Itoa(int(r.ID) - len(k.cfg.Coordinators) + 1)
}
