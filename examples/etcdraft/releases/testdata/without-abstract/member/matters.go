package member

import "contend/model/foreign"

// Matters is written for v3.6.0: the option abstract is not to be had here.
func (p *Peer) Matters() []byte { panic("the option abstract is for v3.6.0") }

func (p *Peer) field(name string) int { return *foreign.Field[int](p, "Node.raft."+name) }
