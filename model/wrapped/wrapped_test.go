package wrapped_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/wrapped"
)

// A held is an object of one run.
type held struct{ branched, released int }

func (h *held) Branch() any { return &held{branched: h.branched + 1} }
func (h *held) Release()    { h.released++ }

// A node wraps an object of its run.
type node struct {
	is      *held
	origin  wrapped.Origin
	escapes []string
	lone    bool
}

func (n *node) Receive(model.Env, model.NodeID, any) {}
func (n *node) Origin() wrapped.Origin               { return n.origin }
func (n *node) Escapes() []string                    { return n.escapes }
func (n *node) Lone() bool                           { return n.lone }

func (n *node) Alone(objects map[any]any) {
	if objects["object"] == nil {
		objects["object"] = &held{}
	}
	n.is = objects["object"].(*held)
}

func (n *node) Review(map[any]bool, func(int) bool) (is wrapped.Reviewed) { return is }

func system(nodes ...node) *model.System {
	s := &model.System{}
	for _, n := range nodes {
		s.Nodes = append(s.Nodes, model.NodeSpec{New: func() model.Node { own := n; return &own }})
	}
	return s
}

// The nodes of a run share its objects, a run that branches off has copies, and the objects of other runs are others.
func TestApart(t *testing.T) {
	s := system(node{}, node{})
	one, other := wrapped.Apart(s), wrapped.Apart(s)
	a, b, c := one.System.Nodes[0].New().(*node), one.System.Nodes[1].New().(*node), other.System.Nodes[0].New().(*node)
	assert.Same(t, a.is, b.is)
	assert.NotSame(t, a.is, c.is)
	assert.Nil(t, s.Nodes[0].New().(*node).is, "the system is as it was")

	branch := one.Branch()
	copied := branch.Node(a).(*node)
	assert.Equal(t, 1, copied.is.branched)
	assert.Same(t, b.is, a.is, "the node that it is a copy of stays")
	one.Release()
	assert.Equal(t, []int{1, 0}, []int{a.is.released, copied.is.released})
}

// What several nodes have in common is said once, and of liars nothing.
func TestOriginsAndEscapes(t *testing.T) {
	x, y := wrapped.Origin{Program: "x"}, wrapped.Origin{Program: "y"}
	s := system(node{origin: x, escapes: []string{"a clock"}}, node{origin: x, escapes: []string{"a file", "a clock"}}, node{}, node{origin: y, lone: true})
	s.Nodes[3].Byzantine = true
	assert.Equal(t, []wrapped.Origin{x}, wrapped.Origins(s))
	assert.Equal(t, []string{"a clock", "a file"}, wrapped.Escapes(s))
	assert.False(t, wrapped.HasLone(s))
	s.Nodes[3].Byzantine = false
	assert.Equal(t, []wrapped.Origin{x, y}, wrapped.Origins(s))
	assert.True(t, wrapped.HasLone(s))
}
