package membership

import (
	"fmt"

	"contend/examples/memberlist/inert"
	"contend/model"

	"github.com/hashicorp/memberlist"
)

// What a process's environment does to it. A Probe fails, of a node that the checker picks; a Sync begins an
// exchange of lists with one that it picks; Leave is the library's; a Reboot starts another process, which joins the
// group, after the End of this one or at its end; Reap forgets the dead.
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

// The alarms of a process: a suspicion has lasted its time, or would have but for being over before; a node that is down is probed again, lists are exchanged
// again, the second half of a torn Leave.
type (
	Suspicion struct{ Of model.NodeID }
	Late      struct{ Of model.NodeID }
	Again     struct{ Of model.NodeID }
	Pause     struct{}
	Leaving   struct{}
)

// What monitors are told.
type (
	// Failed is a probe that fails.
	Failed struct{ Of model.NodeID }
	// Left says that the process leaves, Ended that it has ended, and Rebooted that another has taken its place.
	Left     struct{}
	Ended    struct{}
	Rebooted struct{}
	// Told says that the process was told that another node, which it knows, is dead or has left, in an
	// incarnation that is newer than the one it has of the node after that.
	Told struct {
		Of          model.NodeID
		Incarnation int
	}
	// Accused says that the process was told not to be alive in an incarnation, not an earlier one than its
	// own, and in which it is after that.
	Accused struct{ Incarnation, Now int }
	// Over says what the process has of a node after the timer of a suspicion has gone off that was over, and had
	// before.
	Over struct {
		Of       model.NodeID
		From, To Sight
	}
	// Changed says what the process has of a node now, and had before.
	Changed struct {
		Of       model.NodeID
		From, To Sight
	}
)

// A Sight is what a process has of a node. The zero Sight is nothing.
type Sight struct {
	State       State
	Incarnation int
	Port        int
}

// A State is that of a node, as far as a process knows.
type State string

// The states, of which the first is that of a node which it does not know.
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

// packed is a message of gossip by its kind, to a node that may forget others or not.
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
