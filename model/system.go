package model

import "fmt"

// A System is a protocol at one configuration, with its environment: what the
// checkers run. Build one afresh for each check; nothing in it changes during a
// run.
type System struct {
	// Config is the configuration the system was built from.
	Config Config
	// Nodes lists the nodes; a node's index is its [NodeID].
	Nodes []NodeSpec
	// Network says how long messages take and how channels keep them.
	Network Network
	// Returned is how long after Return the application sees the result.
	Returned Window
	// Detector is the failure detector; the zero value is none.
	Detector Detector
	// Faults is the environment's budget.
	Faults Faults
	// Forge is the alphabet of a Byzantine node: the messages that may arrive from
	// it at the receiver, whose state it may read but not change. It is a pure and
	// finite function; nil when the system has no Byzantine nodes.
	Forge func(receiver Node, to, from NodeID) []any
	// Cuts are the declared bounds on the search.
	Cuts []Cut
	// Types lists one value of every message, key, operation, result and label
	// type, and of every type held in an interface-valued field. A bool, an int, an int64, a
	// string and a [NodeID] need not be listed.
	Types []any
	// Renamed gives the names that types had in older traces, each with the name of a listed
	// type now, so that those traces still replay: "lock.Ask" and "lock.Request".
	Renamed map[string]string
	// Stable says that every run of the system is stable, or becomes so: what that
	// means, the protocol's paper says.
	Stable bool
	// StableFromStart says that every run of the system is stable from its start, though
	// some messages may take as long as they like. A system that is [System.Synchronous] is
	// so without saying it.
	StableFromStart bool
	// Drift is how far the clocks of nodes are from real time.
	Drift Drift
	// Opening, unless nil, says which observation ends the opening of a run, such as that a leader is elected. Sampled schedules
	// may share openings: several begin where one opening ends, which is run once.
	Opening func(o Observation) bool
	// Setup is the protocol's own configuration, shared by its nodes, for variants
	// to edit before the system runs.
	Setup any
}

// A NodeSpec says how a node is made and what its application asks of it.
type NodeSpec struct {
	Name string
	Role Role
	// New returns the node as it is before Start: a pointer to a struct.
	New func() Node
	// Script is what the application invokes, in order; empty for a server.
	Script []Op
	// Byzantine nodes run no code: what may arrive from them is [System.Forge].
	Byzantine bool
	// Crash says which crashes may strike the node: see [CrashModel].
	Crash CrashModel
}

// A Role says what a node is for, and which crashes may strike one that does not say
// so by its [CrashModel]: Client, Server or Peer. go doc contend/model.Client describes each.
type Role int

// Clients have an application, and servers none; a peer is both a client and a
// server, as in Ricart–Agrawala. By default clients and peers may crash for good,
// and servers crash and come back.
const (
	Client Role = iota
	Server
	Peer
)

func (r Role) String() string { return [...]string{"client", "server", "peer"}[r] }

// An Op is one operation of a script.
type Op struct {
	// Call is handed to Invoke.
	Call any
	// After is the time from the end of the previous operation, or from the start
	// of the run, to the invocation.
	After Window
	// Release, unless nil, is handed to Invoke when the application leaves the
	// critical section, Stay after it saw the operation return. Nothing returns
	// from a release.
	Release any
	Stay    Window
	// AtBoot makes the first operation of a script begin before anything else
	// happens, those of several nodes in the order of the nodes, so that a workload
	// may start with its operations under way. It stands in place of After.
	AtBoot bool
}

// A Channel says how messages in flight between two nodes are kept: Bag, FIFO or Set. go doc contend/model.Bag describes each.
type Channel int

// A Bag delivers in any order; FIFO in the order sent, a copy right behind its
// original, and what may come once more after a restart outside the order; a Set
// coalesces a message
// with an equal one in flight between the same two nodes, whose window stays.
const (
	Bag Channel = iota
	FIFO
	Set
)

func (c Channel) String() string { return [...]string{"bag", "fifo", "set"}[c] }

// A Network is the same for every pair of nodes unless Delays says otherwise.
type Network struct {
	Channel Channel
	// Once says that what has arrived at a node before it crashed does not arrive again when it
	// is back, as where messages travel over connections that do not outlive the node: see
	// [CrashModel].
	Once bool
	// Partition is how long a cut of the network lasts, from the cut to when it heals; the zero
	// window stands for [Anytime].
	Partition Window
	// Delay is the window of a delivery.
	Delay Window
	// Delays, unless nil, gives the window for one pair.
	Delays func(from, to NodeID) Window
	// Messages, unless nil, gives the window for one message, in place of Delays. It is
	// asked when the message is sent, and a bad window is the sender's [Misuse].
	Messages func(from, to NodeID, m any) Window
}

// Message is the firing window of one message between two nodes.
func (n Network) Message(from, to NodeID, m any) Window {
	if n.Messages != nil {
		return n.Messages(from, to, m)
	}
	return n.Window(from, to)
}

// Window is the firing window of messages between two nodes, but for those of which
// Messages says otherwise.
func (n Network) Window(from, to NodeID) Window {
	if n.Delays != nil {
		return n.Delays(from, to)
	}
	return n.Delay
}

// validate looks at the window of every pair of so many nodes, or at the one that
// they share.
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

// Synchronous reports whether every message between correct nodes is known to arrive
// within a finite time. Where [Network.Messages] gives each message a window of its own,
// nothing is known of those to come.
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

// Faults is a budget of environment moves for a whole run; the zero value is a
// run without faults. Each count is in [0, 255].
type Faults struct {
	Loss        int `json:"loss,omitempty"`        // messages that may be lost
	Duplication int `json:"duplication,omitempty"` // messages that may be delivered twice
	Crashes     int `json:"crashes,omitempty"`     // crashes for good: see [CrashModel]
	Restarts    int `json:"restarts,omitempty"`    // crashes from which a node comes back
	Suspicions  int `json:"suspicions,omitempty"`  // false ones of the failure detector
	Partitions  int `json:"partitions,omitempty"`  // cuts of the network in two, each of which heals
}

// A Cut is a declared bound: a node state beyond it is not entered, and the states
// from which it could have been are counted and printed.
type Cut struct {
	Name string
	// Beyond reports whether a node's state lies beyond the bound.
	Beyond func(n Node) bool
}

// Validate says in a sentence what is wrong with a system, or nil.
func (s *System) Validate() error { return s.validate(fewNodes) }

// validate is Validate with the largest number of nodes given.
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

// Validate says in a sentence which budget is out of range, or nil.
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

// AtBoot returns the nodes whose first operation is [Op.AtBoot], in order.
func (s *System) AtBoot() []NodeID {
	return s.IDs(func(n NodeSpec) bool { return len(n.Script) > 0 && n.Script[0].AtBoot })
}

// IDs returns the nodes for which keep is true, in order.
func (s *System) IDs(keep func(NodeSpec) bool) []NodeID {
	var ids []NodeID
	for i, n := range s.Nodes {
		if keep(n) {
			ids = append(ids, NodeID(i))
		}
	}
	return ids
}

// Name returns the name of a node, for people.
func (s *System) Name(id NodeID) string {
	if id < 0 || int(id) >= len(s.Nodes) {
		return fmt.Sprintf("node %d", id)
	}
	return s.Nodes[id].Name
}
