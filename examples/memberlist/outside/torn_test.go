package outside

import (
	"bytes"
	"testing"
	"time"

	"github.com/hashicorp/go-msgpack/v2/codec"
	"github.com/hashicorp/memberlist"
)

// A gate is a delegate that is asked while the list is locked, and keeps it so until it is let go.
type gate chan struct{}

func (g gate) NotifyAlive(n *memberlist.Node) error {
	if n.Name == "p8" || n.Name == "p9" {
		<-g
	}
	return nil
}

// A list that leaves is told between the halves of Leave that it is suspected. It refutes that, which makes its leave
// an old one: it stays a member, nobody hears that it leaves, and Leave times out.
//
// So that the message comes there, the list is kept locked by an exchange of lists with two unknown nodes, while Leave
// waits for the lock, and then the message. That Leave waits in vain when the first of the two is done has the lock
// handed over in turn from then on (sync.Mutex: starvation mode).
func TestTornLeave(t *testing.T) {
	if stays, err := leave(t, false); err != nil || stays {
		t.Errorf("nobody suspects it: Leave returns %v; it is a member of its own list: %t", err, stays)
	}
	for range 10 { // the scheduler may have it otherwise
		if stays, err := leave(t, true); err != nil && stays {
			return
		}
	}
	t.Error("the library has changed: a suspicion that comes while it leaves does not keep it")
}

// leave has a list leave, and says whether it is a member of itself after that.
func leave(t *testing.T, suspected bool) (stays bool, err error) {
	g, locked := newGroup(t), make(gate)
	p1 := g.create("p1", g.place("p1"), func(c *memberlist.Config) { c.Alive = locked })
	go g.push("p8", "p9")
	time.Sleep(20 * time.Millisecond)
	left := make(chan error)
	go func() { left <- p1.Leave(200 * time.Millisecond) }()
	time.Sleep(20 * time.Millisecond)
	if suspected {
		g.tell(2, suspect{1, "p1", "p3"})
	}
	for range 2 {
		locked <- struct{}{}
		time.Sleep(20 * time.Millisecond)
	}
	err = <-left
	return has(p1, "p1"), err
}

// push has the hand exchange lists with p1, and say that nodes are alive.
func (g *group) push(names ...string) {
	type state struct {
		alive
		State int
		Name  string
	}
	text := bytes.NewBuffer([]byte{6})
	e := codec.NewEncoder(text, &codec.MsgpackHandle{})
	_ = e.Encode(struct{ Nodes int }{len(names)})
	for i, name := range names {
		_ = e.Encode(state{alive: live("", 1, uint16(10+i)), Name: name})
	}
	c, err := g.hand.DialTimeout("127.0.0.1:2", time.Second)
	if err != nil {
		g.Error(err)
		return
	}
	defer c.Close()
	go func() { _, _ = c.Write(text.Bytes()) }()
	_, _ = c.Read(make([]byte, 1<<16))
}
