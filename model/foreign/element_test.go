package foreign

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

type pair struct {
	a uint8
	b string
}

type thing struct {
	number int16
	next   *thing
	held   any
}

// A register has elements of all kinds.
type register struct {
	byNumber map[uint64]*seat
	byName   map[string]seat
	byPair   map[pair]map[int]int
	list     []seat
	table    [2]seat
}

type seat struct {
	used  int32
	inner struct{ tags [2]string }
	more  map[string]seat
}

func registered() *register {
	return &register{
		byNumber: map[uint64]*seat{2: {}, 10: {}},
		byName:   map[string]seat{"a": {}, "b.c]": {more: map[string]seat{"d": {}}}},
		byPair:   map[pair]map[int]int{{1, "x"}: {-3: 4}},
		list:     []seat{{}, {more: map[string]seat{"e": {}}}},
	}
}

// Field and Set reach elements by index and by key, with or without an address.
func TestElements(t *testing.T) {
	r, want := registered(), registered()
	*Field[int32](r, "byNumber[2].used") = 1
	want.byNumber[2].used = 1
	Set(r, "byNumber[10].inner.tags[1]", "ten")
	want.byNumber[10].inner.tags[1] = "ten"
	Set(r, `byName["a"].inner.tags[0]`, "a")
	a := seat{}
	a.inner.tags[0] = "a"
	want.byName["a"] = a
	Set(r, `byName["b.c]"].more["d"].used`, 7)
	want.byName["b.c]"].more["d"] = seat{used: 7}
	Set(r, `byName["b.c]"].used`, 8)
	bc := want.byName["b.c]"]
	bc.used = 8
	want.byName["b.c]"] = bc
	Set(r, `byPair[{a: 1, b: "x"}][-3]`, 5)
	want.byPair[pair{1, "x"}][-3] = 5
	Set(r, "list[0]", seat{used: 9})
	want.list[0].used = 9
	*Field[int32](r, "list[0].used")++
	want.list[0].used++
	Set(r, `list[1].more["e"].used`, 3)
	want.list[1].more["e"] = seat{used: 3}
	*Field[string](r, "table[1].inner.tags[0]") = "t"
	want.table[1].inner.tags[0] = "t"
	assert.Equal(t, want, r)
}

// A path that leads to no element, or to one without an address, is refused in a sentence.
func TestNoElement(t *testing.T) {
	r := registered()
	for says, do := range map[string]func(){
		`*foreign.register has no field byNumber[3].used: byNumber has no key 3; its keys are 10, 2`:                func() { Set(r, "byNumber[3].used", 1) },
		`*foreign.register has no field byName[a].used: byName has no key a; its keys are "a", "b.c]"`:              func() { Set(r, "byName[a].used", 1) },
		`*foreign.register has no field byNumber[].used: byNumber is followed by [], which names no single element`: func() { Set(r, "byNumber[].used", 1) },
		`*foreign.register has no field list[2]: list has no element 2, but those from 0 to below 2`:                func() { Set(r, "list[2]", seat{}) },
		`*foreign.register has no field list[0].used[1]: list[0].used is a int32, which has no elements`:            func() { Set(r, "list[0].used[1]", 1) },
		`*foreign.register has no field list[0].more["x"]: list[0].more has no key "x"; its keys are none`:          func() { Set(r, `list[0].more["x"]`, 1) },
		`field byName["a"].used of *foreign.register lies in a map, where it has no address: change it by Set`:      func() { Field[int32](r, `byName["a"].used`) },
		`field byName["a"].used of *foreign.register is a int32, which cannot be x`:                                 func() { Set(r, `byName["a"].used`, "x") },
		`*foreign.register has no field byName.used: byName is a map[string]foreign.seat, which has no fields`:      func() { Set(r, "byName.used", 1) },
		`*foreign.register has no field byNumber[2: byNumber is followed by a bracket that is not closed`:           func() { Set(r, "byNumber[2", 1) },
	} {
		assert.PanicsWithValue(t, model.Refused{Text: "foreign: " + says}, do)
	}
}

// Field and Set access unexported fields.
func TestField(t *testing.T) {
	x := &thing{next: &thing{held: &pair{}}}
	*Field[int16](x, "next.number") = 3
	Set(x, "next.held.b", "b")
	assert.Equal(t, &thing{next: &thing{number: 3, held: &pair{b: "b"}}}, x)
	Set(x, "next.number", 4) // converted
	assert.EqualValues(t, 4, x.next.number)
	for says, do := range map[string]func(){
		`foreign: *foreign.thing has no field next.nmber: next is a foreign.thing, which has no nmber that can be set`: func() { Set(x, "next.nmber", 1) },
		`foreign: *foreign.thing has no field next.next.number: next.next is nil, which has no fields`:                 func() { Set(x, "next.next.number", 1) },
		`foreign: field next.number of *foreign.thing is a int16, not a int`:                                           func() { Field[int](x, "next.number") },
		`foreign: field number of *foreign.thing is a int16, which cannot be x`:                                        func() { Set(x, "number", "x") },
		`foreign: field number of *foreign.thing is a int16, which cannot be <nil>`:                                    func() { Set(x, "number", nil) },
		`foreign: a Library of *foreign.thing needs a New`:                                                             func() { (&Library[*thing, int]{}).Node() },
	} {
		assert.PanicsWithValue(t, model.Refused{Text: says}, do)
	}
}
