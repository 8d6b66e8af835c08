package member

import "contend/model/foreign"

// Matters panics: the option abstract requires v3.6.0.
func (p *Peer) Matters() []byte { panic("the option abstract is for v3.6.0") }

func (p *Peer) field(name string) int { return *foreign.Field[int](p, "Node.raft."+name) }
