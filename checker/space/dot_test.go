package space_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"

	"contend/checker/search"
	"contend/checker/search/runs"
	"contend/checker/search/statespace"
	"contend/checker/space"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// drawn is the picture of a small search, and what a reader of DOT makes of it.
func drawn(t *testing.T, variant, claim string, faults model.Faults) (*search.Result, string, *ast.Graph) {
	t.Helper()
	p := ricartagrawala.Protocol
	s, err := p.System(variant, model.Config{N: 2, Faults: faults}.With(model.Ops.Is(1)))
	require.NoError(t, err)
	c, err := p.Claim(claim)
	require.NoError(t, err)
	r, err := search.Run(s, []model.Claim{c}, search.Options{Draw: true})
	require.NoError(t, err)
	var b bytes.Buffer
	picture := space.Picture{Title: []string{`a "title" \l`, "and more"}, Claims: []string{claim}, System: s, Space: r.Space}
	require.NoError(t, picture.DOT(&b))
	return r, b.String(), parsed(t, b.String())
}

func parsed(t *testing.T, text string) *ast.Graph {
	t.Helper()
	file, err := dot.ParseString(text)
	require.NoError(t, err)
	require.Len(t, file.Graphs, 1)
	require.True(t, file.Graphs[0].Directed)
	return file.Graphs[0]
}

// classes counts the nodes of each class, and the edges.
func classes(g *ast.Graph) (nodes map[string]int, edges int) {
	nodes = map[string]int{}
	for _, s := range g.Stmts {
		switch s := s.(type) {
		case *ast.NodeStmt:
			for _, a := range s.Attrs {
				if a.Key == "class" {
					for _, class := range strings.Fields(strings.Trim(a.Val, `"`)) {
						nodes[class]++
					}
				}
			}
		case *ast.EdgeStmt:
			edges++
		}
	}
	return nodes, edges
}

// Every state that the search counts is a node, and every step an edge.
func TestDOT(t *testing.T) {
	r, text, g := drawn(t, "", "mutual exclusion", model.Faults{Loss: 1})
	nodes, edges := classes(g)
	assert.EqualValues(t, r.States, nodes["state"])
	assert.EqualValues(t, r.Transitions, edges)
	assert.Equal(t, 1, nodes["initial"])
	assert.Positive(t, nodes["done"])
	assert.Zero(t, nodes["violating"]+nodes["unexpanded"])
	assert.Positive(t, nodes["stuck"], "a message that is lost is waited for")
	assert.Contains(t, text, `label="invoke p1 Acquire\l"`)
	assert.Contains(t, text, `+ p1→p2 Request{1}\l`)
	_, again, _ := drawn(t, "", "mutual exclusion", model.Faults{Loss: 1})
	assert.Equal(t, text, again)
}

// Where a claim breaks is marked.
func TestDOTOfViolation(t *testing.T) {
	_, text, g := drawn(t, "no-tie-break", "mutual exclusion", model.Faults{})
	nodes, _ := classes(g)
	assert.Positive(t, nodes["violating"])
	assert.Contains(t, text, `✗ mutual exclusion\l"`)
	r, _, g := drawn(t, "defer-on-tie", "deadlock freedom", model.Faults{})
	nodes, _ = classes(g)
	assert.Positive(t, nodes["stuck"])
	assert.Equal(t, r.Complete, nodes["unexpanded"] == 0)
}

// odd is a node whose state says what would end a string, a line or the graph.
type odd struct{ Says string }

func (*odd) Receive(model.Env, model.NodeID, any) {}

// Whatever a state, a name or a value says stays within its quotes, and a handler that fails leads to no
// state.
func TestDOTOfHostileTexts(t *testing.T) {
	hostile := "\"]; s0 -> s9 [label=\"\\\" \n}\\"
	states := []statespace.State{{From: -1, Nodes: []model.Node{&odd{}}, Expanded: true}, {From: 0, Nodes: []model.Node{&odd{hostile}}, Violates: []int{0}, Doomed: []int{0}, Cut: true}}
	p := space.Picture{Title: []string{hostile}, Claims: []string{hostile}, System: &model.System{Nodes: []model.NodeSpec{{Name: hostile}}},
		Space: &statespace.Space{States: states, Edges: []statespace.Edge{
			{From: 0, To: 1, Step: runs.Step{Kind: model.Deliver, Value: hostile}, Violates: []int{0}}, {From: 1, To: -1, Violates: []int{1}},
		}}}
	var b bytes.Buffer
	require.NoError(t, p.DOT(&b))
	nodes, edges := classes(parsed(t, b.String()))
	assert.Equal(t, map[string]int{"state": 2, "initial": 1, "violating": 1, "doomed": 1, "unexpanded": 1, "cut": 1, "failure": 1}, nodes)
	assert.Equal(t, 2, edges)
	assert.NotContains(t, b.String(), "s0 -> s9 [label=\"\\")
	assert.Contains(t, b.String(), model.NoHandlerFails)
}

// A state of many long fields is drawn in a box that one can look at.
func TestDOTIsBounded(t *testing.T) {
	long := make([]model.Node, 100)
	nodes := make([]model.NodeSpec, 100)
	for i := range long {
		long[i], nodes[i].Name = &odd{strings.Repeat("x", 10_000)}, fmt.Sprint("n", i)
	}
	p := space.Picture{Title: []string{"long"}, System: &model.System{Nodes: nodes}, Space: &statespace.Space{States: []statespace.State{{From: -1, Nodes: long}}}}
	var b bytes.Buffer
	require.NoError(t, p.DOT(&b))
	assert.Less(t, b.Len(), 20_000)
	parsed(t, b.String())
}
