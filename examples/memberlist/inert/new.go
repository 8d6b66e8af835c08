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

// A List is a list of members. Its exported fields are its whole state.
type List struct {
	M    *memberlist.Memberlist
	Wire *wire
	// Timers are the timers of suspicions. Late has the timers of suspicions that are over, since the library
	// does not stop them.
	Timers map[string]*suspicion
	Late   map[string][]*suspicion
}

var fields = reflect.TypeFor[memberlist.Memberlist]()

// ever is a time that is not over while a search lasts.
const ever = 100 * 365 * 24 * time.Hour

// New returns a list as newMemberlist and setAlive of the library create it, without goroutines and channels.
// The list contains its own node, at its own port, in incarnation 1. The configuration is the library's
// configuration for local networks, with the edits.
func New(name string, port int, edit func(*memberlist.Config)) *List {
	w := &wire{port: port}
	c := memberlist.DefaultLANConfig()
	c.Name, c.Transport, c.EnableCompression = name, w, false
	c.Logger = log.New(io.Discard, "", 0)
	// No timer fires by itself before it is stopped.
	c.ProbeInterval = 10 * time.Hour
	// Dead nodes receive gossip about their death, so that they may refute it.
	c.GossipToTheDeadTime = ever
	// Gossip goes to all, in one order or another.
	c.GossipNodes = 64
	// The awareness changes only the intervals of probes.
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
