package dump

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// simple has types of every kind without components.
var simple = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[string](), reflect.TypeFor[unsafe.Pointer](), reflect.TypeFor[chan bool](), reflect.TypeFor[part2](), reflect.TypeFor[gapped](),
}

// drawType returns a random type; one for a key has no pointers.
func drawType(r *rand.Rand, depth int, key bool) reflect.Type {
	if depth == 0 || r.IntN(8) == 0 {
		return simple[r.IntN(len(simple)-2)]
	}
	below := func() reflect.Type { return drawType(r, depth-1, key) }
	kind := r.IntN(9)
	if key {
		kind %= 2
	}
	switch kind {
	case 0:
		return reflect.ArrayOf(r.IntN(3), below())
	case 1, 2:
		var fields []reflect.StructField
		for i := range r.IntN(5) {
			fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: below()})
		}
		return reflect.StructOf(fields)
	case 3:
		return reflect.PointerTo(below())
	case 4:
		return reflect.SliceOf(below())
	case 5:
		return reflect.MapOf(drawType(r, depth-1, true), below())
	case 6:
		return reflect.TypeFor[func() int]()
	case 7:
		return simple[r.IntN(len(simple))]
	}
	return anyType
}

// A tape determines a random value: each byte decides one thing, and after its end all bytes are 0.
type tape struct {
	builder
	types []reflect.Type // that interfaces may hold
	made  map[reflect.Type][]reflect.Value
}

// again returns a pointer or a map of the type, made before or new.
func (t *tape) again(of reflect.Type, fresh func() reflect.Value) reflect.Value {
	all := t.made[of]
	if i := t.pick(len(all) + 2); i < len(all) {
		return all[i]
	}
	v := fresh()
	t.made[of] = append(t.made[of], v)
	return v
}

func (t *tape) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if t.pick(4) > 0 {
			v.Set(t.again(v.Type(), func() reflect.Value { to := reflect.New(v.Type().Elem()); t.fill(to.Elem()); return to }))
		}
	case reflect.Map:
		if t.pick(4) > 0 {
			v.Set(t.again(v.Type(), func() reflect.Value {
				m := reflect.MakeMap(v.Type())
				for range t.pick(4) {
					key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
					t.fill(key)
					t.fill(elem)
					m.SetMapIndex(key, elem)
				}
				return m
			}))
		}
	case reflect.Interface:
		if i := t.pick(len(t.types) + 1); i > 0 {
			held := reflect.New(t.types[i-1]).Elem()
			t.fill(held)
			v.Set(held)
		}
	case reflect.Slice:
		if n := t.pick(5) - 1; n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n+t.pick(2)))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			t.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			t.fill(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
		}
	case reflect.Func:
		if n := t.pick(3); n > 0 {
			v.Set(reflect.ValueOf([]func() int{one, two}[n-1]))
		}
	case reflect.Chan:
		if t.pick(10) == 1 {
			v.Set(reflect.MakeChan(v.Type(), 0))
		}
	case reflect.UnsafePointer:
	case reflect.String:
		v.SetString([]string{"", "x", "yy", "\x00", "]: \""}[t.pick(5)])
	case reflect.Bool:
		v.SetBool(t.pick(2) > 0)
	default:
		number := []float64{0, 1, 2, 100, -1}[t.pick(5)]
		switch {
		case v.CanInt():
			v.SetInt(int64(number) << (v.Type().Bits() - 8))
		case v.CanUint():
			v.SetUint(uint64(math.Abs(number)) << (v.Type().Bits() - 8))
		case v.CanFloat():
			v.SetFloat(1 / number)
		default:
			v.SetComplex(complex(number, float64(t.pick(3))))
		}
	}
}

// A plainDump writes a value as text by the definition of dumps, without plans and copied memory. Keys have no
// pointers, and memory is not shared.
type plainDump struct {
	strings.Builder
	seen       map[target]int
	omit       []string
	capacities []string
	paths      []string // visited paths, paths of slices last
	slices     []string
	refused    bool
}

func (p *plainDump) first(v reflect.Value, what reflect.Type) bool {
	key := target{v.UnsafePointer(), what}
	if n, again := p.seen[key]; again {
		fmt.Fprint(p, "as ", n)
		return false
	}
	p.seen[key] = len(p.seen)
	return true
}

func (p *plainDump) value(path string, v reflect.Value) {
	if slices.Contains(p.omit, path) {
		return
	}
	p.paths = append(p.paths, path)
	fmt.Fprint(p, "(")
	defer fmt.Fprint(p, ")")
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			fmt.Fprint(p, "nil")
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type().Elem().Size() == 0 || p.first(v, v.Type().Elem()) {
			p.value(path, v.Elem())
		}
	case reflect.Map:
		if p.first(v, v.Type()) {
			p.entries(path, v)
		}
	case reflect.Interface:
		fmt.Fprint(p, v.Elem().Type())
		p.value(path, v.Elem())
	case reflect.Slice:
		p.slices = append(p.slices, path)
		if slices.Contains(p.capacities, path) {
			fmt.Fprint(p, v.Cap(), " ")
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			p.value(path+"[]", v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			p.value(strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), v.Field(i))
		}
	case reflect.Chan:
		p.refused = true
	case reflect.Func:
		fmt.Fprint(p, v.Pointer())
	case reflect.Float32, reflect.Float64:
		fmt.Fprint(p, math.Float64bits(v.Float()))
	default:
		fmt.Fprintf(p, "%#v", v)
	}
}

// entries writes the entries of a map, in the order of the texts of their keys.
func (p *plainDump) entries(path string, v reflect.Value) {
	of := map[string]reflect.Value{}
	var keys []string
	for it := v.MapRange(); it.Next(); {
		key := &plainDump{}
		key.value("a key", it.Key())
		p.refused = p.refused || key.refused
		keys, of[key.String()] = append(keys, key.String()), it.Value()
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		fmt.Fprint(p, key)
		p.value(path+"[]", of[key])
	}
}

func plainly(object any, omit, capacities []string) *plainDump {
	p := &plainDump{seen: map[target]int{}, omit: omit, capacities: capacities}
	p.value("", reflect.ValueOf(object))
	return p
}

// A drawing is a random type with random values.
type drawing struct {
	of    reflect.Type
	types []reflect.Type
}

// made returns the value of a tape, and the number of bytes used.
func (d *drawing) made(b []byte) (object any, used int) {
	t := &tape{builder: builder{b: b}, types: d.types, made: map[reflect.Type][]reflect.Value{}}
	v := reflect.New(d.of)
	t.fill(v.Elem())
	return v.Interface(), len(b) - len(t.b)
}

var omits = regexp.MustCompile(`Omit: \[\]string\{(.*)\}$`)

// Values of random types, with random omitted paths and capacities, have equal dumps and equal texts exactly
// if their plain dumps are equal. No dump is a prefix of another, so that what follows a value cannot be
// mistaken for a part of it. A value without a dump is refused. It can be dumped if the paths that the
// refusal names are omitted.
func TestDrawn(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	same, other, refused := 0, 0, 0
	for range 2000 {
		d := drawing{of: reflect.StructOf([]reflect.StructField{{Name: "A", Type: drawType(r, 4, false)}, {Name: "B", Type: drawType(r, 4, false)}})}
		for range 4 {
			d.types = append(d.types, drawType(r, 2, false))
		}
		says := make([]byte, 60)
		for i := range says {
			says[i] = byte(r.IntN(256))
		}
		a, used := d.made(says)
		changed := slices.Clone(says)
		if used > 0 && r.IntN(4) > 0 {
			changed[r.IntN(used)] += byte(1 + r.IntN(7))
		}
		b, _ := d.made(changed)
		var omit, capacities []string
		if all := plainly(a, nil, nil); r.IntN(2) == 0 {
			omit = []string{all.paths[r.IntN(len(all.paths))], all.paths[r.IntN(len(all.paths))]}
			omit = slices.DeleteFunc(omit, func(path string) bool { return path == "" })
			if len(all.slices) > 0 {
				capacities = []string{all.slices[r.IntN(len(all.slices))]}
			}
		}
		c := New(omit, capacities...)
		assert.NotPanics(t, func() { c.CheckPaths([]any{a}) })
		p, q := plainly(a, omit, capacities), plainly(b, omit, capacities)
		if p.refused {
			mustMend(t, a, omit)
			refused++
		}
		assert.Equal(t, !p.refused, c.encoded(a, func([]byte) {}))
		if p.refused || q.refused {
			continue
		}
		alike := p.String() == q.String()
		x, y := dumpOf(c, a), dumpOf(c, b)
		require.Equal(t, alike, slices.Equal(x, y), "names: %v\n%s\n%s", omit, p, q)
		require.True(t, alike || !bytes.HasPrefix(x, y) && !bytes.HasPrefix(y, x), "one goes on where the other ends: %v\n%s\n%s", omit, p, q)
		require.Equal(t, alike, reflect.DeepEqual(c.Lines(a, false), c.Lines(b, false)), "lines: %v\n%s\n%s", omit, p, q)
		if alike {
			same++
		} else {
			other++
		}
	}
	if same < 400 || other < 400 || refused < 10 {
		t.Errorf("%d pairs that are alike, %d that are not, %d refused: too few", same, other, refused)
	}
}

func dumpOf(d *Dumper, object any) (is []byte) {
	d.Dump(object, func(dump []byte) { is = slices.Clone(dump) })
	return is
}

// mustMend omits the fields that refusals name, until nothing is refused.
func mustMend(t *testing.T, object any, omit []string) {
	for range 20 {
		if New(omit).encoded(object, func([]byte) {}) {
			return
		}
		text := refusalOf(func() { named(New(omit), object) })
		found := omits.FindStringSubmatch(text)
		require.NotNil(t, found, text)
		for _, path := range strings.Split(found[1], ", ") {
			path, err := strconv.Unquote(path)
			require.NoError(t, err)
			require.NotContains(t, omit, path, "it is left out already: %T %s", object, text)
			omit = append(omit, path)
		}
	}
	t.Errorf("it is refused whatever is left out: %v", omit)
}

// Random types have distinct names. The content of an interface distinguishes values of two types.
func TestDrawnTypes(t *testing.T) {
	r, c := rand.New(rand.NewPCG(9, 10)), New(nil)
	of, names := map[string]reflect.Type{}, map[[sha256.Size]byte]reflect.Type{}
	for range 2000 {
		one := drawType(r, 3, false)
		name, is := fullName(one), named(c, reflect.Zero(reflect.PointerTo(one)).Interface())
		if other, met := of[name]; met && other != one {
			t.Fatalf("%v and %v have one name", one, other)
		}
		if other, met := names[is]; met && other != one {
			t.Fatalf("nil pointers to %v and %v have one dump", one, other)
		}
		of[name], names[is] = one, one
	}
}
