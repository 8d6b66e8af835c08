package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"sort"
	"unicode/utf8"
)

// typed is the JSON form of a value with its type.
type typed struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// larger integers lose precision in JSON readers that use float64
const maxExact = 1 << 53

// JSON encodes a value with the name of its type. Structs become objects, maps sorted lists of [key, value]
// pairs, and integers beyond ±2⁵³ strings. Strings that are not UTF-8 become objects with their bytes in
// base64.
func (c *Codec) JSON(v any) (json.RawMessage, error) {
	tree, err := c.tree(reflect.ValueOf(&v).Elem())
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// FromJSON decodes the result of [Codec.JSON]. An unknown type or field is an error.
func (c *Codec) FromJSON(b json.RawMessage) (v any, err error) {
	err = c.read(b, reflect.ValueOf(&v).Elem(), 0)
	return v, err
}

func (c *Codec) tree(v reflect.Value) (any, error) {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.String:
		return treeText(v.String()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if i := v.Int(); i > -maxExact && i < maxExact {
			return i, nil
		}
		return fmt.Sprint(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if u := v.Uint(); u < maxExact {
			return u, nil
		}
		return fmt.Sprint(v.Uint()), nil
	case reflect.Slice, reflect.Array:
		return c.treeList(v)
	case reflect.Map:
		return c.treeMap(v)
	case reflect.Interface:
		return c.treeTyped(v)
	case reflect.Struct:
		return c.treeStruct(v)
	}
	return nil, fmt.Errorf("a %s has no JSON form", v.Kind())
}

// encoded is the JSON form of a string that is not UTF-8, such as an encoded message of a library.
type encoded struct {
	Base64 *[]byte `json:"base64"`
}

func treeText(text string) any {
	if utf8.ValidString(text) {
		return text
	}
	raw := []byte(text)
	return encoded{&raw}
}

func (c *Codec) treeList(v reflect.Value) (any, error) {
	list := make([]any, v.Len())
	for i := range list {
		e, err := c.tree(v.Index(i))
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	return list, nil
}

func (c *Codec) treeMap(v reflect.Value) (any, error) {
	pairs := make([][2]any, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		key, err := c.tree(it.Key())
		if err != nil {
			return nil, err
		}
		val, err := c.tree(it.Value())
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, [2]any{key, val})
	}
	order := func(p [2]any) string {
		key, _ := json.Marshal(p[0]) // cannot fail: a tree of plain values
		return string(key)
	}
	sort.Slice(pairs, func(i, j int) bool { return order(pairs[i]) < order(pairs[j]) })
	return pairs, nil
}

func (c *Codec) treeTyped(v reflect.Value) (any, error) {
	if v.IsNil() {
		return nil, nil
	}
	t := v.Elem().Type()
	if _, ok := c.index[t]; !ok {
		return nil, Unlisted{Type: t.String()}
	}
	tree, err := c.tree(v.Elem())
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(tree)
	return typed{t.String(), raw}, err
}

func (c *Codec) treeStruct(v reflect.Value) (any, error) {
	obj := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		e, err := c.tree(v.Field(i))
		if err != nil {
			return nil, err
		}
		obj[f.Name] = e
	}
	return obj, nil
}

// maxDepth is the largest depth of a value from outside.
const maxDepth = 64

func (c *Codec) read(b json.RawMessage, v reflect.Value, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("a value is nested more than %d deep", maxDepth)
	}
	switch v.Kind() {
	case reflect.Bool:
		var is bool
		err := json.Unmarshal(b, &is)
		v.SetBool(is)
		return err
	case reflect.String:
		return readText(b, v)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return readInteger(b, v)
	case reflect.Slice, reflect.Array:
		return c.readList(b, v, depth)
	case reflect.Map:
		return c.readMap(b, v, depth)
	case reflect.Interface:
		return c.readTyped(b, v, depth)
	case reflect.Struct:
		return c.readStruct(b, v, depth)
	}
	return fmt.Errorf("a %s has no JSON form", v.Kind())
}

func readText(b json.RawMessage, v reflect.Value) error {
	var text string
	if len(b) == 0 || b[0] != '{' {
		err := json.Unmarshal(b, &text)
		v.SetString(text)
		return err
	}
	var e encoded
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil || e.Base64 == nil {
		return fmt.Errorf("a string that is not UTF-8 is an object with the member base64, and no others")
	}
	v.SetString(string(*e.Base64))
	return nil
}

func readInteger(b json.RawMessage, v reflect.Value) error {
	text := string(b)
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
	}
	if len(text) > 32 {
		return fmt.Errorf("%.40q is not an integer of 64 bits", text)
	}
	i, ok := new(big.Int).SetString(text, 10)
	switch {
	case !ok:
		return fmt.Errorf("%.40q is not an integer", text)
	case v.CanInt() && i.IsInt64() && !v.OverflowInt(i.Int64()):
		v.SetInt(i.Int64())
	case v.CanUint() && i.IsUint64() && !v.OverflowUint(i.Uint64()):
		v.SetUint(i.Uint64())
	default:
		return fmt.Errorf("%s does not fit into %s", text, v.Type())
	}
	return nil
}

func (c *Codec) readList(b json.RawMessage, v reflect.Value, depth int) error {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	}
	if len(list) != v.Len() {
		return fmt.Errorf("%s needs %d elements, not %d", v.Type(), v.Len(), len(list))
	}
	for i, e := range list {
		if err := c.read(e, v.Index(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (c *Codec) readMap(b json.RawMessage, v reflect.Value, depth int) error {
	var pairs [][]json.RawMessage
	if err := json.Unmarshal(b, &pairs); err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, p := range pairs {
		if len(p) != 2 {
			return fmt.Errorf("an entry of %s is a pair of key and value, not %d values", v.Type(), len(p))
		}
		key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if err := c.read(p[0], key, depth+1); err != nil {
			return err
		}
		if !key.Comparable() {
			return fmt.Errorf("a key of %s cannot be compared", v.Type())
		}
		if v.MapIndex(key).IsValid() {
			return fmt.Errorf("a key of %s is there twice", v.Type())
		}
		if err := c.read(p[1], val, depth+1); err != nil {
			return err
		}
		v.SetMapIndex(key, val)
	}
	return nil
}

func (c *Codec) readTyped(b json.RawMessage, v reflect.Value, depth int) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		return err
	}
	if members == nil {
		v.SetZero()
		return nil
	}
	var t typed
	if err := json.Unmarshal(b, &t); err != nil {
		return err
	}
	if len(members) != 2 || members["type"] == nil || members["value"] == nil {
		return fmt.Errorf("a value has the members type and value, and no others")
	}
	i, ok := c.byName[t.Type]
	if !ok {
		return fmt.Errorf("type %.60q is not one of the protocol's", t.Type)
	}
	e := reflect.New(c.types[i]).Elem()
	if err := c.read(t.Value, e, depth+1); err != nil {
		return fmt.Errorf("%s: %w", t.Type, err)
	}
	v.Set(e)
	return nil
}

func (c *Codec) readStruct(b json.RawMessage, v reflect.Value, depth int) error {
	var obj map[string]json.RawMessage
	if err := json.Unmarshal(b, &obj); err != nil {
		return err
	}
	for name, raw := range obj {
		f, ok := v.Type().FieldByName(name)
		if !ok || !f.IsExported() {
			return fmt.Errorf("%s has no field %.60q", v.Type(), name)
		}
		if err := c.read(raw, v.FieldByIndex(f.Index), depth+1); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
