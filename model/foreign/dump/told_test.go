package dump

import (
	"encoding/binary"
	"log"
	"math"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// told returns the lines of an object.
func told(object any) (texts []string) {
	for _, l := range New(nil).Lines(object, false) {
		texts = append(texts, l.Path+" = "+l.Is)
	}
	return texts
}

// What people read of pointers of every kind.
func TestPointersAreTold(t *testing.T) {
	type behind struct {
		To     atomic.Pointer[int]
		Nobody atomic.Pointer[int]
		None   *struct{}
		Wake   chan int
		Type   reflect.Type
		Since  *time.Time // a zero time has no text
		Does   func() int
		Twice  **int
		Thrice ***int
	}
	object := &behind{None: &struct{}{}, Type: reflect.TypeFor[fork](), Since: &time.Time{}, Does: one}
	object.To.Store(new(int))
	object.Twice, object.Thrice = new(*int), new(**int)
	*object.Thrice = new(*int)
	assert.Equal(t, []string{"To = 0", "Nobody = nil", "None = {}", "Wake = nil", "Type.(type) = *reflect.rtype", "Type = dump.fork",
		"Does = func contend/model/foreign/dump.one", "Twice = a pointer to nil", "Thrice = a pointer to a pointer to nil"}, told(object))
}

// The text of a key is a label of its content: a plain value, or at most eight fields if the key has
// pointers.
func TestKeysAreLabels(t *testing.T) {
	type one struct{ N int }
	assert.Equal(t, []string{".len = 2", `["a"] = 1`, `["b"] = 2`}, told(map[string]int{"a": 1, "b": 2}))
	assert.Equal(t, []string{".len = 1", "[{N: 3}] = 1"}, told(map[one]int{{3}: 1}))
	assert.Equal(t, []string{".len = 1", "[{.len: 7, [0]: 0, [1]: 0, [2]: 0, [3]: 0, [4]: 0, [5]: 0, [6]: 0}] = 1"}, told(map[[7]int]int{{}: 1}))
	assert.Equal(t, []string{".len = 1", "[{.len: 8, [0]: 0, [1]: 0, [2]: 0, [3]: 0, [4]: 0, [5]: 0, [6]: 0, [7]: 0}] = 1"}, told(map[[8]int]int{{}: 1}))
	assert.Contains(t, told(map[[8]*int]int{{}: 1}), "[{.len: 8, [0]: nil, [1]: nil, [2]: nil, [3]: nil, [4]: nil, [5]: nil, [6]: nil, …}] = 1")
}

// Types with the same name are distinguished by their packages, and within a package by numbers.
func TestTypesOfOneNameAreTold(t *testing.T) {
	var all []reflect.Type
	func() {
		type Alike struct{ A int }
		all = append(all, reflect.TypeFor[Alike](), reflect.TypeFor[func(Alike)](), reflect.TypeFor[[]*Alike]())
	}()
	func() {
		type Alike struct{ B int }
		all = append(all, reflect.TypeFor[Alike](), reflect.TypeFor[func(Alike)](), reflect.TypeFor[[]*Alike]())
	}()
	func() {
		type Alike struct{ C int }
		all = append(all, reflect.TypeFor[Alike](), reflect.TypeFor[func(Alike)](), reflect.TypeFor[[]*Alike]())
	}()
	for k, want := range []string{"dump.Alike", "func(dump.Alike)", "[]*dump.Alike",
		"dump.Alike of contend/model/foreign/dump", "func(dump.Alike) of ?", "[]*dump.Alike of contend/model/foreign/dump",
		"dump.Alike of contend/model/foreign/dump (2)", "func(dump.Alike) of ? (2)", "[]*dump.Alike of contend/model/foreign/dump (2)"} {
		assert.Equal(t, want, typeText(all[k]))
		assert.Equal(t, want, typeText(all[k]), "the second time")
	}
}

// A type is dumped as its name.
func TestTypesAreDumpedByName(t *testing.T) {
	for _, of := range []reflect.Type{reflect.TypeFor[fork](), nil} {
		var is []byte
		New(nil).Dump(&struct{ Type reflect.Type }{of}, func(dump []byte) { is = append(is, dump...) })
		if of == nil {
			assert.Less(t, len(is), 16)
			continue
		}
		name := binary.LittleEndian.AppendUint64(nil, Hash(fullName(of)))
		assert.Equal(t, name, is[len(is)-8:])
		assert.Less(t, len(is), 40)
	}
}

// A type that takes a function differs from a type that returns its result. A type called Pointer differs
// from Pointer of package atomic.
func TestNamesAreWhole(t *testing.T) {
	assert.NotEqual(t, fullName(reflect.TypeFor[func(func(), int)]()), fullName(reflect.TypeFor[func(func() int)]()))
	type Pointer struct{ to int }
	assert.NotEqual(t, named(New(nil), &Pointer{1}), named(New(nil), &Pointer{2}))
}

// Nil differs from a value of a type whose hash begins like a text after nil.
func TestNilIsNoType(t *testing.T) {
	type holds struct {
		held any
		text []byte
	}
	for n := 1; ; n++ {
		held := reflect.ArrayOf(n, reflect.TypeFor[struct{}]())
		hash := binary.LittleEndian.AppendUint64(nil, Hash(fullName(held)))
		if length := int(hash[1]) - 1; hash[0] == 0 && length >= 7 && length < 100 {
			rest := []byte(strings.Repeat("x", length-7))
			all := append(append(hash[2:], byte(len(rest)+1)), rest...)
			assert.NotEqual(t, named(New(nil), &holds{nil, all}), named(New(nil), &holds{reflect.Zero(held).Interface(), rest}))
			return
		}
	}
}

// Keys that are not numbers (NaN) equal nothing, and are sorted by their targets.
func TestKeysThatAreNoNumbers(t *testing.T) {
	made := func(values ...int) map[float64]int {
		m := map[float64]int{}
		for _, v := range values {
			m[math.NaN()] = v
		}
		return m
	}
	c := New(nil)
	for range 10 {
		assert.Equal(t, named(c, made(1, 2, 3)), named(c, made(3, 1, 2)))
	}
	assert.NotEqual(t, named(c, made(1, 1, 2)), named(c, made(1, 2, 2)))
	for range 20 {
		one, other := made(1, 2), made(2, 1)
		assert.Equal(t, named(c, one), named(c, other))
		one[1], other[1] = 5, 5 // before them
		assert.Equal(t, named(c, one), named(c, other))
	}
}

// A map with too many possible orders is refused with its path, when the limit is reached.
func TestOrdersHaveAnEnd(t *testing.T) {
	defer func(was int) { mostOrders = was }(mostOrders)
	c, use := New(nil), func([]byte) {}
	mostOrders = 4 // three for the first key, and one for the first remaining key
	assert.True(t, c.encoded(ring(2, 2), use))
	assert.NotContains(t, refusalOf(func() {
		named(c, &struct {
			knots *knots
			done  chan int
		}{ring(2, 2), make(chan int)})
	}), "knots")
	mostOrders--
	assert.False(t, c.encoded(ring(2, 2), use))
	assert.Contains(t, refusalOf(func() { named(c, ring(2, 2)) }), "set is a map (map[*dump.knot]int) with so many keys that look alike that no order of them is found")
}

// A path of an omitted field is valid if it leads to a field of one of the objects.
func TestPathsOfSeveralObjects(t *testing.T) {
	assert.NoError(t, misspelt([]string{"next.n", "a.b"}, false, &fork{}, &knot{}))
	assert.NoError(t, misspelt([]string{"To.n"}, false, &struct{ To ***knot }{}))
	assert.NoError(t, misspelt([]string{"knot.n"}, false, &struct{ knot }{}))
	assert.ErrorContains(t, misspelt([]string{"n"}, false, &struct{ knot }{}), "has no field n", "a field of an embedded struct is named with it")
	assert.Contains(t, refusalOf(func() { New([]string{"c"}).CheckPaths([]any{&fork{}}) }), `the path "c" of Omit leads nowhere`)
	assert.ErrorContains(t, misspelt([]string{"next.n", "c"}, false, &fork{}, &knot{}), "dump.knot has no field c")
	assert.ErrorContains(t, misspelt([]string{"list", "next.list", "held", "held.list", "number"}, true, &thing{}), `the path "number" of Capacities leads nowhere: int16 is no slice`)
}

// The text of numbers and of maps of every kind, also within keys. The content of a key's own map is shown if
// its keys are simple.
func TestValuesAreTold(t *testing.T) {
	var words sync.Map
	words.Store("a", 12)
	type held struct {
		Words  map[string]int
		Flags  map[bool]int
		Planes map[complex128]int
		Lists  map[[1]int]int
	}
	object := &struct {
		Words *sync.Map
		Half  float64
		Plane complex64
		Small uint8
		Keys  map[*held]bool
	}{&words, 0.5, 1 + 2i, 12, map[*held]bool{{map[string]int{"x": 2}, map[bool]int{true: 4}, map[complex128]int{0: 5}, map[[1]int]int{{5}: 6}}: true}}
	const word = `Words[{(type): string, : "a"}]`
	const key = `Keys[{Words.len: 1, Words["x"]: 2, Flags.len: 1, Flags[true]: 4, Planes.len: 1, Planes[(0+0i) (0 0)]: 5, Lists.len: 1}]`
	assert.Equal(t, []string{"Words.len = 1", word + ".(key).(type) = string", word + `.(key) = "a"`, word + ".(type) = int", word + " = 12",
		"Half = 0.5 (3fe0000000000000)", "Plane = (1+2i) (3ff0000000000000 4000000000000000)", "Small = 12", "Keys.len = 1",
		key + ".(key).Words.len = 1", key + `.(key).Words["x"] = 2`, key + ".(key).Flags.len = 1", key + ".(key).Flags[true] = 4",
		key + ".(key).Planes.len = 1", key + ".(key).Planes[(0+0i) (0 0)] = 5", key + ".(key).Lists.len = 1", key + ".(key).Lists[{.len: 1, [0]: 5}] = 6", key + " = true"}, told(object))
}

// Of maps that have an order nothing is said where another has none.
func TestOnlyTheMapWithoutAnOrderIsRefused(t *testing.T) {
	defer func(was int) { mostOrders = was }(mostOrders)
	mostOrders = 1
	object := &struct {
		First map[*int]int
		Knots []*knots
	}{map[*int]int{new(int): 1}, []*knots{ring(3), ring(2, 2)}}
	text := refusalOf(func() { named(New(nil), object) })
	assert.Contains(t, text, "Knots[0].set is a map")
	assert.Contains(t, text, `Omit: []string{"Knots[].set"}`)
	assert.NotContains(t, text, "First")
	assert.NotContains(t, text, "Knots[1]", "it may have an order if the first has one")
}

// A value that cannot be dumped has a text all the same, with all entries of maps.
func TestEntriesAreToldOfWhatIsRefused(t *testing.T) {
	type refused struct {
		Done chan int
		Keys map[*pair]int
	}
	assert.Equal(t, []string{"Done = a chan int", "Keys.len = 1", `Keys[{a: 1, b: ""}].(key).a = 1`, `Keys[{a: 1, b: ""}].(key).b = ""`, `Keys[{a: 1, b: ""}] = 2`},
		told(&refused{make(chan int), map[*pair]int{{a: 1}: 2}}))
}

// The text of an object has one order, even if a dump omits values that it cannot contain.
func TestWhatIsLeftOutIsToldInOrder(t *testing.T) {
	type object struct {
		Done chan int
		*knots
	}
	c := New([]string{"Done"})
	want := c.Lines(&object{make(chan int), ring(2, 2)}, true)
	for range 20 { // maps come in another order each time
		assert.Equal(t, want, c.Lines(&object{make(chan int), ring(2, 2)}, true))
	}
}

// Loggers, and memory that is stored for reuse, have no text.
func TestLoggersAreNotTold(t *testing.T) {
	assert.Equal(t, []string{"N = 1"}, told(&struct {
		Log  *log.Logger
		Free sync.Pool
		N    int
	}{Log: log.Default(), N: 1}))
	type logs struct{ Log *log.Logger }
	assert.Equal(t, named(New(nil), &logs{}), named(New(nil), &logs{log.Default()}))
	assert.Equal(t, []string{".len = 1", "[{}] = 1"}, told(map[*log.Logger]int{log.Default(): 1}))
}

// A value that is visited again is shown by its first path. An entry with an omitted value shows its key.
func TestTwiceAndLeftOutAreTold(t *testing.T) {
	one := new(int)
	assert.Equal(t, []string{"A = 0", "B = the same as A"}, told(&struct{ A, B *int }{one, one}))
	assert.Equal(t, []Line{{"M.len", "1"}, {"M[1]", "left out"}}, New([]string{"M[]"}).Lines(&struct{ M map[int]int }{map[int]int{1: 2}}, false))
}

// A map with a visible order is not refused because of the targets of its entries.
func TestAMapIsNotRefusedForItsEntries(t *testing.T) {
	type odd struct {
		next *odd
		of   map[*int]chan int
	}
	a, b := &odd{of: map[*int]chan int{new(int): make(chan int)}}, &odd{of: map[*int]chan int{new(int): make(chan int)}}
	a.next, b.next = b, a
	text := refusalOf(func() { named(New(nil), &struct{ Set map[*odd]bool }{map[*odd]bool{a: true, b: true}}) })
	assert.Contains(t, text, "is a channel")
	assert.NotContains(t, text, "so many keys")
}
