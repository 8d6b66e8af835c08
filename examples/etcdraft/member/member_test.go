package member

import (
	"testing"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"contend/model"
)

// group returns a configuration of n peers.
func group(n int) *Config {
	c := &Config{N: n, Led: true, Budgets: func(uint64) Budget { return Budget{} }}
	c.Plain()
	for i := range n {
		c.Voters = append(c.Voters, uint64(i+1))
	}
	return c
}

// At the beginning the first peer leads, and all have applied its entry.
func TestOpening(t *testing.T) {
	for _, async := range []bool{false, true} {
		c := group(3)
		if c.Options.Async = async; async {
			c.Handle = (*Peer).HandleAsync
		}
		for id := range uint64(3) {
			p := c.first(id + 1)
			s := p.Node.BasicStatus()
			if s.Lead != 1 || s.Term != 2 || s.Commit != 2 || p.App.Applied != 2 || p.Node.HasReady() {
				t.Errorf("async %v, p%d: %+v, applied %d", async, id+1, s, p.App.Applied)
			}
		}
	}
}

// A peer recovers with the content of storage only.
func TestRecovery(t *testing.T) {
	p := group(3).first(2)
	p.Conf.Learners = []uint64{7}
	back := p.cfg.recovered(p)
	if got, want := back.Node.BasicStatus().HardState, p.Node.BasicStatus().HardState; got != want {
		t.Errorf("it comes back with %v, not %v", got, want)
	}
	if back.App.Applied != 1 || back.Conf.Learners != nil || back.Node.BasicStatus().RaftState != raft.StateFollower {
		t.Errorf("it comes back with %+v, %v", back.App, back.Conf)
	}
}

// Messages come out as they went in, and print as the library describes them.
func TestMessages(t *testing.T) {
	for kind := range raftpb.MessageType_name {
		m := raftpb.Message{Type: raftpb.MessageType(kind), From: 1, To: 2, Term: 3, Entries: []raftpb.Entry{{Index: 4, Data: []byte("x")}}}
		travels := encode(m)
		if got := raft.DescribeMessage(decode(travels), nil); got != raft.DescribeMessage(m, nil) {
			t.Errorf("%v comes out as %s", m.Type, got)
		}
	}
	if got := (MsgVote{"\xff"}).String(); got != "no message: unexpected EOF" {
		t.Errorf("bytes that are none: %s", got)
	}
}

// Matters returns the same name after a peer is created again, and another name if an entry differs.
func TestMatters(t *testing.T) {
	a, b := group(3).first(1), group(3).first(1)
	if string(a.Matters()) != string(b.Matters()) {
		t.Error("two peers made alike differ")
	}
	a.do(quiet{g: &opening{}}, func() { check(a.Node.Propose([]byte("x"))) })
	if string(a.Matters()) == string(b.Matters()) {
		t.Error("a proposal makes no difference")
	}
	read := group(3).first(1)
	read.do(quiet{g: &opening{}}, func() { read.ReadIndex("r") })
	if string(read.Matters()) == string(b.Matters()) {
		t.Error("a read that waits makes no difference")
	}
}

var _ model.Env = quiet{}
