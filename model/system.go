package model

import "fmt"

// A System is a protocol at one configuration, with its environment. Build a new one for each check. It does
// not change during a run.
type System struct {
	// Config is the configuration from which the system was built.
	Config Config
	// Nodes has the nodes, by [NodeID].
	Nodes []NodeSpec
	// Network has the delays and the channels.
	Network Network
	// Returned is the delay from Return until the application sees the result.
	Returned Window
	// Detector is the failure detector; zero means none.
	Detector Detector
	// Faults is the budget of the environment.
	Faults Faults
	// Forge returns the messages that may arrive at the receiver from a Byzantine node. It may read the
	// receiver's state but not change it. It must be a pure function with a finite result. It is nil if no node
	// is Byzantine.
	Forge func(receiver Node, to, from NodeID) []any
	// Cuts has the declared bounds of the search.
	Cuts []Cut
	// Types has one value of each type of a message, key, operation, result or label, and of each type in an
	// interface field. The types bool, int, int64, string and [NodeID] may be omitted.
	Types []any
	// Renamed maps former names of types to the present names of listed types, so that older traces still
	// replay: "lock.Ask" to "lock.Request".
	Renamed map[string]string
	// Stable reports that every run is stable or becomes stable, as defined in the protocol's paper.
	Stable bool
	// StableFromStart reports that every run is stable from its start, though some messages may take any time.
	// It need not be set if the system is [System.Synchronous].
	StableFromStart bool
	// Drift is the bound on the drift of the nodes' clocks.
	Drift Drift
	// Opening, unless nil, reports whether an observation ends the opening of a run, such as the election of a
	// leader. Sampled schedules may share an opening and execute it once.
	Opening func(o Observation) bool
	// Setup is the protocol's own configuration, shared by its nodes. Variants may edit it before the system
	// runs.
	Setup any
}

// A NodeSpec is the declaration of a node and its application.
type NodeSpec struct {
	Name string
	Role Role
	// New returns the node in its state before Start: a pointer to a struct.
	New func() Node
	// Script has the operations that the application invokes, in order; empty for a server.
	Script []Op
	// Byzantine nodes execute no code: see [System.Forge].
	Byzantine bool
	// Crash is the set of crashes that may happen to the node.
	Crash CrashModel
}

// A Role is the role of a node, with its default [CrashModel]: Client, Server or Peer. go doc
// contend/model.Client describes each.
type Role int

// Clients have an application and servers have none. A peer is both a client and a server, as in
// Ricart–Agrawala. By default, clients and peers may crash for good, and servers may crash and restart.
const (
	Client Role = iota
	Server
	Peer
)

func (r Role) String() string { return [...]string{"client", "server", "peer"}[r] }

// An Op is one operation of a script.
type Op struct {
	// Call is the argument of Invoke.
	Call any
	// After is the time to the invocation from the end of the previous operation, or from the start of the run.
	After Window
	// Release, unless nil, is the argument of Invoke when the application leaves the critical section. That is
	// the time Stay after it saw the operation return. A release returns nothing.
	Release any
	Stay    Window
	// AtBoot begins the first operation of a script before any other event. Several nodes begin in the order
	// of the nodes. So a run may start with operations in progress. After must be zero.
	AtBoot bool
}

// A Channel is the order in which messages between two nodes arrive: Bag, FIFO or Set. go doc contend/model.Bag
// describes each.
type Channel int

// A Bag delivers in any order. FIFO delivers in the order sent, a duplicate right after its original; a
// message that arrives again after a restart has no place in the order. A Set merges a message with an equal
// message in flight between the same nodes, and does not change its window.
const (
	Bag Channel = iota
	FIFO
	Set
)

func (c Channel) String() string { return [...]string{"bag", "fifo", "set"}[c] }

// A Network has the properties of all channels.
type Network struct {
	Channel Channel
	// Once reports that messages which arrived before a crash do not arrive again after the restart, as with
	// connections that end with the node: see [CrashModel].
	Once bool
	// Partition is the duration of a partition; the zero window means [Anytime].
	Partition Window
	// Delay is the window of a delivery.
	Delay Window
	// Delays, unless nil, returns the window for a pair of nodes, in place of Delay.
	Delays func(from, to NodeID) Window
	// Messages, unless nil, returns the window for a message, in place of Delays. Engines call it when the
	// message is sent. An invalid window is a [Misuse] of the sender.
	Messages func(from, to NodeID, m any) Window
}

// Message returns the window of a message between two nodes.
func (n Network) Message(from, to NodeID, m any) Window {
	if n.Messages != nil {
		return n.Messages(from, to, m)
	}
	return n.Window(from, to)
}

// Window returns the window of messages between two nodes, if Messages is nil.
func (n Network) Window(from, to NodeID) Window {
	if n.Delays != nil {
		return n.Delays(from, to)
	}
	return n.Delay
}

// validate returns an error if the window of some pair of nodes is invalid.
func (n Network) validate(nodes int) error {
	if n.Delays == nil {
		return n.Delay.Validate()
	}
	for i := range nodes {
		for j := range nodes {
			if err := n.Window(NodeID(i), NodeID(j)).Validate(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Synchronous reports whether every message between correct nodes arrives within a bounded time. It is false if
// [Network.Messages] is set, since the windows of later messages are not known.
func (s *System) Synchronous() bool {
	if s.Network.Messages != nil {
		return false
	}
	for i := range s.Nodes {
		for j := range s.Nodes {
			if s.Network.Window(NodeID(i), NodeID(j)).Hi.At == Forever {
				return false
			}
		}
	}
	return true
}

// Faults is a budget of environment moves for a run. The zero value is a run without faults. Each number is in
// [0, 255].
type Faults struct {
	Loss        int `json:"loss,omitempty"`        // messages that may be lost
	Duplication int `json:"duplication,omitempty"` // messages that may be delivered twice
	Crashes     int `json:"crashes,omitempty"`     // crashes for good: see [CrashModel]
	Restarts    int `json:"restarts,omitempty"`    // crashes with a restart
	Suspicions  int `json:"suspicions,omitempty"`  // false suspicions of the failure detector
	Partitions  int `json:"partitions,omitempty"`  // partitions of the network, each of which heals
}

// A Cut is a declared bound. A node state beyond it is not entered, and the states with such a step are counted
// and printed.
type Cut struct {
	Name string
	// Beyond reports whether a node's state is beyond the bound. It must be a pure function.
	Beyond func(n Node) bool
}

// Validate returns an error that names an invalid field of the system.
func (s *System) Validate() error { return s.validate(fewNodes) }

// validate is Validate with the given largest number of nodes.
func (s *System) validate(nodes int) error {
	if len(s.Nodes) == 0 || len(s.Nodes) > nodes {
		return fmt.Errorf("system: it has %d nodes, but needs 1 to %d", len(s.Nodes), nodes)
	}
	names := map[string]bool{}
	for i, n := range s.Nodes {
		if n.Name == "" || names[n.Name] {
			return fmt.Errorf("system: node %d needs a name of its own, not %q", i, n.Name)
		}
		if err := validName("a node", n.Name); err != nil {
			return fmt.Errorf("system: %w", err)
		}
		names[n.Name] = true
		if n.Byzantine && s.Forge == nil {
			return fmt.Errorf("system: node %s is Byzantine, but Forge is nil", n.Name)
		}
		if !n.Byzantine && n.New == nil {
			return fmt.Errorf("system: node %s has no New", n.Name)
		}
		if len(n.Script) > 0 && (n.Byzantine || n.Role == Server) {
			return fmt.Errorf("system: node %s has a script, but only clients and peers have an application", n.Name)
		}
		if n.Role < Client || n.Role > Peer {
			return fmt.Errorf("system: node %s: its Role is %d, but must be Client, Server or Peer", n.Name, n.Role)
		}
		if err := n.validateScript(); err != nil {
			return err
		}
	}
	for _, c := range s.Cuts {
		if err := validName("a cut", c.Name); err != nil {
			return fmt.Errorf("system: %w", err)
		}
		if c.Name == "" || c.Beyond == nil {
			return fmt.Errorf("system: cut %q needs a Name and a Beyond", c.Name)
		}
	}
	for _, v := range s.Types {
		if err := validName("a type", fmt.Sprintf("%T", v)); err != nil {
			return fmt.Errorf("system: %w", err)
		}
	}
	if err := s.Network.validate(len(s.Nodes)); err != nil {
		return fmt.Errorf("network: %w", err)
	}
	if err := s.Returned.Validate(); err != nil {
		return fmt.Errorf("returned: %w", err)
	}
	if err := s.Faults.Validate(); err != nil {
		return err
	}
	if err := s.validateDetector(); err != nil {
		return err
	}
	if err := s.validatePartitions(); err != nil {
		return err
	}
	return s.validateStrikes()
}

func (n NodeSpec) validateScript() error {
	for k, op := range n.Script {
		if op.AtBoot && (k > 0 || op.After != (Window{})) {
			return fmt.Errorf("script of %s, operation %d: only the first may be AtBoot, and then After is left out", n.Name, k+1)
		}
		if err := op.After.Validate(); err != nil {
			return fmt.Errorf("script of %s, operation %d: After: %w", n.Name, k+1, err)
		}
		if err := op.Stay.Validate(); err != nil {
			return fmt.Errorf("script of %s, operation %d: Stay: %w", n.Name, k+1, err)
		}
	}
	return nil
}

// Validate returns an error that names a budget out of range.
func (f Faults) Validate() error {
	for _, b := range []struct {
		name  string
		count int
	}{{"loss", f.Loss}, {"duplication", f.Duplication}, {"crashes", f.Crashes}, {"restarts", f.Restarts},
		{"suspicions", f.Suspicions}, {"partitions", f.Partitions}} {
		if b.count < 0 || b.count > 255 {
			return fmt.Errorf("faults: %s is %d, but must be 0 to 255", b.name, b.count)
		}
	}
	return nil
}

// AtBoot returns the nodes whose first operation has [Op.AtBoot], in order.
func (s *System) AtBoot() []NodeID {
	return s.IDs(func(n NodeSpec) bool { return len(n.Script) > 0 && n.Script[0].AtBoot })
}

// IDs returns the nodes for which keep returns true, in order.
func (s *System) IDs(keep func(NodeSpec) bool) []NodeID {
	var ids []NodeID
	for i, n := range s.Nodes {
		if keep(n) {
			ids = append(ids, NodeID(i))
		}
	}
	return ids
}

// Name returns the name of a node, or "node ID" if there is no such node.
func (s *System) Name(id NodeID) string {
	if id < 0 || int(id) >= len(s.Nodes) {
		return fmt.Sprintf("node %d", id)
	}
	return s.Nodes[id].Name
}
