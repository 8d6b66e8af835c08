package main

import (
	"fmt"
	"reflect"
	"strings"

	"contend/model/program/sim"
)

// states are the library's, which it does not export, in its order.
var states = []string{"alive", "suspect", "dead", "left"}

// show shows the list, and notes what has changed of it. It is called when all goroutines wait, and so nobody holds the locks of the list.
func (m *member) show() []byte {
	now := m.entries()
	if m.told == nil {
		m.told = map[string]string{}
	}
	var b strings.Builder
	for _, p := range m.peers {
		is := now[p.name]
		if is == "" {
			is = "unknown"
		}
		if was := m.told[p.name]; was != is && (was != "" || is != "unknown") {
			sim.Note("lists " + p.name + " " + is)
			m.told[p.name] = is
		}
		fmt.Fprintf(&b, "%s: %s\n", p.name, is)
	}
	return []byte(b.String())
}

// entries are what the library knows of each node: its state, incarnation and meta data. Members tells of those only that are alive or suspected.
func (m *member) entries() map[string]string {
	all := map[string]string{}
	if m.list == nil {
		return all
	}
	nodes := reflect.ValueOf(m.list).Elem().FieldByName("nodes")
	for i := range nodes.Len() {
		n := nodes.Index(i).Elem()
		all[n.FieldByName("Name").String()] = fmt.Sprintf("%s %d %s", states[n.FieldByName("State").Int()], n.FieldByName("Incarnation").Uint(), n.FieldByName("Meta").Bytes())
	}
	return all
}
