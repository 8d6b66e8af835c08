package inert

import (
	"io"
	"log"
	"reflect"
	"time"

	"contend/model"
	"contend/model/foreign"

	"github.com/hashicorp/memberlist"
)

// A List is a list of members. Its exported fields are all that it holds.
type List struct {
	M    *memberlist.Memberlist
	Wire *wire
	// Timers are those of suspicions, and Late those of suspicions that are over: the library does not stop them.
	Timers map[string]*suspicion
	Late   map[string][]*suspicion
}

var fields = reflect.TypeFor[memberlist.Memberlist]()

// ever is a time that is not over while a search lasts.
const ever = 100 * 365 * 24 * time.Hour

// New makes a list as newMemberlist and setAlive of the library do, but for goroutines and channels: it
// knows the node that has it, at a port of its own, in incarnation 1. The configuration is the library's for
// local networks, edited.
func New(name string, port int, edit func(*memberlist.Config)) *List {
	w := &wire{port: port}
	c := memberlist.DefaultLANConfig()
	c.Name, c.Transport, c.EnableCompression = name, w, false
	c.Logger = log.New(io.Discard, "", 0)
	// No timer fires by itself before it is stopped.
	c.ProbeInterval = 10 * time.Hour
	// Those that are dead are told of it, so that they may object.
	c.GossipToTheDeadTime = ever
	// Gossip goes to all, in one order or another.
	c.GossipNodes = 64
	// How well a node thinks itself to be changes the intervals of its probes, and nothing else.
	c.AwarenessMaxMultiplier = 1
	edit(c)
	l := &List{
		M: &memberlist.Memberlist{}, Wire: w,
		Timers: map[string]*suspicion{}, Late: map[string][]*suspicion{},
	}
	foreign.Set(l.M, "config", c)
	foreign.Set(l.M, "transport", memberlist.NodeAwareTransport(w))
	foreign.Set(l.M, "logger", c.Logger)
	*field[*awareness](l.M, "awareness") = newAwareness(c.AwarenessMaxMultiplier, nil)
	*field[map[string]*nodeState](l.M, "nodeMap") = map[string]*nodeState{}
	*field[map[string]*suspicion](l.M, "nodeTimers") = map[string]*suspicion{}
	foreign.Set(l.M, "broadcasts", &memberlist.TransmitLimitedQueue{
		RetransmitMult: c.RetransmitMult, NumNodes: func() int { return estNumNodes(l.M) },
	})
	err := setAlive(l.M)
	model.Assert(err == nil, "setAlive: %v", err)
	return l
}
