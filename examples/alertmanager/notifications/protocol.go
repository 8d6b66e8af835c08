package notifications

import (
	_ "embed" // the traces of findings
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/foreign"

	"github.com/prometheus/alertmanager/nflog/nflogpb"
	"google.golang.org/protobuf/encoding/protodelim"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "notification-log",
	Title:  "the replicated notification log of Prometheus Alertmanager v0.33.1, its own code",
	Source: "github.com/prometheus/alertmanager/nflog",
	Params: []model.Parameter{Replicas, Notifications, model.Delay},
	Build:  build, Claims: claimed, Variants: variants, Checks: checks, Deep: deep,
	Findings: []model.Finding{
		{Name: "equal-time-stamps", Claim: agreement, Trace: agreementRefuted},
		{Name: "equal-time-stamps", Claim: logged, Trace: loggedRefuted},
	},
}

var (
	//go:embed findings/replicas-agree.json
	agreementRefuted []byte
	//go:embed findings/what-is-logged-is-known.json
	loggedRefuted []byte
)

// The sizes of a system.
var (
	Replicas      = model.N.WithMeaning("replicas").WithRange(2, 8).WithDefault(3)
	Notifications = model.Ops.WithMeaning("notifications that each of the first two replicas sends")
)

// The operations of a replica: it has sent a notification about a set of alerts, and it writes its
// log to its file.
type (
	Notified struct{ Alerts int }
	Maintain struct{}
)

// The messages contain entries in the library's own encoding. A Join asks for all entries of the receiver.
type (
	Gossip string
	Join   string
)

func (m Gossip) String() string { return "Gossip" + describe(string(m)) }

func (m Join) String() string { return "Join" + describe(string(m)) }

// An entry of the log: the reading of the clock of the replica that made it, and the set of alerts
// that the notification was about. The zero entry is none.
type entry struct{ At, Alerts int }

// The notes to monitors: a replica's Log has returned, and a replica's entry has changed.
type (
	Logged struct{ Entry entry }
	Knows  struct{ Entry entry }
)

// A Config is the configuration that all replicas of a system share.
type Config struct {
	Replicas []model.NodeID
	// Reading returns the time that a clock shows, given the time that it showed when it was last read.
	Reading func(env model.Env, last int) int
	// Gossips returns the replicas to which a replica sends its new entries.
	Gossips func(self model.NodeID) []model.NodeID
	// Join is called when a replica restarts. The replica sends the entries of its file to the others, and
	// they answer with all their entries.
	Join func(r *replica, env model.Env)
	// Merge merges received entries into a replica's log.
	Merge func(r *replica, entries []byte) error
}

func (c *Config) others(self model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(c.Replicas), func(id model.NodeID) bool { return id == self })
}

func build(c model.Config) (*model.System, error) {
	cfg := &Config{
		// Clocks are read at arbitrary times, and the clocks of two machines differ.
		Reading: func(env model.Env, last int) int { return last + env.Choose(3) },
		Join:    func(r *replica, env model.Env) { env.Broadcast(r.cfg.others(env.Self()), Join(r.File)) },
		Merge:   func(r *replica, entries []byte) error { return r.Log.Merge(entries) },
	}
	cfg.Gossips = cfg.others
	s := &model.System{
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Notified{}, Maintain{}, Gossip(""), Join(""), Logged{}, Knows{}},
		Setup:   cfg,
	}
	for i := range c.N {
		cfg.Replicas = append(cfg.Replicas, model.NodeID(i))
		s.Nodes = append(s.Nodes, spec(cfg, i, Notifications.Of(c)))
	}
	return s, nil
}

// spec returns a replica. The first two replicas send notifications, and write a file after the first
// notification.
func spec(cfg *Config, i, notifications int) model.NodeSpec {
	library := &foreign.Library[*replica, entry]{
		New:      func() *replica { return newReplica(cfg, nil, &clock{Reads: 1}) },
		Recover:  restart,
		Stable:   func(r *replica) any { return stable{r.File, r.Clock.Reads} },
		View:     view,
		Snapshot: snapshot,
	}
	n := model.NodeSpec{Name: fmt.Sprintf("am%d", i+1), Role: model.Peer, New: library.Node, Crash: model.CrashRecovery}
	for k := 0; i < 2 && k < notifications; k++ {
		n.Script = append(n.Script, model.Op{Call: Notified{10*(i+1) + k}, After: model.Anytime()})
		if k == 0 && notifications > 1 {
			n.Script = append(n.Script, model.Op{Call: Maintain{}, After: model.Anytime()})
		}
	}
	return n
}

// stable is the state of a replica that survives a crash: its file, and its clock's last reading, since
// clocks do not go back.
type stable struct {
	File  []byte
	Reads int
}

// describe returns encoded entries in a readable form.
func describe(encoded string) string {
	var all []entry
	for in := strings.NewReader(encoded); in.Len() > 0; {
		var e nflogpb.MeshEntry
		if err := protodelim.UnmarshalFrom(in, &e); err != nil {
			return fmt.Sprintf("(%v)", err)
		}
		all = append(all, asEntry(e.Entry))
	}
	return fmt.Sprintf("%v", all)
}
