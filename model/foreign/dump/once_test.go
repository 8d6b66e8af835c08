package dump

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A fork points to two forks.
type fork struct{ a, b *fork }

// forks returns the graph of three forks given by the base-four digits of a number. The digit 3 means no
// fork.
func forks(n int) *fork {
	all := [4]*fork{{}, {}, {}}
	for _, f := range all[:3] {
		f.a, f.b = all[n&3], all[n>>2&3]
		n >>= 4
	}
	return all[0]
}

// order numbers forks in the order of the first visits. Two graphs are equal exactly if their texts are.
func order(f *fork, seen map[*fork]int, out *strings.Builder) {
	n, again := seen[f]
	switch {
	case f == nil:
		out.WriteString("-")
	case again:
		fmt.Fprint(out, n)
	default:
		seen[f] = len(seen)
		out.WriteString("(")
		order(f.a, seen, out)
		order(f.b, seen, out)
		out.WriteString(")")
	}
}

// Dumps of graphs of three forks differ exactly if the graphs differ.
func TestForks(t *testing.T) {
	c := New(nil)
	of, by := map[string][sha256.Size]byte{}, map[[sha256.Size]byte]string{}
	for n := range 1 << 12 {
		var out strings.Builder
		order(forks(n), map[*fork]int{}, &out)
		is := named(c, forks(n))
		if before, met := of[out.String()]; met && before != is {
			t.Fatalf("%s has two names", out.String())
		}
		if other, met := by[is]; met && other != out.String() {
			t.Fatalf("%s and %s have one name", other, out.String())
		}
		of[out.String()], by[is] = is, out.String()
	}
}

// A dump can be read in one way only: a nil function, with a text that goes on as the name of one would, is not that function.
func TestANilFunctionIsWritten(t *testing.T) {
	type says struct {
		does func()
		a, b string
	}
	c := New(nil)
	name := functionName(reflect.ValueOf(nothing).Pointer())
	length := int(name[0]) // of a text, if the first letter of the name is read as the length
	rest := strings.Repeat("x", length-len(name)-1)
	assert.NotEqual(t, named(c, &says{nothing, "", rest}), named(c, &says{nil, string(rune(len(name))), name[1:] + "\x00" + string(rune(len(rest))) + rest}))
}

func nothing() {}

// A Fork is a type that may be embedded.
type Fork fork

// Where one list ends and the next begins counts, and two paths of Omit may begin alike.
func TestNeighbors(t *testing.T) {
	type lists struct {
		a, b []byte
		next *thing
	}
	c := New([]string{"next.number", "next.text"})
	assert.NotEqual(t, named(c, &lists{a: []byte("xy"), b: []byte{}}), named(c, &lists{a: []byte("x"), b: []byte("y")}))
	assert.Equal(t, named(c, &lists{next: &thing{number: 1}}), named(c, &lists{next: &thing{text: "t"}}))
	assert.NotEqual(t, named(c, &lists{next: &thing{}}), named(c, &lists{next: &thing{bytes: []byte{}}}))
}

// Types that differ have different names.
func TestTypesAreSpelled(t *testing.T) {
	type embeds struct{ Fork }
	type names struct{ Fork Fork }
	types := []reflect.Type{
		reflect.TypeFor[func()](), reflect.TypeFor[func() int](), reflect.TypeFor[func() string](), reflect.TypeFor[func() (int, int)](),
		reflect.TypeFor[func(int)](), reflect.TypeFor[func(string)](), reflect.TypeFor[func(int, int)](), reflect.TypeFor[func(int, string)](), reflect.TypeFor[func() (int, string)](), reflect.TypeFor[func(int) int](), reflect.TypeFor[func(...int)](), reflect.TypeFor[func([]int)](),
		reflect.TypeFor[*int](), reflect.TypeFor[[]int](), reflect.TypeFor[[1]int](), reflect.TypeFor[[2]int](), reflect.TypeFor[chan int](), reflect.TypeFor[<-chan int](),
		reflect.TypeFor[map[int]string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[interface{ A() }](), reflect.TypeFor[interface{ A() int }](), reflect.TypeFor[interface{ B() }](),
		reflect.TypeFor[interface {
			A()
			B()
		}](), reflect.TypeFor[interface {
			A()
			C()
		}](), reflect.TypeFor[chan<- int](), reflect.TypeFor[[]string](), reflect.TypeFor[chan string](), reflect.TypeFor[[1]string](),
		reflect.TypeFor[struct{ a struct{ b int } }](), reflect.TypeFor[struct {
			a struct{}
			b int
		}](), reflect.TypeFor[struct {
			a struct{ b int }
			c int
		}](), reflect.TypeFor[struct {
			a struct{ b, c int }
		}](), reflect.TypeFor[struct {
			a int `tag:"x"`
		}](), reflect.TypeFor[struct{ a int }](), reflect.TypeFor[embeds](), reflect.TypeFor[names](), reflect.TypeFor[fork](), reflect.TypeFor[any](),
	}
	func() {
		type Local int
		types = append(types, reflect.TypeFor[Local]())
	}()
	func() {
		type Local string
		types = append(types, reflect.TypeFor[Local]())
	}()
	by := map[string]reflect.Type{}
	for _, of := range types {
		name := fullName(of)
		assert.Nil(t, by[name], "%v is called %s", of, name)
		by[name] = of
	}
}

// What people read of small values.
func TestSmallValuesAreTold(t *testing.T) {
	object := &struct {
		Held  any
		None  struct{}
		Text  []byte
		Bytes []byte
		List  []int
		Does  func()
		Keys  map[[1]*int]string
	}{Text: []byte("ab"), Bytes: []byte{0xff, 1}, Keys: map[[1]*int]string{{new(int)}: "a", {new(int)}: "b"}}
	var texts []string
	for _, l := range New(nil).Lines(object, false) {
		texts = append(texts, l.Path+" = "+l.Is)
	}
	const key = "Keys[{.len: 1, [0]: 0}]"
	assert.Equal(t, []string{"Held = nil", "None = {}", `Text = "ab"`, "Bytes = ff01", "List = nil", "Does = nil", "Keys.len = 2",
		key + ".(key).len = 1", key + ".(key)[0] = 0", key + ` = "a"`,
		"Keys[{.len: 1, [0]: 0} #2].(key).len = 1", "Keys[{.len: 1, [0]: 0} #2].(key)[0] = 0", `Keys[{.len: 1, [0]: 0} #2] = "b"`}, texts)
}
