// Package value encodes the plain Go values of a protocol (node states, messages, keys, results) in canonical
// bytes and JSON. It also decodes, copies and compares them, and renames their node ids. So the author of a
// protocol writes no encoder, hash, clone or equality. It refuses values that are not plain (refuse.go).
//
// Two values have the same encoding exactly if they are equal. Nil and empty slices and maps are equal.
package value

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/shape"
)

// A Codec encodes the values of one system.
type Codec struct {
	types  []reflect.Type // of values in interfaces, by index
	index  map[reflect.Type]int
	byName map[string]int
}

var nodeIDType = reflect.TypeFor[model.NodeID]()

// basic has a value of each type that every system may use in interfaces.
var basic = []any{false, 0, int64(0), "", model.NodeID(0), model.Inner{}}

// New returns a codec for the listed types of a system and the states of its nodes. The error names a type that
// is not plain, because it has a pointer, func, channel, float or unexported field. It is also an error if a
// New does not always make equal nodes.
func New(s *model.System, more ...any) (*Codec, error) {
	c := &Codec{index: map[reflect.Type]int{}, byName: map[string]int{}}
	for _, v := range slices.Concat(basic, s.Types, more) {
		if err := c.register(v); err != nil {
			return nil, err
		}
	}
	if s.Faults.Partitions > 0 {
		if err := c.register(model.Side{}); err != nil {
			return nil, err
		}
	}
	if err := c.rename(s.Renamed); err != nil {
		return nil, err
	}
	for _, spec := range s.Nodes {
		if spec.Byzantine {
			continue
		}
		if err := c.mustRepeat(s.Name, func() any { return spec.New() }); err != nil {
			return nil, fmt.Errorf("node %s: %w", spec.Name, err)
		}
		n := spec.New()
		if err := c.checkHandlers(n, spec); err != nil {
			return nil, fmt.Errorf("node %s: %w", spec.Name, err)
		}
		c.registerNode(n)
	}
	return c, nil
}

// For is [New] with the types of the claims' objects and pages. It also returns an error for a monitor whose
// state is not plain.
func For(s *model.System, claims []model.Claim) (*Codec, error) {
	var types []any
	for _, c := range claims {
		types = append(types, c.Object.Types...)
	}
	codec, err := New(s, types...)
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		if err := codec.registerPage(s, c); err != nil {
			return nil, fmt.Errorf("claim %s: %w", c.Name, err)
		}
	}
	for _, c := range claims {
		if c.Monitor == nil {
			continue
		}
		if err := codec.mustRepeat(s.Name, func() any { return c.Monitor(s) }); err != nil {
			return nil, fmt.Errorf("claim %s: %w", c.Name, err)
		}
		if _, ok := c.Monitor(s).(model.Goal); !ok && c.HasGoal() {
			return nil, fmt.Errorf("claim %s: its kind is %v, so its Monitor needs a method Reached() bool", c.Name, c.Kind)
		}
	}
	return codec, nil
}

func (c *Codec) register(v any) error {
	t := reflect.TypeOf(v)
	if t == nil {
		return fmt.Errorf("types: nil is not a type; list a value of each type")
	}
	if _, ok := c.index[t]; ok {
		return nil
	}
	if err := checkPlain(t, t.String(), false, nil); err != nil {
		return fmt.Errorf("types: %w", err)
	}
	if _, taken := c.byName[t.String()]; taken {
		return fmt.Errorf("types: two types are called %s", t)
	}
	c.index[t], c.byName[t.String()] = len(c.types), len(c.types)
	c.types = append(c.types, t)
	return nil
}

// rename permits the former names of types in decoding.
func (c *Codec) rename(names map[string]string) error {
	for before, now := range names {
		i, ok := c.byName[now]
		if !ok {
			return fmt.Errorf("renamed: %s is not a listed type", now)
		}
		if _, taken := c.byName[before]; taken {
			return fmt.Errorf("renamed: %s is the name of a type still", before)
		}
		c.byName[before] = i
	}
	return nil
}

// A Renaming maps node ids by index; nil is the identity. Ids out of its range stay.
type Renaming []model.NodeID

func (r Renaming) of(id model.NodeID) model.NodeID {
	if id < 0 || int(id) >= len(r) {
		return id
	}
	return r[id]
}

// Any encodes a value with its type: a message, key, operation or result. It panics with an [Unlisted] if the
// type is not listed.
func (c *Codec) Any(v any, ren Renaming) []byte {
	return c.appendAny(nil, v, ren)
}

// AppendAny appends the result of [Codec.Any] without a renaming.
func (c *Codec) AppendAny(dst []byte, v any) []byte { return c.appendAny(dst, v, nil) }

func (c *Codec) appendAny(dst []byte, v any, ren Renaming) []byte {
	if v == nil {
		return append(dst, 0)
	}
	rv := reflect.ValueOf(v)
	return c.append(c.appendTag(dst, rv.Type()), rv, ren)
}

// Node encodes the state of a node or monitor.
func (c *Codec) Node(n any, ren Renaming) []byte {
	return c.append(make([]byte, 0, usualSize), reflect.ValueOf(n).Elem(), ren)
}

// usualSize is the capacity for the encoding of a node, in bytes.
const usualSize = 96

// Canonical returns an encoding like [Codec.Any] for a value of any plain type. It has the names of types in
// place of indexes.
func Canonical(v any) string { return string(AppendCanonical(nil, v)) }

// AppendCanonical appends the result of [Canonical].
func AppendCanonical(dst []byte, v any) []byte { return nameless.appendAny(dst, v, nil) }

// nameless is the codec without listed types.
var nameless Codec

func (c *Codec) appendTag(dst []byte, t reflect.Type) []byte {
	if c.index == nil {
		path, name := t.PkgPath(), t.String()
		dst = binary.AppendUvarint(dst, uint64(len(path)+1+len(name)))
		return append(append(append(dst, path...), ' '), name...)
	}
	return binary.AppendUvarint(dst, uint64(c.mustList(t))+1)
}

// mustList returns the index of a type. It panics with an [Unlisted] if the type is not listed.
func (c *Codec) mustList(t reflect.Type) int {
	i, ok := c.index[t]
	if !ok {
		panic(Unlisted{Type: t.String()})
	}
	return i
}

// An Unlisted is the panic value for a type that the system does not list.
type Unlisted struct{ Type string }

// Refusal implements [model.Refusal].
func (Unlisted) Refusal() {}

func (u Unlisted) Error() string {
	return fmt.Sprintf("type %s is used as a message, key, result, state of an object or other interface value, but System.Types does not list it", u.Type)
}

func (c *Codec) append(dst []byte, v reflect.Value, ren Renaming) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(dst, 1)
		}
		return append(dst, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i := v.Int()
		if ren != nil && v.Type() == nodeIDType {
			i = int64(ren.of(model.NodeID(i)))
		}
		return binary.AppendVarint(dst, i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(dst, v.Uint())
	case reflect.String:
		dst = binary.AppendUvarint(dst, uint64(v.Len()))
		return append(dst, v.String()...)
	case reflect.Slice:
		dst = binary.AppendUvarint(dst, uint64(v.Len()))
		if isUnordered(v.Type()) {
			return c.appendUnordered(dst, v, ren)
		}
		return c.appendElems(dst, v, ren)
	case reflect.Array:
		return c.appendElems(dst, v, ren)
	case reflect.Map:
		return c.appendMap(dst, v, ren)
	case reflect.Interface:
		if shape.IsMonitor(v.Type()) {
			return c.append(dst, shape.Watched(v), ren)
		}
		if v.IsNil() {
			return append(dst, 0)
		}
		return c.append(c.appendTag(dst, v.Elem().Type()), v.Elem(), ren)
	case reflect.Struct:
		l := layoutOf(v.Type())
		if l.optional && !v.Field(0).Bool() {
			ren = nil // a missing value has no node to rename
		}
		for _, i := range l.exported {
			dst = c.append(dst, v.Field(i), ren)
		}
		return dst
	}
	panic(fmt.Sprintf("value of kind %s passed the check of its type", v.Kind()))
}

func (c *Codec) appendElems(dst []byte, v reflect.Value, ren Renaming) []byte {
	for i := range v.Len() {
		dst = c.append(dst, v.Index(i), ren)
	}
	return dst
}

// appendMap appends the entries sorted by their encoded keys.
func (c *Codec) appendMap(dst []byte, v reflect.Value, ren Renaming) []byte {
	n := v.Len()
	dst = binary.AppendUvarint(dst, uint64(n))
	if n == 0 {
		return dst
	}
	var few [8]piece // most maps are small
	pieces := few[:0]
	key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	for it := v.MapRange(); it.Next(); {
		from := len(dst)
		key.SetIterKey(it)
		dst = c.append(dst, key, ren)
		mid := len(dst)
		val.SetIterValue(it)
		dst = c.append(dst, val, ren)
		pieces = append(pieces, piece{from, mid, len(dst)})
	}
	return inOrder(dst, pieces)
}
