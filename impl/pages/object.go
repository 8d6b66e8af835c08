package pages

import (
	"contend/model"
	"contend/model/claims"
)

// Object is an object on which operations take effect one at a time, each at one moment between its
// call and its return.
func Object(o model.Object) *model.Protocol {
	return &model.Protocol{
		Name: "atomic-object", Title: "each operation takes effect at one moment", Source: "a page",
		Params: []model.Parameter{nodes},
		Build: func(c model.Config) (*model.System, error) {
			types := append([]any{Call{}, Result{}}, o.Types...)
			return alone("object", c, types, func() model.Node { return &object{spec: o, State: o.Init} }), nil
		},
	}
}

// What the object is told, and what it shows. At is the place of the operation in its script.
type (
	Call struct {
		Who model.NodeID
		At  int
		Op  any
	}
	Result struct {
		Who   model.NodeID
		At    int
		Value any
	}
)

// object is the node of the page. Of a node that crashed, operations that never return may pile up.
type object struct {
	spec    model.Object
	State   any
	Calls   Calls   // that have not taken effect
	Results Results // of those that have, and have not returned
}

type (
	// Calls are calls in no order.
	Calls []Call
	// Results are results in no order.
	Results []Result
)

// Unordered makes equal what has the same elements.
func (Calls) Unordered() {}

// Unordered makes equal what has the same elements.
func (Results) Unordered() {}

func (*object) Start(env model.Env) { next(env) }

func (o *object) Invoke(env model.Env, call any) {
	o.Calls = append(o.Calls, call.(Call))
	env.Return(nil)
}

func (o *object) Timeout(env model.Env, _ any) {
	next(env)
	if len(o.Calls)+len(o.Results) == 0 {
		return
	}
	k := env.Choose(len(o.Calls) + len(o.Results))
	if k < len(o.Calls) {
		o.takes(env, k)
		return
	}
	k -= len(o.Calls)
	env.Note(o.Results[k])
	o.Results = append(o.Results[:k:k], o.Results[k+1:]...)
}

// takes lets a call take effect, if the object allows it now.
func (o *object) takes(env model.Env, k int) {
	call := o.Calls[k]
	effects := o.spec.Step(o.State, call.Who, call.Op)
	if len(effects) == 0 {
		return
	}
	e := effects[env.Choose(len(effects))]
	o.State, o.Calls = e.State, append(o.Calls[:k:k], o.Calls[k+1:]...)
	o.Results = append(o.Results, Result{call.Who, call.At, e.Result})
}

// RefinesObject says that operations are those of an atomic [Object].
func RefinesObject(object model.Object, assumes ...model.Assumption) model.Claim {
	c := claims.Refines(Object(object), func(o model.Observation) (model.Observation, bool) {
		switch o.Kind {
		case model.Invoked:
			return model.Observation{Kind: model.Invoked, Value: Call{o.Node, o.Op, o.Value}}, true
		case model.Returned:
			if !object.Knows(o.Value) {
				return model.Observation{}, false
			}
			return told(Result{o.Node, o.Op, o.Value})
		}
		return model.Observation{}, false
	})
	c.Assumes = assumes
	c.Refinement.At = beside
	c.Refinement.Hides = func(o model.Observation) bool { return o.Kind == model.Returned } // of the call itself
	return c
}
