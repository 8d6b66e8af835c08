package member

import (
	"fmt"

	"go.etcd.io/raft/v3"

	"contend/model"
)

// A Part is a part of a Ready that is written at once.
type Part int

// The parts.
const (
	Snapshot Part = iota
	Entries
	HardState
	// Together is the snapshot and the hard state, written at once.
	Together
)

// Torn returns a handler that writes the parts of a Ready one after the other, in the given order. Power may
// fail once, between any two of them. The peer then recovers from the written parts, and has sent and applied
// nothing.
func Torn(order ...Part) Handler {
	return func(p *Peer, env model.Env, rd raft.Ready) {
		for _, part := range order {
			if p.write(part, rd) && p.Outages < 1 && env.Choose(2) == 1 && p.fails(env) {
				return
			}
		}
		p.Send(env, rd.Messages)
		p.Apply(env, rd)
		p.Node.Advance(rd)
	}
}

// fails models a power failure. The peer recovers from its written state, or the library panics on this
// state, and fails notes it. Then the peer continues as if the failure had not happened.
func (p *Peer) fails(env model.Env) (back bool) {
	p.Outages++
	defer func() {
		if why := recover(); why != nil {
			env.Note(Stranded{fmt.Sprint(why)})
		}
	}()
	p.boot()
	env.Note(Back{})
	return true
}

// write writes a part, and reports whether there was anything to write.
func (p *Peer) write(part Part, rd raft.Ready) bool {
	switch part {
	case Snapshot:
		if raft.IsEmptySnap(rd.Snapshot) {
			return false
		}
		check(p.Storage.ApplySnapshot(rd.Snapshot))
	case Entries:
		if len(rd.Entries) == 0 {
			return false
		}
		check(p.Storage.Append(rd.Entries))
	case Together:
		snap, hard := p.write(Snapshot, rd), p.write(HardState, rd)
		return snap || hard
	case HardState:
		if raft.IsEmptyHardState(rd.HardState) {
			return false
		}
		check(p.Storage.SetHardState(rd.HardState))
	}
	return true
}
