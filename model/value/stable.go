package value

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/shape"
)

// The tag of a stable field.
const (
	tagKey    = "contend"
	stableTag = "stable"
)

// checkTag returns an error if a field has an invalid tag, or a stable tag outside the fields of a node.
func checkTag(f reflect.StructField, path string, node bool) error {
	tag, ok := f.Tag.Lookup(tagKey)
	switch {
	case !ok:
		return nil
	case tag != stableTag:
		return fmt.Errorf("%s.%s has the tag %s:%q, but the only one there is is %s:%q", path, f.Name, tagKey, tag, tagKey, stableTag)
	case !f.IsExported():
		return fmt.Errorf("%s.%s is unexported, so it is configuration, which no crash changes: it cannot be stable", path, f.Name)
	case !node:
		return fmt.Errorf("%s.%s has the tag %s:%q, but only fields of nodes are stable", path, f.Name, tagKey, stableTag)
	}
	return nil
}

func isStable(f reflect.StructField) bool { return f.Tag.Get(tagKey) == stableTag }

// HasStable reports whether a node has stable fields.
func (c *Codec) HasStable(n model.Node) bool { return hasStable(reflect.TypeOf(n).Elem()) }

func hasStable(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); isStable(f) || shape.IsInner(f) && hasStable(f.Type) {
			return true
		}
	}
	return false
}

// Recovered returns a node after a restart, before Start: the initial node with the stable fields of the
// crashed one.
func (c *Codec) Recovered(made, crashed model.Node) model.Node {
	n := c.Fresh(made)
	keepStable(reflect.ValueOf(n).Elem(), reflect.ValueOf(crashed).Elem())
	return c.Fresh(n)
}

func keepStable(to, from reflect.Value) {
	for i := range to.NumField() {
		switch f := to.Type().Field(i); {
		case isStable(f):
			keepState(to.Field(i), from.Field(i), shape.IsInner(f))
		case shape.IsInner(f):
			keepStable(to.Field(i), from.Field(i))
		}
	}
}

// keepState copies a stable field, or the state of a stable node within the node.
func keepState(to, from reflect.Value, node bool) {
	if !node {
		to.Set(from)
		return
	}
	for i := range to.NumField() {
		if f := to.Type().Field(i); f.IsExported() {
			keepState(to.Field(i), from.Field(i), shape.IsInner(f))
		}
	}
}

// registerNode registers the type of a node with stable fields, since its state is stored in an interface while
// the node is down. Traces do not contain it.
func (c *Codec) registerNode(n model.Node) {
	if t := reflect.TypeOf(n).Elem(); hasStable(t) {
		c.hold(t)
	}
}

// State returns the state of a node as a value for an interface. The node has stable fields or is a page's.
func (c *Codec) State(n model.Node) any { return reflect.ValueOf(n).Elem().Interface() }

// WithState is the inverse of [Codec.State]: it returns a node with the configuration of proto.
func (c *Codec) WithState(proto model.Node, state any) model.Node {
	n := c.Fresh(proto)
	keepState(reflect.ValueOf(n).Elem(), reflect.ValueOf(state), true)
	return c.Fresh(n)
}

// StableJSON returns the fields of a node that a restart keeps, by name, in the JSON of [Codec.JSON]. A node within the
// node that has stable fields is there with all of its fields. It returns nil if the node has no stable fields.
func (c *Codec) StableJSON(n model.Node) (map[string]json.RawMessage, error) {
	var all map[string]json.RawMessage
	v := reflect.ValueOf(n).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		if f.Anonymous && shape.IsInner(f) && !isStable(f) || !isStable(f) && !(shape.IsInner(f) && hasStable(f.Type)) {
			continue // the fields of an embedded node are visible themselves
		}
		tree, err := c.tree(v.FieldByIndex(f.Index))
		if err != nil {
			return nil, err
		}
		raw, err := json.Marshal(tree)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[f.Name] = raw
	}
	return all, nil
}

// Restored returns a node after a restart, before Start: the initial node with the fields of [Codec.StableJSON]. The
// error is a sentence on a field.
func (c *Codec) Restored(made model.Node, stable map[string]json.RawMessage) (model.Node, error) {
	crashed := c.Fresh(made)
	v := reflect.ValueOf(crashed).Elem()
	for _, name := range slices.Sorted(maps.Keys(stable)) {
		f, ok := v.Type().FieldByName(name)
		if !ok || !f.IsExported() {
			return nil, fmt.Errorf("%s has no field %.60q", v.Type(), name)
		}
		if err := c.read(stable[name], v.FieldByIndex(f.Index), 0); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c.Recovered(made, crashed), nil
}
