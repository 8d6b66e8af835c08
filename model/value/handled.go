package value

import (
	"fmt"
	"reflect"

	"contend/model"
)

// asked are the methods that a node may have, by the interfaces that ask for them.
var asked = []struct {
	handler reflect.Type
	methods []string
	as      string
}{
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
	for _, a := range asked {
		for _, name := range a.methods {
			if _, has := t.MethodByName(name); has && !t.Implements(a.handler) {
				return fmt.Errorf("its method %s is not called: a handler has the form %s", name, a.as)
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
