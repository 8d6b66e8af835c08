// Package coverage counts which steps of a page the runs of logs took, and which they never took.
//
//   - coverage.go: the kinds of steps, and their numbers
//   - possible.go: the kinds of steps that the page can take
//   - file.go: numbers of earlier logs in a file
package coverage

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"contend/checker/conform"
	"contend/model"
	"contend/model/world"
)

// A Report has the kinds of steps of a page, with the number of steps that logs took.
type Report struct {
	Schema   int    `json:"schema"`
	Protocol string `json:"protocol"`
	Variant  string `json:"variant"`
	// Logs is the number of runs that were counted.
	Logs  int     `json:"logs"`
	Kinds []*Kind `json:"kinds"`
	// Unused has the types of the page's values that no step had: no step of a log and no random one.
	Unused []string `json:"unused"`

	nodes []string // the type of each node
	byKey map[string]*Kind
}

// A Kind is a kind of step: those of the nodes of a Go type that have the same cause, and show values of the same types.
type Kind struct {
	Node string `json:"node"`
	// Step is the cause, such as "receive Prepared", "alarm retry" or "crash".
	Step string `json:"step"`
	// Shows has what the step sends, notes and delivers, such as "send Commit", in the order of the alphabet.
	Shows []string `json:"shows"`
	// Taken is the number of steps of logs.
	Taken int `json:"taken"`
}

func (k *Kind) key() string { return k.Node + "\n" + k.Step + "\n" + strings.Join(k.Shows, "\n") }

// New returns a report without steps.
func New(p *model.Protocol, variant string, s *model.System) *Report {
	r := &Report{Schema: 1, Protocol: p.Name, Variant: variant, Kinds: []*Kind{}, Unused: []string{}, byKey: map[string]*Kind{}}
	for _, n := range s.Nodes {
		name := n.Name
		if n.New != nil {
			t := reflect.TypeOf(n.New())
			for t.Kind() == reflect.Pointer {
				t = t.Elem()
			}
			name = cmp.Or(t.Name(), name)
		}
		r.nodes = append(r.nodes, name)
	}
	return r
}

// Count counts a step of a log's run.
func (r *Report) Count(x world.Record, sent []conform.Sent) {
	if k := r.kind(x, sent); k != nil {
		k.Taken++
	}
}

// kind returns the kind of a step, and adds it if it is new. It returns nil for a step that is no node's: a partition, an
// alarm of a monitor, and the return of an operation, that only the application sees.
func (r *Report) kind(x world.Record, sent []conform.Sent) *Kind {
	step := ""
	switch x.Move.Kind {
	case model.Deliver:
		step = "receive"
	case model.Timeout:
		step = "alarm"
	case model.Invoke:
		step = "call"
	case model.Return, model.Expire, model.Partition, model.Heal:
		return nil
	default:
		step = x.Move.Kind.String()
	}
	if e := x.Move.Event; e != nil && e.Value != nil {
		step += " " + typeName(e.Value)
	}
	shows := map[string]bool{}
	for _, s := range sent {
		shows["send "+typeName(s.Value)] = true
	}
	for _, o := range x.Observations {
		switch {
		case o.Node != x.Node:
		case o.Kind == model.Noted:
			shows["note "+typeName(o.Value)] = true
		case o.Kind == model.Delivered:
			shows["deliver "+typeName(o.Value)] = true
		}
	}
	k := &Kind{Node: r.nodes[x.Node], Step: step, Shows: []string{}}
	for s := range shows {
		k.Shows = append(k.Shows, s)
	}
	slices.Sort(k.Shows)
	return r.add(k)
}

// add returns the kind of the report that equals a kind, which it adds if there is none.
func (r *Report) add(k *Kind) *Kind {
	if known := r.byKey[k.key()]; known != nil {
		return known
	}
	r.byKey[k.key()] = k
	r.Kinds = append(r.Kinds, k)
	return k
}

// sort orders the kinds by node and step, with the most frequent first.
func (r *Report) sort() {
	slices.SortFunc(r.Kinds, func(a, b *Kind) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Step, b.Step), b.Taken-a.Taken, cmp.Compare(a.key(), b.key()))
	})
}

// typeName returns the name of the type of a value without its package.
func typeName(v any) string {
	name := world.TypeName(v)
	return name[strings.LastIndex(name, ".")+1:]
}
