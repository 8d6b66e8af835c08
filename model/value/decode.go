package value

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"contend/model"
	"contend/model/shape"
)

// DecodeAny is the inverse of [Codec.Any]. It panics on bytes that Any did not write.
func (c *Codec) DecodeAny(b []byte) any {
	v, _ := c.TurnedAny(b, 0)
	return v
}

// DecodeNode returns a new node with the configuration of proto and the state that [Codec.Node] encoded. Maps
// are never nil, so a handler may write to them.
func (c *Codec) DecodeNode(proto any, b []byte) model.Node {
	n, _ := c.TurnedNode(proto, b, 0)
	return n
}

type decoder struct {
	c       *Codec
	b       []byte
	turn    int // see turn.go
	entries int // of the largest map so far
}

func (d *decoder) uvarint() uint64 {
	x, n := binary.Uvarint(d.b)
	d.b = d.b[n:]
	return x
}

func (d *decoder) tag() reflect.Type {
	if i := d.uvarint(); i > 0 {
		return d.c.types[i-1]
	}
	return nil
}

func (d *decoder) into(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.uvarint() != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, n := binary.Varint(d.b)
		d.b = d.b[n:]
		v.SetInt(x)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.uvarint())
	case reflect.String:
		n := d.uvarint()
		v.SetString(string(d.b[:n]))
		d.b = d.b[n:]
	case reflect.Slice:
		n := int(d.uvarint())
		v.SetZero()
		if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		d.elems(v)
	case reflect.Array:
		d.elems(v)
	case reflect.Map:
		d.intoMap(v)
	case reflect.Interface:
		d.intoInterface(v)
	case reflect.Struct:
		for _, i := range layoutOf(v.Type()).exported {
			d.into(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("value of kind %s passed the check of its type", v.Kind()))
	}
}

func (d *decoder) elems(v reflect.Value) {
	for i := range v.Len() {
		d.into(v.Index(i))
	}
}

func (d *decoder) intoMap(v reflect.Value) {
	n := int(d.uvarint())
	d.entries = max(d.entries, n)
	v.Set(reflect.MakeMapWithSize(v.Type(), n))
	if d.turn > 0 && n > 1 {
		d.intoTurned(v, n)
		return
	}
	key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	for range n {
		key.SetZero() // must not share memory with the previous entry
		val.SetZero()
		d.into(key)
		d.into(val)
		v.SetMapIndex(key, val)
	}
}

func (d *decoder) intoInterface(v reflect.Value) {
	if shape.IsMonitor(v.Type()) {
		v.Set(freshWatched(v, d.into))
		return
	}
	t := d.tag()
	if t == nil {
		v.SetZero()
		return
	}
	e := reflect.New(t).Elem()
	d.into(e)
	v.Set(e)
}
