package inert

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/hashicorp/memberlist"
)

// The types that this package repeats are laid out as the library's, name by name. Those of functions' parameters
// are found in the methods that carry them.
func TestLayout(t *testing.T) {
	library := reflect.TypeFor[memberlist.Memberlist]()
	of := func(name string) reflect.Type {
		f, has := library.FieldByName(name)
		if !has {
			t.Fatalf("a Memberlist has no field %s", name)
		}
		return f.Type
	}
	for ours, theirs := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[[]*nodeState]():          of("nodes"),
		reflect.TypeFor[map[string]*nodeState](): of("nodeMap"),
		reflect.TypeFor[map[string]*suspicion](): of("nodeTimers"),
		reflect.TypeFor[*awareness]():            of("awareness"),
	} {
		if err := alike(ours, theirs); err != nil {
			t.Error(err)
		}
	}
}

// alike compares two types recursively. It stops at types with the same name in the same package.
func alike(ours, theirs reflect.Type) error {
	if ours == theirs {
		return nil
	}
	if ours.Kind() != theirs.Kind() {
		return fmt.Errorf("%v is a %v, %v a %v", ours, ours.Kind(), theirs, theirs.Kind())
	}
	switch ours.Kind() {
	case reflect.Map:
		if err := alike(ours.Key(), theirs.Key()); err != nil {
			return err
		}
		return alike(ours.Elem(), theirs.Elem())
	case reflect.Slice, reflect.Pointer:
		return alike(ours.Elem(), theirs.Elem())
	case reflect.Struct:
		if ours.NumField() != theirs.NumField() {
			return fmt.Errorf("%v has %d fields, %v %d", ours, ours.NumField(), theirs, theirs.NumField())
		}
		for i := range ours.NumField() {
			a, b := ours.Field(i), theirs.Field(i)
			if a.Name != b.Name || a.Offset != b.Offset || a.Anonymous != b.Anonymous {
				return fmt.Errorf("field %d of %v is %s at %d, of %v %s at %d", i, ours, a.Name, a.Offset, theirs, b.Name, b.Offset)
			}
			if err := alike(a.Type, b.Type); err != nil {
				return fmt.Errorf("%s: %w", a.Name, err)
			}
		}
		return nil
	}
	return fmt.Errorf("%v is not %v", ours, theirs)
}

// An inert list has all fields of a list that the library creates, except the fields for goroutines.
func TestInert(t *testing.T) {
	net := &memberlist.MockNetwork{}
	c := memberlist.DefaultLANConfig()
	c.Name, c.Transport, c.LogOutput = "p1", net.NewTransport("p1"), t.Output()
	created, err := memberlist.Create(c)
	if err != nil {
		t.Fatal(err)
	}
	defer created.Shutdown()
	inert := New("p1", 1, func(*memberlist.Config) {})
	missing := map[string]bool{
		"shutdownCh": true, "leaveBroadcast": true, "handoffCh": true, "highPriorityMsgQueue": true,
		"lowPriorityMsgQueue": true, "tickers": true, "stopTick": true, "ackHandlers": true,
	}
	for i := range fields.NumField() {
		f := fields.Field(i)
		is, was := reflect.ValueOf(inert.M).Elem().Field(i).IsZero(), reflect.ValueOf(created).Elem().Field(i).IsZero()
		if is != was && !missing[f.Name] && f.Name != "tickerLock" {
			t.Errorf("%s: set in an inert list: %t, in one that was created: %t", f.Name, !is, !was)
		}
	}
}

// The library handles messages as handleAlive, handleSuspect and handleDead do: a suspicion, its timer, the
// death, and the refutation.
func TestLinked(t *testing.T) {
	p1, p2 := New("p1", 1, edit), New("p2", 2, edit)
	p1.Answer(p2.Ask("p1", 1, true))
	p2.Hear("p1", 1, true, p1.Answer(p2.Ask("p1", 1, true)))
	p1.Forget()
	p1.Fail("p2")
	if is := p1.Sees()[1]; is != (Sight{"p2", 2, memberlist.StateSuspect, 1}) {
		t.Fatalf("after a probe that fails p1 has %v", is)
	}
	accusation := p1.Gossip()
	if len(accusation) != 1 || fmt.Sprint(Said(accusation[0].Text)) != "[p2 suspect 1]" {
		t.Fatalf("p1 gossips %v", accusation)
	}
	p1.Expire("p2")
	if is := p1.Sees()[1]; is != (Sight{"p2", 2, memberlist.StateDead, 1}) {
		t.Fatalf("after the timer p1 has %v", is)
	}
	p2.Forget()
	p2.Receive(accusation[0].Text)
	for _, p := range p2.Gossip() {
		p1.Receive(p.Text)
	}
	if is := p1.Sees()[1]; is != (Sight{"p2", 2, memberlist.StateAlive, 2}) {
		t.Fatalf("after the refutation p1 has %v", is)
	}
}

func edit(c *memberlist.Config) { c.ProbeInterval = time.Hour }
