package main

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"contend/program/sim"

	"github.com/hashicorp/memberlist"
)

// An entry is the library's entry for a node. Members does not return all its fields.
type entry struct {
	state       string // "" for unknown
	incarnation uint64
	meta        string
}

func (e entry) String() string {
	if e.state == "" {
		return "unknown"
	}
	return fmt.Sprintf("%s %d %s", e.state, e.incarnation, e.meta)
}

// states are the library's states, in its order. The library does not export them.
var states = []string{"alive", "suspect", "dead", "left"}

// show returns the list, and notes its changes. It is called when all goroutines wait, so no goroutine holds
// the locks of the list.
func (m *member) show() []byte {
	now := m.entries()
	if slices.Equal(now, m.told) {
		return m.shown
	}
	var b bytes.Buffer
	for i, p := range m.peers {
		var was entry
		if m.told != nil {
			was = m.told[i]
		}
		if now[i] != was {
			sim.Note(fmt.Sprint("lists ", p.name, " ", now[i]))
		}
		fmt.Fprintf(&b, "%s: %v\n", p.name, now[i])
	}
	m.told, m.shown = now, b.Bytes()
	return m.shown
}

// fields are the places of fields of the library's nodeState.
var fields struct{ nodes, name, state, incarnation, meta []int }

func init() {
	nodes := field(reflect.TypeFor[memberlist.Memberlist](), "nodes")
	of := nodes.Type.Elem().Elem()
	fields.nodes = nodes.Index
	fields.name, fields.state = field(of, "Name").Index, field(of, "State").Index
	fields.incarnation, fields.meta = field(of, "Incarnation").Index, field(of, "Meta").Index
}

func field(of reflect.Type, name string) reflect.StructField {
	f, is := of.FieldByName(name)
	if !is {
		panic(of.String() + " has no field " + name)
	}
	return f
}

// entries returns the library's entries for the peers.
func (m *member) entries() []entry {
	all := make([]entry, len(m.peers))
	if m.list == nil {
		return all
	}
	nodes := reflect.ValueOf(m.list).Elem().FieldByIndex(fields.nodes)
	for i := range nodes.Len() {
		n := nodes.Index(i).Elem()
		name := n.FieldByIndex(fields.name).String()
		at := slices.IndexFunc(m.peers, func(p node) bool { return p.name == name })
		all[at] = entry{states[n.FieldByIndex(fields.state).Int()], n.FieldByIndex(fields.incarnation).Uint(), string(n.FieldByIndex(fields.meta).Bytes())}
	}
	return all
}
