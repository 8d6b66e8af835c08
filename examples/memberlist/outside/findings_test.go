package outside

import (
	"testing"
	"time"

	"github.com/hashicorp/memberlist"
)

// order sends news of p2 to p1 in the given order. It reports whether p2 is a member then.
func order(t *testing.T, messages ...any) (is bool) {
	g := newGroup(t)
	at := g.place("p1")
	go swallow(g.place("p2"), nil)
	p1 := g.create("p1", at, nil)
	g.tell(2, messages...)
	return has(p1, "p2")
}

// A node that has been declared dead refutes it and leaves. A node that receives the notice of leaving before
// the refutation considers it alive for good.
func TestOldNewsRaises(t *testing.T) {
	first, accused := live("p2", 1, 3), dead{1, "p2", "p3"}
	refuted, leaves := live("p2", 2, 3), dead{2, "p2", "p2"}
	if order(t, first, accused, refuted, leaves) {
		t.Error("in the order in which all was sent, p2 is a member")
	}
	if !order(t, first, accused, leaves, refuted) {
		t.Error("the library has changed: the refutation of a node that has left does not raise it any more")
	}
}

// A node that has declared another node dead ignores its notice of leaving, and does not free its name for
// other addresses.
func TestDeadIsNotLeft(t *testing.T) {
	first, accused, leaves, elsewhere := live("p2", 1, 3), dead{1, "p2", "p3"}, dead{1, "p2", "p2"}, live("p2", 2, 4)
	if !order(t, first, leaves, accused, elsewhere) {
		t.Error("p2 has left, and comes up elsewhere, and is no member")
	}
	if order(t, first, accused, leaves, elsewhere) {
		t.Error("the library has changed: p2 was dead when it left, and its name is free")
	}
}

// A node leaves, restarts at another address, and leaves again. A node that receives the announcement of the
// restart after the second notice of leaving considers it alive for good. The library accepts any incarnation
// of a departed node from another address.
func TestMovedGhost(t *testing.T) {
	first, leaves, elsewhere := live("p2", 1, 3), dead{1, "p2", "p2"}, live("p2", 1, 4)
	if order(t, first, leaves, elsewhere, leaves) {
		t.Error("in the order in which all was sent, p2 is a member")
	}
	if !order(t, first, leaves, leaves, elsewhere) {
		t.Error("the library has changed: what was sent before p2 left does not raise it any more")
	}
}

// A node leaves and restarts at once. Its late notice of leaving is attributed to the new process. The new
// process does not learn of it, since nodes do not gossip to a node that has left.
func TestOwnLeaveKills(t *testing.T) {
	g := newGroup(t)
	first, second, gone := g.place("p1"), g.place("p2"), make(chan struct{})
	// Gossip is rarer than in other tests: gossip that has picked p2 before its departure would inform p2.
	seldom := func(c *memberlist.Config) { c.GossipInterval = 20 * time.Millisecond }
	p1 := g.create("p1", first, seldom)
	go swallow(second, gone)
	g.tell(2, live("p2", 1, 3))        // of the process that leaves
	time.Sleep(200 * time.Millisecond) // until p1 has sent its news to p2
	close(gone)
	p2 := g.create("p2", second, seldom)
	if _, err := p2.Join([]string{"p1/127.0.0.1:2"}); err != nil || !has(p1, "p2") || !has(p2, "p1") {
		t.Fatalf("p2 does not join: %v", err)
	}
	g.tell(2, dead{1, "p2", "p2"})
	time.Sleep(400 * time.Millisecond) // gossip, twenty times
	if has(p1, "p2") || !has(p2, "p1") {
		t.Error("the library has changed: p2 is a member again")
	}
	if _, err := p2.Join([]string{"p1/127.0.0.1:2"}); err != nil || !has(p1, "p2") {
		time.Sleep(100 * time.Millisecond) // until the refutation has arrived
		if !has(p1, "p2") {
			t.Errorf("p2 is no member though lists were exchanged: %v", err)
		}
	}
}

// A node that was declared dead restarts and joins a node that does not know of its death. The other nodes
// still consider it dead: its incarnation is old, and nobody informs it. (hashicorp/memberlist issue 311)
func TestUnknownDeadStaysDead(t *testing.T) {
	g := newGroup(t)
	first, third, second, down := g.place("p1"), g.place("p3"), g.place("p2"), make(chan struct{})
	p1 := g.create("p1", first, nil)
	go swallow(third, down)
	g.tell(2, live("p3", 1, 3), dead{1, "p3", "p1"})
	time.Sleep(100 * time.Millisecond) // until p1 has sent all its news to p3
	close(down)
	p2 := g.create("p2", second, nil)
	p3 := g.create("p3", third, nil)
	for _, join := range []struct {
		m  *memberlist.Memberlist
		to string
	}{{p2, "p1/127.0.0.1:2"}, {p3, "p2/127.0.0.1:4"}} {
		if _, err := join.m.Join([]string{join.to}); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(200 * time.Millisecond)
	if !has(p3, "p1") || !has(p2, "p3") {
		t.Fatal("p3 has not joined")
	}
	if has(p1, "p3") {
		t.Error("the library has changed: p3 is a member to p1")
	}
}
