package dump

import (
	"crypto/sha256"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A thing points to others in every way.
type thing struct {
	number    int16
	flags     [2]bool
	text      string
	bytes     []byte
	next      *thing
	held      any
	named     map[string]*thing
	keyed     map[pair]int
	list      []*thing
	inline    []part2
	anonymous struct{ deep *thing }
	note      func() int
}

type pair struct {
	a uint8
	b string
}

type part2 struct {
	small uint8
	big   uint64
	to    *thing
}

func named(d *Dumper, object any) (is [sha256.Size]byte) {
	d.Dump(object, func(dump []byte) { is = sha256.Sum256(dump) })
	return is
}

func one() int { return 1 }
func two() int { return 2 }

// A builder creates a graph of things from bytes: each byte adds to one of the things.
type builder struct {
	b    []byte
	all  []*thing
	maps []map[string]*thing
}

func (b *builder) pick(n int) int {
	if len(b.b) == 0 {
		return 0
	}
	is := int(b.b[0])
	b.b = b.b[1:]
	return is % n
}

func (b *builder) thing() *thing { return b.all[b.pick(len(b.all))] }

func build(bytes []byte) *thing {
	b := &builder{b: bytes, all: []*thing{{}, {}, {}, {}}, maps: []map[string]*thing{nil, {}, {}}}
	for len(b.b) > 0 {
		b.add(b.thing(), b.thing())
	}
	return b.all[0]
}

func (b *builder) add(t, other *thing) {
	word := []string{"", "x", "yy"}[b.pick(3)]
	switch b.pick(14) {
	case 0:
		t.number++
	case 1:
		t.flags[b.pick(2)] = true
	case 2:
		t.text += word
	case 3:
		t.bytes = append(t.bytes, word...)
	case 4:
		t.next = other
	case 5:
		t.held = []any{nil, other, word, pair{1, word}, &pair{2, word}, len(word), *other}[b.pick(7)]
	case 6:
		t.named = b.maps[b.pick(3)]
	case 7:
		if t.named != nil {
			t.named[word] = other
		}
	case 8:
		t.keyed = map[pair]int{{1, word}: 1, {uint8(b.pick(3)), "x"}: 2}
	case 9:
		t.list = append(t.list, other)
	case 10:
		t.inline = append(t.inline, part2{uint8(b.pick(9)), uint64(b.pick(3)) << 60, other})
	case 11:
		t.anonymous.deep = other
	case 12:
		t.note = []func() int{nil, one, two}[b.pick(3)]
	case 13:
		t.list, t.bytes = t.list[:0], []byte{}
	}
}

// An alike decides whether two graphs are equal except for addresses, by a one-to-one pairing of their things
// and maps. It is the definition of equal dumps.
type alike struct{ to, from map[any]any }

func (p *alike) pairs(x, y any) (again, fit bool) {
	a, metA := p.to[x]
	b, metB := p.from[y]
	if metA || metB {
		return true, metA && metB && a == y && b == x
	}
	p.to[x], p.from[y] = y, x
	return false, true
}

func (p *alike) things(x, y *thing) bool {
	if x == nil || y == nil {
		return x == y
	}
	if again, fit := p.pairs(x, y); again {
		return fit
	}
	return p.contents(x, y)
}

func (p *alike) contents(x, y *thing) bool {
	if x.number != y.number || x.flags != y.flags || x.text != y.text || !reflect.DeepEqual(x.bytes, y.bytes) ||
		!reflect.DeepEqual(x.keyed, y.keyed) || reflect.ValueOf(x.note).Pointer() != reflect.ValueOf(y.note).Pointer() ||
		(x.list == nil) != (y.list == nil) || len(x.list) != len(y.list) || len(x.inline) != len(y.inline) {
		return false
	}
	ok := p.things(x.next, y.next) && p.helds(x.held, y.held) && p.names(x.named, y.named)
	for i := range x.list {
		ok = ok && p.things(x.list[i], y.list[i])
	}
	for i := range x.inline {
		a, b := x.inline[i], y.inline[i]
		ok = ok && a.small == b.small && a.big == b.big && p.things(a.to, b.to)
	}
	return ok && p.things(x.anonymous.deep, y.anonymous.deep)
}

func (p *alike) helds(x, y any) bool {
	switch a := x.(type) {
	case *thing:
		b, is := y.(*thing)
		return is && p.things(a, b)
	case thing:
		b, is := y.(thing)
		return is && p.contents(&a, &b)
	case *pair:
		b, is := y.(*pair)
		if !is {
			return false
		}
		again, fit := p.pairs(a, b)
		return fit && (again || *a == *b)
	}
	return reflect.DeepEqual(x, y)
}

func (p *alike) names(x, y map[string]*thing) bool {
	if x == nil || y == nil {
		return x == nil && y == nil
	}
	if again, fit := p.pairs(reflect.ValueOf(x).Pointer(), reflect.ValueOf(y).Pointer()); again {
		return fit
	}
	ok := len(x) == len(y)
	for _, word := range []string{"", "x", "yy"} {
		a, in := x[word]
		b, too := y[word]
		ok = ok && in == too && p.things(a, b)
	}
	return ok
}

// Two objects have the same name exactly if they are equal except for addresses. Then the texts of their
// dumps are equal, too.
func FuzzDump(f *testing.F) {
	f.Add([]byte{0, 1, 0, 4, 1, 0, 0, 4}, []byte{0, 2, 0, 4, 2, 0, 0, 4}) // a cycle of two, by another thing
	f.Add([]byte{0, 1, 0, 9, 0, 1, 0, 9}, []byte{0, 1, 0, 9, 0, 2, 0, 9}) // one thing twice, and two
	f.Add([]byte{0, 1, 0, 6, 1, 0, 1, 1, 7}, []byte{0, 1, 0, 6, 2, 0, 1, 1, 7})
	f.Add([]byte{0, 1, 1, 5, 6}, []byte{0, 1, 1, 5, 1})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 200 {
			return
		}
		c := New(nil)
		x, y := build(a), build(b)
		want := (&alike{map[any]any{}, map[any]any{}}).things(x, y)
		require.Equal(t, want, named(c, x) == named(c, y), "names")
		require.Equal(t, want, reflect.DeepEqual(c.Lines(x, false), c.Lines(y, false)), "lines")
		require.Equal(t, named(c, x), named(c, build(a)), "made again")
	})
}

// Random graphs. The two graphs of a pair differ in one byte or in none.
func TestDump(t *testing.T) {
	c, same := New(nil), 0
	seed := uint32(1)
	next := func(n uint32) byte {
		seed = seed*1664525 + 1013904223
		return byte(seed >> 16 % n)
	}
	for range 4000 {
		a := make([]byte, 5*(1+int(next(8))))
		for i := range a {
			a[i] = next(28)
		}
		b := append([]byte{}, a...)
		b[int(next(200))%len(b)] = next(28)
		x, y := build(a), build(b)
		want := (&alike{map[any]any{}, map[any]any{}}).things(x, y)
		require.Equal(t, want, named(c, x) == named(c, y), "%v %v", a, b)
		require.Equal(t, want, reflect.DeepEqual(c.Lines(x, false), c.Lines(y, false)), "%v %v", a, b)
		if want {
			same++
		}
	}
	assert.InDelta(t, 2000, same, 1500, "of both there are many")
}

// A shelf has fields of types with their own dumps.
type shelf struct {
	mu     sync.RWMutex
	cond   *sync.Cond
	all    sync.Map
	atom   atomic.Pointer[pair]
	value  atomic.Value
	build  strings.Builder
	what   reflect.Type
	byPart map[*pair]int
	free   sync.Pool
}

func newShelf(words ...string) *shelf {
	s := &shelf{what: reflect.TypeFor[pair](), byPart: map[*pair]int{}}
	s.cond = sync.NewCond(&s.mu)
	for i, w := range words {
		s.all.Store(w, &pair{b: w})
		s.atom.Store(&pair{b: w})
		s.value.Store(w)
		s.byPart[&pair{b: w}] = i
	}
	s.free.Put(&pair{})
	s.build.WriteString("built")
	return s
}

// Types of the standard library with private representations are dumped by their values.
func TestDumpOfTheLibrary(t *testing.T) {
	c := New(nil)
	assert.Equal(t, named(c, newShelf("a", "b", "c")), named(c, newShelf("a", "b", "c")))
	other := newShelf("a", "b", "c")
	for what, change := range map[string]func(){
		"sync.Map":       func() { other.all.Delete("a") },
		"atomic.Pointer": func() { other.atom.Load().a++ },
		"atomic.Value":   func() { other.value.Store("x") },
		"Builder":        func() { other.build.WriteString("!") },
		"Type":           func() { other.what = reflect.TypeFor[part2]() },
		"a lock":         func() { other.mu.Lock() },
		"a key":          func() { other.byPart[&pair{b: "d"}] = 1 },
	} {
		before, text := named(c, other), c.Lines(other, false)
		change()
		assert.NotEqual(t, before, named(c, other), what)
		assert.NotEqual(t, text, c.Lines(other, false), what)
	}
	twenty := strings.Split(strings.Repeat("a", 20), "")
	assert.Equal(t, named(c, newShelf(twenty...)), named(c, newShelf(twenty...)), "keys that are alike, with other values")
}

// A list that is longer than the stack of a dump should be, and a slice in itself, are refused.
func TestDumpHasAnEnd(t *testing.T) {
	c := New(nil)
	top := &thing{}
	for range deepest + 1 {
		top = &thing{next: top}
	}
	itself := []any{nil}
	itself[0] = itself
	for _, object := range []any{top, &thing{held: itself}} {
		assert.Panics(t, func() { named(c, object) })
	}
}

// The capacity of a slice that is named makes a difference, and no other.
func TestCapacities(t *testing.T) {
	c := New(nil, "next.list", "named[].bytes")
	made := func(list, in, bytes int) *thing {
		return &thing{list: make([]*thing, 0, list), next: &thing{list: make([]*thing, 0, in)}, named: map[string]*thing{"x": {bytes: make([]byte, 0, bytes)}}}
	}
	is, text := named(c, made(1, 1, 1)), c.Lines(made(1, 1, 1), false)
	assert.Equal(t, is, named(c, made(2, 1, 1)))
	assert.Equal(t, text, c.Lines(made(2, 1, 1), false))
	assert.Contains(t, c.Lines(made(1, 3, 1), false), Line{"next.list.(capacity)", "3"})
	assert.Contains(t, c.Lines(made(3, 1, 1), true), Line{"list.(capacity)", "3"}, "all is told")
	d := New([]string{"list[].text"})
	assert.Equal(t, named(d, made(1, 1, 1)), named(d, made(2, 2, 2)), "what is left out below it does not make it count")
	for _, other := range []*thing{made(1, 2, 1), made(1, 1, 2)} {
		assert.NotEqual(t, is, named(c, other))
		assert.NotEqual(t, text, c.Lines(other, false))
	}
}

// An omitted field makes no difference, at any path. A path that leads to no field is refused.
func TestOmit(t *testing.T) {
	c := New([]string{"text", "next.number", "named[].text", "inline[].to", "anonymous.deep"})
	make := func(s string, n int16) *thing {
		return &thing{text: s, next: &thing{number: n, next: &thing{number: 1}}, named: map[string]*thing{"x": {text: s}},
			inline: []part2{{to: &thing{text: s}}}, anonymous: struct{ deep *thing }{&thing{text: s}}}
	}
	assert.Equal(t, named(c, make("a", 1)), named(c, make("b", 2)))
	assert.Equal(t, c.Lines(make("a", 1), false), c.Lines(make("b", 2), false))
	assert.NotEqual(t, c.Lines(make("a", 1), true), c.Lines(make("b", 2), true))
	for _, c := range []*Dumper{New([]string{"named[]"}), New([]string{"keyed[]"})} { // the keys count
		x := &thing{named: map[string]*thing{"x": {}}, keyed: map[pair]int{{1, "x"}: 1}}
		y := &thing{named: map[string]*thing{"y": {}}, keyed: map[pair]int{{1, "y"}: 1}}
		assert.NotEqual(t, named(c, x), named(c, y))
		assert.NotEqual(t, c.Lines(x, false), c.Lines(y, false))
	}
	other := make("a", 1)
	other.next.next.number++
	assert.NotEqual(t, named(c, make("a", 1)), named(c, other))
	for path, says := range map[string]string{
		"next.numbr":        `the path "next.numbr" of Omit leads nowhere: dump.thing has no field numbr`,
		"named.text":        `the path "named.text" of Omit leads nowhere: map[string]*dump.thing has no text`,
		"number[]":          `the path "number[]" of Omit leads nowhere: int16 has no []`,
		"number.x":          `the path "number.x" of Omit leads nowhere: int16 has no x`,
		"inline[].to.texts": `the path "inline[].to.texts" of Omit leads nowhere: dump.thing has no field texts`,
		"held.whatever":     "",
		"named[].next.text": "",
		"keyed[]":           "",
		"flags[]":           "",
		"next.next.text":    "",
	} {
		if err := misspelt([]string{path}, false, make("a", 1)); says == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, says)
		}
	}
}

// A value that no dump can contain is refused by dumps, and shown to people by its type.
func TestOpaqueIsTold(t *testing.T) {
	c := New(nil)
	object := &struct {
		Since time.Time
		Done  chan int
	}{time.Unix(1, 0), make(chan int)}
	assert.Equal(t, []Line{{"Since", "a time.Time"}, {"Done", "a chan int"}}, c.Lines(object, false))
	assert.PanicsWithError(t, refusalOf(func() { c.mustDump(object) }), func() { named(c, object) })
}

// What belongs to the world outside is refused, by itself too, unless it is zero.
func TestTheWorldOutsideIsRefused(t *testing.T) {
	c, timer, ticker := New(nil), time.NewTimer(time.Hour), time.NewTicker(time.Hour)
	defer timer.Stop()
	defer ticker.Stop()
	const clock, other, channel = "a search has no clock;", "which is nothing that can be compared;", "a search cannot control the goroutines that use it;"
	for _, refused := range []struct {
		object any
		says   string
	}{
		{&struct{ F time.Time }{time.Unix(1, 0)}, clock}, {&struct{ F *time.Timer }{timer}, clock}, {&struct{ F *time.Ticker }{ticker}, clock},
		{&struct{ F *os.File }{os.Stdout}, other}, {&struct{ F weak.Pointer[int] }{weak.Make(new(int))}, other},
		{&struct{ F unsafe.Pointer }{unsafe.Pointer(c)}, other}, {&struct{ F chan int }{make(chan int)}, channel},
	} {
		text := refusalOf(func() { named(c, refused.object) })
		assert.Contains(t, text, refused.says)
		assert.Contains(t, text, `Omit: []string{"F"}`)
		assert.NotPanics(t, func() { named(c, reflect.New(reflect.TypeOf(refused.object).Elem()).Interface()) }, "zero")
	}
}

func refusalOf(do func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = p.(error).Error()
		}
	}()
	do()
	return "nothing is refused"
}
