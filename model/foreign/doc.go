// Package foreign searches Go code that was not written for a checker. An object of a library, such as the core
// of a replicated log, becomes a node of a [model.System] without any change to the library.
//
// # Glue
//
// Write a type with the handlers of a node. Its handlers pass each input to the library's object, and pass the
// object's output to Env. Its fields can have any type: pointers, maps of pointers, unexported state. An
// example is go.etcd.io/raft, with the library's own storage:
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
// A [Library] makes the object, restarts it after a crash, and selects the part of it that claims and traces
// show:
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
// Make the Library in the function that builds the system. Nodes share one Library if New makes the same object
// for all of them; otherwise each node needs its own. Claims read the view, node.(*foreign.Node[View]).View.
// Messages are plain values, as in any protocol. Encode a message that contains pointers as a value of a string
// type; traces show it by the String method of that type. Such nodes support search, sampling, fuzzing, replay
// and faults.
//
// # What a state is
//
// After each handler, the name of the object is a hash of a canonical dump of everything that it reaches.
// Objects with equal names are the same state. The dump contains no addresses. It numbers the targets of
// pointers and maps in the order in which it first meets them, so it records cycles and sharing. It visits the
// entries of a map in the order of their keys, and computes an order for keys that contain pointers. It records
// which slices and pointers share memory. A nil slice differs from an empty one. The View and the part that
// survives a crash belong to the name. The dump does not record
//
//   - the capacity of a slice beyond its length, unless other slices or pointers share the array, or
//     [Library.Capacities] lists it;
//   - the variables that a func has captured: a func is recorded by its name;
//   - the fields in [Library.Omit], and loggers (log, log/slog), sync.Pool and protobuf's
//     MessageState, which are always omitted.
//
// Fewer fields mean fewer states. Omit fields that cannot make a difference, or name the state by
// [Library.Snapshot]. Use [Set] to fix a value that the library chooses at random, such as a timeout.
//
// # How the search gets an object
//
// An object cannot be copied. So the search stores only names and, for each name, a few histories of inputs
// that lead to it, among them the shortest and the longest known. To run a handler in a state, it takes a
// cached object in this state. If there is none, it takes a cached object in an earlier state of the shortest
// history, or a new one, and replays the rest of the history. Each handler leaves an object in the next state,
// so few steps are replayed. The cache holds up to 64 MiB a library. [Library.Stats] counts replays.
//
// # How the search tests its assumption
//
// Two objects with the same name must react to every input in the same way. The search runs each handler that
// it uses twice, on objects of different histories if it has them, and compares each reaction with the one it
// remembers. After a complete search, [Node.Alone] makes whole runs on objects that are never merged, and
// [Node.Review] repeats each reaction on new objects of other histories; the output shows how many reactions
// were compared. If two reactions differ, the check is refused. The message shows both histories and the cause:
// the omitted field that makes the difference, or the field that is random, depends on a clock, or depends on
// the order of a map.
//
// A channel, a timer, a time that is not zero, and a goroutine that a handler leaves running are refused too.
// Drive the part of the library that works without them. A handler that panics violates [model.NoHandlerFails],
// as in any node.
//
// Symmetry reductions are not used with such nodes, because the search cannot see which node ids an object
// contains.
package foreign
