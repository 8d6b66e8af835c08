package member

import (
	"go.etcd.io/etcd/raft/v3"

	"contend/model"
)

// The library writes by itself in this release: the option async is not to be had.
type (
	// AppendThread names no alarm.
	AppendThread struct{}
	// ApplyThread names no alarm.
	ApplyThread struct{}
)

const noThreads = "AsyncStorageWrites came with v3.6.0"

// HandleAsync panics. It is never called.
func (p *Peer) HandleAsync(model.Env, raft.Ready) { panic(noThreads) }

func (p *Peer) busy(any) bool { return false }

func (p *Peer) appended(model.Env) { panic(noThreads) }

func (p *Peer) applied(model.Env) { panic(noThreads) }
