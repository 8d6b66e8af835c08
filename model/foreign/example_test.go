package foreign_test

import (
	"container/list"
	"fmt"
	"slices"

	"contend/checker"
	"contend/model"
	"contend/model/foreign"
)

// A desk grants a lock. Waiting nodes are in a list of the standard library with pointers and unexported
// fields.
type desk struct{ waits *list.List }

func (d *desk) Receive(env model.Env, from model.NodeID, m any) {
	if m == "release" {
		d.waits.Remove(d.waits.Front())
	} else {
		d.waits.PushFront(from) // it should be PushBack
	}
	if first := d.waits.Front(); first != nil {
		env.Send(first.Value.(model.NodeID), "granted")
	}
}

// A line is the view of a desk.
type line struct{ Waits []model.NodeID }

func (d *desk) line() (l line) {
	for e := d.waits.Front(); e != nil; e = e.Next() {
		l.Waits = append(l.Waits, e.Value.(model.NodeID))
	}
	return l
}

// A guest asks for the lock, and releases it when it is granted.
type guest struct{ Inside bool }

func (g *guest) Start(env model.Env) { env.Send(0, "ask") }

func (g *guest) Receive(env model.Env, _ model.NodeID, _ any) {
	g.Inside = true
	env.After("leave", model.Anytime())
}

func (g *guest) Timeout(env model.Env, _ any) {
	g.Inside = false
	env.Send(0, "release")
}

// The queue of a lock server is an object of the standard library, and the search finds the order
// in which two are granted the lock.
func ExampleLibrary() {
	locks := &model.Protocol{Name: "desk", Title: "a lock at a desk", Build: func(c model.Config) (*model.System, error) {
		lib := &foreign.Library[*desk, line]{New: func() *desk { return &desk{list.New()} }, View: (*desk).line}
		s := &model.System{Config: c, Types: []any{""}, Network: model.Network{Delay: model.Anytime()},
			Nodes: []model.NodeSpec{{Name: "desk", Role: model.Server, New: lib.Node}}}
		for _, name := range []string{"ann", "bob"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, New: func() model.Node { return &guest{} }})
		}
		return s, nil
	}, Claims: []model.Claim{{Name: "one at a time", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[1].(*guest).Inside && nodes[2].(*guest).Inside {
			waits := slices.Sorted(slices.Values(nodes[0].(*foreign.Node[line]).View.Waits)) // nodes are not changed
			return fmt.Errorf("both are inside, and %v in the line", waits)
		}
		return nil
	}}}}
	rows, err := checker.Check(locks, model.Check{}, checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	claim := rows[0].Claims[0]
	fmt.Println(claim.Name, claim.Verdict)
	fmt.Println(claim.Text)
	// Output:
	// one at a time violated
	// both are inside, and [1 2] in the line
}
