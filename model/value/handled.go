package value

import (
	"fmt"
	"reflect"

	"contend/model"
)

// A handler is an interface that a node may implement, its methods, and the form that they have.
type handler struct {
	is      reflect.Type
	methods []string
	as      string
}

var handlers = []handler{
	{reflect.TypeFor[model.Starter](), []string{"Start"}, "Start(model.Env)"},
	{reflect.TypeFor[model.Invoker](), []string{"Invoke"}, "Invoke(model.Env, any)"},
	{reflect.TypeFor[model.Receiver](), []string{"Receive"}, "Receive(model.Env, model.NodeID, any)"},
	{reflect.TypeFor[model.Timeouter](), []string{"Timeout"}, "Timeout(model.Env, any)"},
	{reflect.TypeFor[model.Suspecter](), []string{"Suspect", "Trust"}, "Suspect(model.Env, model.NodeID) and Trust(model.Env, model.NodeID)"},
}

// checkHandlers refuses a node that has a method of a handler's name which is none, since nothing
// would ever call it; and a script of what the system does not list.
func (c *Codec) checkHandlers(n model.Node, spec model.NodeSpec) error {
	t := reflect.TypeOf(n)
	for _, h := range handlers {
		for _, name := range h.methods {
			if _, has := t.MethodByName(name); has && !t.Implements(h.is) {
				return fmt.Errorf("its method %s is not called: a handler has the form %s", name, h.as)
			}
		}
	}
	for i, op := range spec.Script {
		for _, call := range []any{op.Call, op.Release} {
			if t := reflect.TypeOf(call); t != nil && !c.listed(t) {
				return fmt.Errorf("operation %d of its script: %w", i+1, Unlisted{Type: t.String()})
			}
		}
	}
	return nil
}

func (c *Codec) listed(t reflect.Type) bool {
	_, is := c.index[t]
	return is
}
