package conform

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"contend/model"
)

// maxDepth is the largest depth of a value in a log.
const maxDepth = 32

// A decoder decodes values of a log. A node is its name or its number, a number with a String method its name or
// the number, a map an object or a list of pairs. Structs need all of their exported fields.
type decoder struct {
	types map[string][]reflect.Type // by name, with and without the package
	nodes map[string]model.NodeID
	named map[reflect.Type]map[string]int64 // names of numbers, by type

	patterns memo[pattern]
	messages memo[sent]
	looks    map[reflect.Type]*memo[look]
}

var nodeIDType = reflect.TypeFor[model.NodeID]()

func newDecoder(s *model.System) *decoder {
	d := &decoder{types: map[string][]reflect.Type{}, nodes: map[string]model.NodeID{}, named: map[reflect.Type]map[string]int64{}, looks: map[reflect.Type]*memo[look]{}}
	known := map[reflect.Type]bool{}
	for _, v := range append([]any{false, 0, int64(0), "", model.NodeID(0)}, s.Types...) {
		t := reflect.TypeOf(v)
		if t == nil || known[t] {
			continue
		}
		known[t] = true
		d.types[t.String()] = append(d.types[t.String()], t)
		if t.Name() != t.String() {
			d.types[t.Name()] = append(d.types[t.Name()], t)
		}
	}
	for i, n := range s.Nodes {
		d.nodes[n.Name] = model.NodeID(i)
	}
	return d
}

// typeOf returns the type of a name, such as "lock.Request" or "Request".
func (d *decoder) typeOf(name string) (reflect.Type, error) {
	switch found := d.types[name]; len(found) {
	case 0:
		return nil, fmt.Errorf("type %.60q is not one of the protocol's", name)
	case 1:
		return found[0], nil
	default:
		return nil, fmt.Errorf("type %.60q may be %v or %v", name, found[0], found[1])
	}
}

// node returns the node of a name, or of a number in JSON.
func (d *decoder) node(raw json.RawMessage) (model.NodeID, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil && len(raw) > 0 && raw[0] == '"' {
		if id, ok := d.nodes[name]; ok {
			return id, nil
		}
		return 0, fmt.Errorf("%.60q is not a node of the protocol", name)
	}
	i, err := strconv.Atoi(string(raw))
	if err != nil || i < 0 || i >= len(d.nodes) {
		return 0, fmt.Errorf("%.60s is not a node of the protocol", raw)
	}
	return model.NodeID(i), nil
}

// value decodes a value of a type.
func (d *decoder) value(raw json.RawMessage, t reflect.Type) (v reflect.Value, err error) {
	v = reflect.New(t).Elem()
	return v, d.into(raw, v, 0)
}

func (d *decoder) into(raw json.RawMessage, v reflect.Value, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("a value is nested more than %d deep", maxDepth)
	}
	switch v.Kind() {
	case reflect.Bool:
		return plainly(raw, v.Addr().Interface(), "true or false", raw)
	case reflect.String:
		return decodeText(raw, v)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return d.integer(raw, v)
	case reflect.Slice, reflect.Array:
		return d.list(raw, v, depth)
	case reflect.Map:
		return d.mapping(raw, v, depth)
	case reflect.Struct:
		return d.structure(raw, v, depth)
	case reflect.Interface:
		return d.typed(raw, v, depth)
	}
	return fmt.Errorf("%s cannot be in a log", v.Type())
}

// decodeText decodes a string, or an object with its bytes in base64.
func decodeText(raw json.RawMessage, v reflect.Value) error {
	var text string
	if json.Unmarshal(raw, &text) != nil || string(raw) == "null" {
		var encoded struct {
			Base64 []byte `json:"base64"`
		}
		if err := plainly(raw, &encoded, "a string", raw); err != nil {
			return err
		}
		text = string(encoded.Base64)
	}
	v.SetString(text)
	return nil
}

// plainly decodes JSON. It returns a sentence that needs what is allowed if it cannot, or if the JSON is null.
func plainly(raw json.RawMessage, into any, needs string, shown []byte) error {
	if string(raw) == "null" || json.Unmarshal(raw, into) != nil {
		return fmt.Errorf("%.60s is not %s", shown, needs)
	}
	return nil
}

func (d *decoder) integer(raw json.RawMessage, v reflect.Value) error {
	text := string(raw)
	if len(raw) > 0 && raw[0] == '"' {
		if err := plainly(raw, &text, "a number", raw); err != nil {
			return err
		}
		if v.Type() == nodeIDType {
			if id, ok := d.nodes[text]; ok {
				v.SetInt(int64(id))
				return nil
			}
		}
		if i, ok := d.names(v.Type())[text]; ok {
			if v.CanInt() {
				v.SetInt(i)
			} else {
				v.SetUint(uint64(i))
			}
			return nil
		}
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && v.CanInt() && !v.OverflowInt(i) {
		v.SetInt(i)
		return nil
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil && v.CanUint() && !v.OverflowUint(u) {
		v.SetUint(u)
		return nil
	}
	return fmt.Errorf("%.60s is not a value of %s", raw, v.Type())
}

// mostNames is the number of values of a type whose names are known.
const mostNames = 256

// names returns the names of the values from 0 of a type with a String method; none for other types.
func (d *decoder) names(t reflect.Type) map[string]int64 {
	if names, known := d.named[t]; known {
		return names
	}
	names := map[string]int64{}
	if t.Implements(reflect.TypeFor[fmt.Stringer]()) && t != nodeIDType {
		for i := int64(0); i < mostNames; i++ {
			name, ok := nameOf(reflect.ValueOf(i).Convert(t))
			if !ok {
				break
			}
			if _, taken := names[name]; !taken {
				names[name] = i
			}
		}
	}
	d.named[t] = names
	return names
}

// nameOf returns the String of a value. It reports false if String panics, as for a value without a name.
func nameOf(v reflect.Value) (name string, ok bool) {
	defer func() {
		if recover() != nil {
			name, ok = "", false
		}
	}()
	return v.Interface().(fmt.Stringer).String(), true
}

func (d *decoder) list(raw json.RawMessage, v reflect.Value, depth int) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("%.60s is not a list", raw)
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	}
	if len(list) != v.Len() {
		return fmt.Errorf("%s needs %d elements, not %d", v.Type(), v.Len(), len(list))
	}
	for i, e := range list {
		if err := d.into(e, v.Index(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) mapping(raw json.RawMessage, v reflect.Value, depth int) error {
	v.Set(reflect.MakeMap(v.Type()))
	var pairs [][]json.RawMessage
	if json.Unmarshal(raw, &pairs) != nil {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			return fmt.Errorf("%.60s is not an object or a list of pairs", raw)
		}
		for key, e := range object {
			quoted, _ := json.Marshal(key) // cannot fail: a string
			pairs = append(pairs, []json.RawMessage{quoted, e})
		}
	}
	for _, p := range pairs {
		if len(p) != 2 {
			return fmt.Errorf("an entry of %s is a pair of key and value", v.Type())
		}
		key, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if err := d.into(p[0], key, depth+1); err != nil {
			return err
		}
		if err := d.into(p[1], e, depth+1); err != nil {
			return err
		}
		if !key.Comparable() || v.MapIndex(key).IsValid() {
			return fmt.Errorf("a key of %s is there twice, or cannot be compared", v.Type())
		}
		v.SetMapIndex(key, e)
	}
	return nil
}

func (d *decoder) structure(raw json.RawMessage, v reflect.Value, depth int) error {
	members, err := objectOf(raw)
	if err != nil {
		return err
	}
	for name, e := range members {
		f, ok := v.Type().FieldByName(name)
		if !ok || !f.IsExported() || len(f.Index) > 1 {
			return fmt.Errorf("%s has no field %.60q", v.Type(), name)
		}
		if err := d.into(e, v.FieldByIndex(f.Index), depth+1); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && members[f.Name] == nil {
			return fmt.Errorf("a %s within a value needs all of its fields, but has no %s", v.Type(), f.Name)
		}
	}
	return nil
}

// typed decodes an object with the members type and value, or null.
func (d *decoder) typed(raw json.RawMessage, v reflect.Value, depth int) error {
	if string(raw) == "null" {
		return nil
	}
	t, value, err := d.typeAndValue(raw)
	if err != nil {
		return err
	}
	if value == nil {
		value = json.RawMessage("{}")
	}
	if !t.AssignableTo(v.Type()) {
		return fmt.Errorf("a %s is not a %s", t, v.Type())
	}
	e := reflect.New(t).Elem()
	if err := d.into(value, e, depth+1); err != nil {
		return fmt.Errorf("%s: %w", t, err)
	}
	v.Set(e)
	return nil
}

// typeAndValue returns the members of an object. The value is nil if it is missing.
func (d *decoder) typeAndValue(raw json.RawMessage) (reflect.Type, json.RawMessage, error) {
	members, err := objectOf(raw)
	if err != nil {
		return nil, nil, err
	}
	for name := range members {
		if name != "type" && name != "value" {
			return nil, nil, fmt.Errorf("field %.60q is not known: a value has a type and a value", name)
		}
	}
	var name string
	if err := plainly(members["type"], &name, "the name of a type", members["type"]); err != nil {
		return nil, nil, err
	}
	t, err := d.typeOf(name)
	return t, members["value"], err
}

// objectOf decodes an object. It refuses null.
func objectOf(raw json.RawMessage) (members map[string]json.RawMessage, err error) {
	return members, plainly(raw, &members, "an object", raw)
}
