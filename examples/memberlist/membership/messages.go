package membership

import (
	"fmt"

	"contend/examples/memberlist/inert"
	"contend/model"

	"github.com/hashicorp/memberlist"
)

// The events of a process. A Probe of a node fails; the checker picks the node. A Sync begins an exchange of
// lists with a node that the checker picks. Leave is the library's. A Reboot starts another process on the
// node after the End of this process, or ends this process. The new process joins the group. Reap deletes
// dead nodes.
type (
	Probe  struct{}
	Sync   struct{}
	Leave  struct{}
	End    struct{}
	Reboot struct{ Moves int } // from its address to another
	Reap   struct{}
)

// The messages of gossip, each in the library's encoding, and the address to which it goes. Those to nodes that
// may forget others have types of their own: a search drops messages that can do nothing any more, by their types,
// and to a process that knows less an old message may be news.
type (
	Alive        packet
	Suspect      packet
	Dead         packet
	AliveToNew   packet
	SuspectToNew packet
	DeadToNew    packet
)

type packet struct {
	Port int
	Text string
}

// The sides of an exchange of lists, in the library's encoding.
type (
	Ask struct {
		Port, From int
		Life       int // of the process that asks
		Join       bool
		Text       string
	}
	Answer struct {
		Port, Life int
		Join       bool
		Text       string
	}
)

func (m Alive) String() string        { return said(m.Text) }
func (m Suspect) String() string      { return said(m.Text) }
func (m Dead) String() string         { return said(m.Text) }
func (m AliveToNew) String() string   { return said(m.Text) }
func (m SuspectToNew) String() string { return said(m.Text) }
func (m DeadToNew) String() string    { return said(m.Text) }

func (m Ask) String() string    { return fmt.Sprintf("Ask%v", inert.Exchanged(m.Text)) }
func (m Answer) String() string { return fmt.Sprintf("Answer%v", inert.Exchanged(m.Text)) }

func said(text string) string { return inert.Said(text)[0].String() }

// The alarms of a process: the timeout of a suspicion, even if the suspicion is over; another probe of a node
// that is down; another exchange of lists; the second half of a torn Leave.
type (
	Suspicion struct{ Of model.NodeID }
	Late      struct{ Of model.NodeID }
	Again     struct{ Of model.NodeID }
	Pause     struct{}
	Leaving   struct{}
)

// The notes to monitors.
type (
	// Failed is a probe that fails.
	Failed struct{ Of model.NodeID }
	// Left notes that the process leaves, Ended that it has ended, and Rebooted that another process has
	// replaced it.
	Left     struct{}
	Ended    struct{}
	Rebooted struct{}
	// Told notes that the process has received news that another node is dead or has left. The process has an
	// entry for this node. The incarnation of the news is newer than the incarnation of the entry after the
	// news.
	Told struct {
		Of          model.NodeID
		Incarnation int
	}
	// Accused notes that the process has received news of its own death. Incarnation is the incarnation of
	// the news, not earlier than the process's own. Now is the process's incarnation after the news.
	Accused struct{ Incarnation, Now int }
	// Over notes a process's entry for a node before and after the timer of a suspicion has fired. The
	// suspicion was already over.
	Over struct {
		Of       model.NodeID
		From, To Sight
	}
	// Changed notes a process's entry for a node, after and before a change.
	Changed struct {
		Of       model.NodeID
		From, To Sight
	}
)

// A Sight is a process's entry for a node. The zero Sight means that there is no entry.
type Sight struct {
	State       State
	Incarnation int
	Port        int
}

// A State is a node's state in a process's list.
type State string

// The states. The first is the state of an unknown node.
const (
	unknown State = ""
	alive   State = "alive"
	suspect State = "suspect"
	dead    State = "dead"
	left    State = "left"
)

func (s Sight) String() string {
	if s.State == unknown {
		return "unknown"
	}
	at := ""
	if s.Port >= moved {
		at = " at its new address"
	}
	return fmt.Sprintf("%s %d%s", s.State, s.Incarnation, at)
}

func gone(s State) bool { return s == dead || s == left || s == unknown }

func state(s memberlist.NodeStateType) State { return State(inert.Word(s)) }

// packed returns a gossip message of its kind. Its receiver may or may not forget nodes.
func packed(p inert.Packet, forgets bool) any {
	m := packet{p.To, p.Text}
	switch kind := inert.Kind(p.Text[0]); {
	case kind == inert.AliveKind && forgets:
		return AliveToNew(m)
	case kind == inert.AliveKind:
		return Alive(m)
	case kind == inert.SuspectKind && forgets:
		return SuspectToNew(m)
	case kind == inert.SuspectKind:
		return Suspect(m)
	case forgets:
		return DeadToNew(m)
	default:
		return Dead(m)
	}
}
