package member

import (
	"math"
	"strings"

	"go.etcd.io/raft/v3"

	"contend/model"
	"contend/model/foreign"
)

func (c *Config) peer(id uint64, s *raft.MemoryStorage, left Budget) *Peer {
	p := &Peer{cfg: c, ID: id, Storage: s, Budget: left}
	p.boot()
	return p
}

// recovered returns a peer that recovers from a crash. It has the crashed peer's disk, and initial values for
// the rest of its state.
func (c *Config) recovered(crashed *Peer) *Peer {
	p := c.peer(crashed.ID, c.Survives(crashed), crashed.Budget)
	p.Known = crashed.Known
	c.Recovered(p)
	return p
}

// boot creates the library's node and the application from storage. The list is the snapshot's list. The
// library returns the committed entries after the snapshot again.
func (p *Peer) boot() {
	node, err := raft.NewRawNode(p.cfg.raft(p))
	check(err)
	p.Node = node
	p.pin()
	snap, err := p.Storage.Snapshot()
	check(err)
	p.Conf = snap.Metadata.ConfState
	p.App = App{Applied: snap.Metadata.Index, Values: values(snap.Data)}
}

func values(list []byte) []string {
	if len(list) == 0 {
		return nil
	}
	return strings.Split(string(list), ",")
}

// raft returns the library's configuration.
func (c *Config) raft(p *Peer) *raft.Config {
	o := c.Options
	is := &raft.Config{
		ID: p.ID, Storage: p.Storage, Logger: logger{},
		ElectionTick: max(o.ElectionTicks, 2), HeartbeatTick: 1,
		MaxSizePerMsg: math.MaxUint64, MaxInflightMsgs: 256,
		PreVote: o.PreVote, CheckQuorum: o.CheckQuorum, DisableProposalForwarding: o.NoForwarding,
		StepDownOnRemoval: o.StepDown, AsyncStorageWrites: o.Async,
	}
	if o.Lease {
		is.ReadOnlyOption = raft.ReadOnlyLeaseBased
	}
	if o.Inflight > 0 {
		is.MaxSizePerMsg, is.MaxInflightMsgs = 0, o.Inflight
		is.MaxCommittedSizePerReady = math.MaxUint64
	}
	return is
}

// pin sets the election time-out to a value that ticks do not reach. The library would draw it at random.
// Instead its expiry is a separate event that may occur at any time.
func (p *Peer) pin() { foreign.Set(p, "Node.raft.randomizedElectionTimeout", math.MaxInt32) }

// Start begins to count the time, and does the work that is due after a crash.
func (p *Peer) Start(env model.Env) {
	if p.Budget.Campaigns > 0 {
		env.After(Campaign{}, p.cfg.Options.TimingOut)
	}
	if p.Budget.Ticks > 0 {
		env.After(Tick{}, p.cfg.Options.Ticking)
	}
	p.introduce(env)
	p.regress(env)
	p.do(env, func() {})
}

// Timeout handles an election time-out, a tick, or the write of a thread.
func (p *Peer) Timeout(env model.Env, key any) {
	switch key.(type) {
	case Campaign:
		if p.Budget.Campaigns--; p.Budget.Campaigns > 0 {
			env.After(Campaign{}, p.cfg.Options.TimingOut)
		}
		p.do(env, func() { check(p.Node.Campaign()) })
	case Tick:
		if p.Budget.Ticks--; p.Budget.Ticks > 0 {
			env.After(Tick{}, p.cfg.Options.Ticking)
		}
		p.do(env, p.Node.Tick)
	case AppendThread:
		p.do(env, func() { p.appended(env) })
	case ApplyThread:
		p.do(env, func() { p.applied(env) })
	}
}

// do runs a function of the library, and then processes its Readys.
func (p *Peer) do(env model.Env, something func()) {
	p.cfg.Begins(p)
	was := p.look()
	something()
	p.pin()
	p.drain(env)
	p.pin()
	p.observe(env, was)
}
