package outside

import (
	"bytes"
	"testing"
	"time"

	"github.com/hashicorp/go-msgpack/v2/codec"
	"github.com/hashicorp/memberlist"
)

// A gate is a delegate that the list calls while it is locked. It keeps the list locked until it is opened.
type gate chan struct{}

func (g gate) NotifyAlive(n *memberlist.Node) error {
	if n.Name == "p8" || n.Name == "p9" {
		<-g
	}
	return nil
}

// A list receives a suspicion of itself between the two halves of Leave. It refutes the suspicion, so that
// its notice of leaving is old. It stays a member, nobody learns that it leaves, and Leave times out.
//
// The message has to arrive between the two halves. An exchange of lists with two unknown nodes holds the
// list's lock. Meanwhile Leave waits for the lock, and then the message waits. Leave does not get the lock
// when the first exchange is done. From then on the lock is handed over in order (sync.Mutex: starvation
// mode).
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

// leave makes a list leave. It reports whether the list still has itself as a member.
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

// push makes the hand exchange lists with p1, with the given nodes alive.
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
