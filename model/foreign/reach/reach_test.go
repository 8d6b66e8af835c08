package reach

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type (
	inner struct{ a, b int }
	outer struct {
		first int
		at    *inner
		to    **inner
		any   any
		embed
		list  []inner
		named map[string]inner
		table [2]map[int][1]int
		rows  map[string][]inner
	}
	embed struct{ deep int }
)

// Paths are split at dots and before brackets, but not within them.
func TestSteps(t *testing.T) {
	for path, want := range map[string][]string{
		"":             nil,
		"a":            {"a"},
		"a.b":          {"a", "b"},
		"a[1].b":       {"a", "[1]", "b"},
		"a[1][2]":      {"a", "[1]", "[2]"},
		`a["x]y"].b`:   {"a", `["x]y"]`, "b"},
		`a["x".]`:      {"a", `["x".]`},
		`a["]`:         {"a", `["]`},
		`a[{n: "]"}]b`: {"a", `[{n: "]"}]`, "b"},
		"a[1":          {"a", "[1"},
		`["x"`:         {`["x"`},
		"a..b":         {"a", "", "b"},
		".b":           {"", "b"},
	} {
		assert.Equal(t, want, Steps(path), path)
	}
}

// A field is found by the types, through pointers. Each time it is at the same address.
func TestFieldsByTheirTypes(t *testing.T) {
	in := &inner{}
	o := &outer{at: in, to: &in, any: &inner{}, list: make([]inner, 2), named: map[string]inner{"x": {}}}
	for range 2 {
		for path, at := range map[string]unsafe.Pointer{
			"first": unsafe.Pointer(&o.first), "at": unsafe.Pointer(&o.at), "at.a": unsafe.Pointer(&in.a), "at.b": unsafe.Pointer(&in.b),
			"to.b": unsafe.Pointer(&in.b), "any.b": unsafe.Pointer(&o.any.(*inner).b), "embed.deep": unsafe.Pointer(&o.deep), "deep": unsafe.Pointer(&o.deep),
			"list[1].b": unsafe.Pointer(&o.list[1].b),
		} {
			s, err := Field(o, path)
			require.NoError(t, err, path)
			assert.Equal(t, at, s.Is.Addr().UnsafePointer(), path)
			assert.False(t, s.InMap(), path)
			assert.NotPanics(t, func() { s.Set(s.Is) }, path)
			w := wayTo(reflect.TypeOf(o), path)
			if path == "any.b" || path == "deep" || path == "list[1].b" {
				assert.Nil(t, w.to, "%s is not found by types alone", path)
				continue
			}
			assert.Equal(t, s.Is.Type(), w.to, path)
			assert.Equal(t, at, w.from(unsafe.Pointer(o)), path)
		}
	}
	assert.Nil(t, wayTo(reflect.TypeOf(o), "at.a").from(unsafe.Pointer(&outer{})), "a pointer on the way is nil")
	assert.Less(t, testing.AllocsPerRun(10, func() { Field(o, "to.b") }), 1.0, "the way is known, and nothing is searched")
}

// One path leads to each type's own field.
func TestFieldsOfOneName(t *testing.T) {
	type other struct {
		_     [3]int
		first int
	}
	one, two := &outer{first: 1}, &other{first: 2}
	for of, want := range map[any]int{one: 1, two: 2} {
		s, err := Field(of, "first")
		require.NoError(t, err)
		assert.Equal(t, int64(want), s.Is.Int())
	}
}

// Set reaches what lies in maps, below elements of arrays and of other maps.
func TestSetInMaps(t *testing.T) {
	o := &outer{named: map[string]inner{"x": {1, 2}}, table: [2]map[int][1]int{{}, {7: {3}}}}
	for path, value := range map[string]int{`named["x"].b`: 5, "table[1][7][0]": 6} {
		s, err := Field(o, path)
		require.NoError(t, err)
		assert.True(t, s.InMap(), path)
		s.Is.SetInt(int64(value))
		s.Set(s.Is)
	}
	o.rows = map[string][]inner{"x": make([]inner, 2)}
	s, err := Field(o, `rows["x"][1].b`)
	require.NoError(t, err)
	assert.False(t, s.InMap(), "an element of a slice has an address")
	assert.Equal(t, map[string]inner{"x": {1, 5}}, o.named)
	assert.Equal(t, [2]map[int][1]int{{}, {7: {6}}}, o.table)
}

// An error shows the valid prefix of a path.
func TestNoField(t *testing.T) {
	five := &outer{named: map[string]inner{"a": {}, "b": {}, "c": {}, "d": {}, "e": {}}}
	six := &outer{named: map[string]inner{"a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}}}
	twelve := &outer{table: [2]map[int][1]int{{12: {}}, nil}}
	for _, c := range []struct {
		of   any
		path string
		says string
	}{
		{five, "at.b", "*reach.outer has no field at.b: at is nil, which has no fields"},
		{five, "to.b", "*reach.outer has no field to.b: to is nil, which has no fields"},
		{five, "first.x", "*reach.outer has no field first.x: first is a int, which has no fields"},
		{five, "none", "*reach.outer has no field none: it is a reach.outer, which has no none that can be set"},
		{*five, "first", "reach.outer has no field first: it is a reach.outer, which has no first that can be set"},
		{(*outer)(nil), "first", "*reach.outer has no field first: it is nil, which has no fields"},
		{(*outer)(nil), "at", "*reach.outer has no field at: it is nil, which has no fields"},
		{five, "list[0", "*reach.outer has no field list[0: list is followed by a bracket that is not closed"},
		{five, "named[]", "*reach.outer has no field named[]: named is followed by [], which names no single element"},
		{five, "first[0]", "*reach.outer has no field first[0]: first is a int, which has no elements"},
		{five, "list[0]", "*reach.outer has no field list[0]: list has no element 0, but those from 0 to below 0"},
		{five, "list[-1]", "*reach.outer has no field list[-1]: list has no element -1, but those from 0 to below 0"},
		{five, "list[x]", "*reach.outer has no field list[x]: list has no element x, but those from 0 to below 0"},
		{five, "table[x]", "*reach.outer has no field table[x]: table has no element x, but those from 0 to below 2"},
		{five, "table[2]", "*reach.outer has no field table[2]: table has no element 2, but those from 0 to below 2"},
		{five, `named["x"]`, `*reach.outer has no field named["x"]: named has no key "x"; its keys are "a", "b", "c", "d", "e"`},
		{six, `named["x"]`, `*reach.outer has no field named["x"]: named has no key "x"; its keys are "a", "b", "c", "d", "e", …`},
		{twelve, "table[0][1]", "*reach.outer has no field table[0][1]: table[0] has no key 1; its keys are 12"},
		{five, "table[0][1].z", "*reach.outer has no field table[0][1].z: table[0] has no key 1; its keys are none"},
	} {
		_, err := Field(c.of, c.path)
		assert.EqualError(t, err, c.says)
	}
}
