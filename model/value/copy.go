package value

import (
	"reflect"

	"contend/model"
	"contend/model/shape"
)

// Fresh returns a copy of a node with the same configuration and its own state. It equals the result of
// [Codec.DecodeNode]: maps are never nil, so a handler may write to them.
func (c *Codec) Fresh(n any) model.Node {
	fresh := reflect.New(reflect.TypeOf(n).Elem())
	fresh.Elem().Set(reflect.ValueOf(n).Elem())
	c.detach(fresh.Elem())
	return fresh.Interface()
}

// Copy returns a deep copy of a value. It equals the result of [Codec.DecodeAny].
func (c *Codec) Copy(v any) any {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil
	}
	if c.index != nil {
		c.mustList(t)
	}
	l := layoutOf(t)
	if l.flat {
		return v
	}
	return c.deepCopy(reflect.ValueOf(v), l).Interface()
}

// deepCopy returns a deep copy of a value.
func (c *Codec) deepCopy(v reflect.Value, l *layout) reflect.Value {
	own := reflect.New(v.Type()).Elem()
	own.Set(v)
	c.detachOf(own, l)
	return own
}

// detach copies everything that v shares with other values. As after decoding, empty slices are nil and maps
// are not.
func (c *Codec) detach(v reflect.Value) { c.detachOf(v, layoutOf(v.Type())) }

func (c *Codec) detachOf(v reflect.Value, l *layout) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range l.deep {
			c.detachOf(v.Field(f.index), f.layout)
		}
	case reflect.Array:
		c.detachElems(v, l)
	case reflect.Slice:
		c.detachSlice(v, l)
	case reflect.Map:
		c.detachMap(v, l)
	case reflect.Interface:
		c.detachHeld(v)
	}
}

func (c *Codec) detachElems(v reflect.Value, l *layout) {
	elem := l.elemOf(v.Type())
	if elem.flat {
		return
	}
	for i := range v.Len() {
		c.detachOf(v.Index(i), elem)
	}
}

func (c *Codec) detachSlice(v reflect.Value, l *layout) {
	if v.Len() == 0 {
		v.SetZero()
		return
	}
	own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(own, v)
	v.Set(own)
	c.detachElems(v, l)
}

func (c *Codec) detachMap(v reflect.Value, l *layout) {
	t := v.Type()
	own := reflect.MakeMapWithSize(t, v.Len())
	if v.Len() > 0 {
		elem := l.elemOf(t)
		// a map copies its entries, so one key and one value suffice
		key, val := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		for it := v.MapRange(); it.Next(); {
			key.SetIterKey(it)
			val.SetIterValue(it)
			c.detach(key)
			c.detachOf(val, elem)
			own.SetMapIndex(key, val)
		}
	}
	v.Set(own)
}

// detachHeld copies the value in an interface, unless it is flat and so immutable.
func (c *Codec) detachHeld(v reflect.Value) {
	if shape.IsMonitor(v.Type()) {
		v.Set(freshWatched(v, c.detach))
		return
	}
	if v.IsNil() {
		return
	}
	t := v.Elem().Type()
	if c.index != nil {
		c.mustList(t)
	}
	if l := layoutOf(t); !l.flat {
		v.Set(c.deepCopy(v.Elem(), l))
	}
}

// Detached is [Codec.Copy] for a value of any plain type.
func Detached(v any) any { return (&Codec{}).Copy(v) }

// freshWatched returns a copy of a monitor within a monitor, after a call of change.
func freshWatched(v reflect.Value, change func(reflect.Value)) reflect.Value {
	own := reflect.New(v.Elem().Type().Elem())
	own.Elem().Set(shape.Watched(v))
	change(own.Elem())
	return own
}
