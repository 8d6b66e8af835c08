package value

import (
	"fmt"
	"reflect"

	"contend/model"
	"contend/model/shape"
)

// The tag of a field that survives a crash.
const (
	tagKey    = "contend"
	stableTag = "stable"
)

// checkTag refuses a tag that is not that of a stable field, and one where no field is stable:
// outside a node's own fields, which alone survive a crash one by one.
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

// HasStable reports whether a node has fields that survive a crash.
func (c *Codec) HasStable(n model.Node) bool { return hasStable(reflect.TypeOf(n).Elem()) }

func hasStable(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); isStable(f) || shape.IsInner(f) && hasStable(f.Type) {
			return true
		}
	}
	return false
}

// Recovered returns a node as it comes back after a crash, before Start: as it was made, but
// for its stable fields, which are as the crash left them.
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

// keepState copies a stable field; of a node within the node, its state.
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

// registerNode lets the state of a node with stable fields be held in an interface, for
// whoever keeps it through a crash. No trace holds one.
func (c *Codec) registerNode(n model.Node) {
	if t := reflect.TypeOf(n).Elem(); hasStable(t) {
		c.hold(t)
	}
}

// State returns the state of a node, which has stable fields or is a page's, as a value that an
// interface may hold.
func (c *Codec) State(n model.Node) any { return reflect.ValueOf(n).Elem().Interface() }

// WithState is the inverse of [Codec.State]: a node with the configuration of proto.
func (c *Codec) WithState(proto model.Node, state any) model.Node {
	n := c.Fresh(proto)
	keepState(reflect.ValueOf(n).Elem(), reflect.ValueOf(state), true)
	return c.Fresh(n)
}
