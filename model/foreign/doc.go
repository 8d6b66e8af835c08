// Package foreign lets Go code be searched that was not written for a checker: an object of a
// library, such as the core of a replicated log, becomes a node of a [model.System], unmodified.
//
// # Glue
//
// Write a type with the handlers of a node that hands everything to the library's object and hands
// out what comes of it. Its fields may be anything: pointers, maps of pointers, unexported state.
// With go.etcd.io/raft, on the library's own storage:
//
//	type peer struct {
//		Node    *raft.RawNode
//		Storage *raft.MemoryStorage
//	}
//
//	func (p *peer) Receive(env model.Env, _ model.NodeID, m any) {
//		_ = p.Node.Step(m.(Message).decode())
//		for p.Node.HasReady() {
//			rd := p.Node.Ready()
//			_ = p.Storage.Append(rd.Entries)
//			for _, m := range rd.Messages {
//				env.Send(model.NodeID(m.To-1), encode(m))
//			}
//			p.Node.Advance(rd)
//		}
//	}
//
// Then say how it is made, how it comes back after a crash, and what people and claims see of it:
//
//	lib := &foreign.Library[*peer, View]{
//		New:     func() *peer { return newPeer(raft.NewMemoryStorage()) },
//		Recover: func(crashed *peer) *peer { return newPeer(crashed.Storage) },
//		Stable:  func(p *peer) any { return p.Storage },
//		View:    func(p *peer) View { return View{Term: p.Node.BasicStatus().Term} },
//		Omit:    []string{"Node.raft.logger"},
//	}
//	... model.NodeSpec{Name: "p1", Role: model.Peer, New: lib.Node}
//
// Each node has a library of its own, unless New makes the same for several. It is made where the
// system is built. Claims read the view: node.(*foreign.Node[View]).View. Messages are plain values
// as ever: one with pointers travels as its encoding, in a string type with a String method, by
// which traces show it. All verbs work on such a node: search, sampling, fuzzing, replay, faults.
//
// # What a state is
//
// After each handler the object is named by a hash of a canonical dump of all that it reaches, and
// objects with equal names are one state. The dump knows no addresses: it numbers what pointers and
// maps lead to in the order in which it meets them, so that cycles and sharing are seen, goes
// through maps in the order of their keys, and finds an order for keys that hold pointers. It notes
// which memory two slices or pointers have in common. A nil slice is not an empty one. The View and
// what is stable are part of the name. What a dump does not see is
//
//   - how far a slice reaches beyond its length, unless its array is shared;
//   - what a func has captured: a func is its name;
//   - what [Library.Omit] leaves out, and loggers (log, log/slog), sync.Pool and protobuf's
//     MessageState, which are left out everywhere.
//
// Fewer fields make fewer states: leave out what cannot make a difference, or name the state by
// [Library.Snapshot]. What the library draws at random, such as a time-out, is pinned by [Set].
//
// # How an object is found
//
// An object cannot be copied. The search keeps names only, and with each a few histories of inputs that
// lead to it, the shortest and the longest known among them. A handler that is to run in a state takes an
// object that is in it, if one is at hand, and else one on the shortest way there, or a new one, which is
// driven through the rest of the history. Each run leaves an object in the state that it leads to, so that
// few steps are replayed. [Library.Stats] counts them. Objects at hand take up to 64 MiB a library.
//
// # Honesty
//
// Two objects of one name must react alike to all that comes. Every reaction that a search uses is
// computed twice, on objects of different histories where there are any, and compared with what is
// remembered. After a complete search [Node.Alone] has whole runs take place on objects that are never
// merged, and [Node.Review] repeats each reaction on new objects of other histories; the row says how
// many were compared. When two differ the check is refused, with both histories, and with the field that
// makes the difference if it was left out, or the one that is drawn at random, read off a clock or follows
// the order of a map. A channel, a timer, a time that is not zero, and a goroutine that a handler leaves
// behind are refused with what to do: drive the part of the library that works without them. A handler that
// panics breaks [model.NoHandlerFails], as any node's.
//
// Symmetry is not used with such nodes, for it cannot be seen which ids an object holds.
package foreign
