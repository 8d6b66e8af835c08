package value_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"contend/model"
)

// A copy equals the value decoded from the bytes, including empty slices and maps. Changes of the original do
// not change the copy's bytes, and changes of the copy do not change the original's.
func TestCopiesAreDecodedValues(t *testing.T) {
	c := codec(t)
	rapid.Check(t, func(t *rapid.T) {
		v := drawAny(t, 2)
		b := c.Any(v, nil)
		got := c.Copy(v)
		if diff := cmp.Diff(c.DecodeAny(b), got); diff != "" {
			t.Fatalf("copied: %s", diff)
		}
		spoil(v)
		if !bytes.Equal(b, c.Any(got, nil)) {
			t.Fatalf("the copy has changed to %#v", got)
		}
		again := c.Copy(got)
		spoil(got)
		if !bytes.Equal(b, c.Any(again, nil)) {
			t.Fatalf("the copy of the copy has changed to %#v", again)
		}
	})
	for _, class := range alike {
		for _, v := range class.values {
			assert.Empty(t, cmp.Diff(c.DecodeAny(c.Any(v, nil)), c.Copy(v)), class.name)
		}
	}
}

// spoil changes everything in a value that can be changed in place.
func spoil(v any) {
	switch v := v.(type) {
	case []int:
		for i := range v {
			v[i]++
		}
	case map[any]int:
		for k := range v {
			v[k]++
		}
	case []any:
		for i := range v {
			spoil(v[i])
			v[i] = 7
		}
	case tree:
		v.spoil()
	}
}

func (v tree) spoil() {
	spoil(v.Any)
	for id, is := range v.ByID {
		v.ByID[id] = !is
	}
	for p := range v.ByPair {
		v.ByPair[p] += "!"
	}
	for i := range v.Kids {
		v.Kids[i].spoil()
		v.Kids[i].Leaf.Name += "!"
		v.Kids[i].Any = 7
	}
}

// The configuration of a copied node is shared, in nodes within nodes too.
func TestFreshKeepsTheConfiguration(t *testing.T) {
	c, n := codec(t), sample()
	got := c.Fresh(n).(*outer)
	assert.Same(t, n.peers, got.peers)
	assert.Equal(t, 3, got.Inner.quorum)
	want := c.DecodeNode(n, c.Node(n, nil))
	assert.Empty(t, cmp.Diff(want, got, cmp.AllowUnexported(outer{}, inner{})))
}

// An array needs a check if its elements are structs with fields that need a check.
type rows struct{ Rows [2]struct{ Of []int } }

func (*rows) Start(model.Env) {}

func TestFreshLooksIntoArrays(t *testing.T) {
	c, n := codec(t), &rows{}
	n.Rows[1].Of = []int{1}
	got := c.Fresh(n).(*rows)
	got.Rows[1].Of[0] = 2
	assert.Equal(t, 1, n.Rows[1].Of[0])
}
