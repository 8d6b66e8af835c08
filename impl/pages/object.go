package pages

import (
	"contend/model"
	"contend/model/claims"
)

// Object returns the page of an object with atomic operations. Each operation takes effect at one moment between its
// call and its return.
func Object(o model.Object) *model.Protocol {
	return &model.Protocol{
		Name: "atomic-object", Title: "each operation takes effect at one moment", Source: "a page",
		Params: []model.Parameter{nodes},
		Build: func(c model.Config) (*model.System, error) {
			types := append([]any{Call{}, Result{}}, o.Types...)
			return system("object", c, types, func() model.Node { return &object{spec: o, State: o.Init} }), nil
		},
	}
}

// The operation and the note of the object. At is the index of the operation in its script.
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

// object is the node of the page. Operations of crashed nodes may never return, so they may accumulate.
type object struct {
	spec    model.Object
	State   any
	Calls   Calls   // calls without effect yet
	Results Results // results of calls that have taken effect and not returned
}

type (
	// Calls are calls in no order.
	Calls []Call
	// Results are results in no order.
	Results []Result
)

// Unordered marks values with the same elements as equal.
func (Calls) Unordered() {}

// Unordered marks values with the same elements as equal.
func (Results) Unordered() {}

func (*object) Start(env model.Env) { wake(env) }

func (o *object) Invoke(env model.Env, call any) {
	o.Calls = append(o.Calls, call.(Call))
	env.Return(nil)
}

func (o *object) Timeout(env model.Env, _ any) {
	wake(env)
	if len(o.Calls)+len(o.Results) == 0 {
		return
	}
	k := env.Choose(len(o.Calls) + len(o.Results))
	if k < len(o.Calls) {
		o.takeEffect(env, k)
		return
	}
	k -= len(o.Calls)
	env.Note(o.Results[k])
	o.Results = append(o.Results[:k:k], o.Results[k+1:]...)
}

// takeEffect lets a call take effect, if the object allows the call in its state.
func (o *object) takeEffect(env model.Env, k int) {
	call := o.Calls[k]
	effects := o.spec.Step(o.State, call.Who, call.Op)
	if len(effects) == 0 {
		return
	}
	e := effects[env.Choose(len(effects))]
	o.State, o.Calls = e.State, append(o.Calls[:k:k], o.Calls[k+1:]...)
	o.Results = append(o.Results, Result{call.Who, call.At, e.Result})
}

// RefinesObject claims that operations refine an atomic [Object].
func RefinesObject(object model.Object, assumes ...model.Assumption) model.Claim {
	c := claims.Refines(Object(object), func(o model.Observation) (model.Observation, bool) {
		switch o.Kind {
		case model.Invoked:
			return model.Observation{Kind: model.Invoked, Value: Call{o.Node, o.Op, o.Value}}, true
		case model.Returned:
			if !object.Knows(o.Value) {
				return model.Observation{}, false
			}
			return note(Result{o.Node, o.Op, o.Value})
		}
		return model.Observation{}, false
	})
	c.Assumes = assumes
	c.Refinement.At = check
	c.Refinement.Hides = func(o model.Observation) bool { return o.Kind == model.Returned } // of the call itself
	return c
}
