// Package shape inspects the Go types of nodes and monitors: structs that are nodes (shape.go), and fields that
// are monitors within a monitor (watched.go).
package shape

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/model"
)

// A handler is an interface that a node may implement, with its methods and their signature.
type handler struct {
	t         reflect.Type
	methods   []string
	signature string
}

var handlers = []handler{
	{reflect.TypeFor[model.Starter](), []string{"Start"}, "Start(model.Env)"},
	{reflect.TypeFor[model.Invoker](), []string{"Invoke"}, "Invoke(model.Env, any)"},
	{reflect.TypeFor[model.Receiver](), []string{"Receive"}, "Receive(model.Env, model.NodeID, any)"},
	{reflect.TypeFor[model.Timeouter](), []string{"Timeout"}, "Timeout(model.Env, any)"},
	{reflect.TypeFor[model.Suspecter](), []string{"Suspect", "Trust"}, "Suspect(model.Env, model.NodeID) and Trust(model.Env, model.NodeID)"},
}

// IsNode reports whether a pointer to the struct type has a handler.
func IsNode(t reflect.Type) bool {
	return slices.ContainsFunc(handlers, func(h handler) bool { return reflect.PointerTo(t).Implements(h.t) })
}

// IsInner reports whether a field of a node is a node within the node.
func IsInner(f reflect.StructField) bool { return f.Type.Kind() == reflect.Struct && IsNode(f.Type) }

// Misnamed returns an error if a method has the name of a handler and another signature, since no engine would
// call it.
func Misnamed(node reflect.Type) error {
	for _, h := range handlers {
		for _, name := range h.methods {
			if _, ok := node.MethodByName(name); ok && !node.Implements(h.t) {
				return fmt.Errorf("its method %s is not called: a handler has the form %s", name, h.signature)
			}
		}
	}
	return nil
}

// IsOptional reports whether a type is a [model.Optional].
func IsOptional(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[model.NodeID]().PkgPath() && strings.HasPrefix(t.Name(), "Optional[")
}
