package model

// An Inner is a message or a key of a node within a node. The tag identifies the inner node.
type Inner struct {
	Tag   string
	Value any
}

// Within returns the env for the handlers of a node within another. The messages and keys of the inner node are
// wrapped as [Inner] values with the tag. The outer node's Receive and Timeout must unwrap these. Its Return
// calls onReturn, within the handler, in place of the application. Its Deliver reaches the application.
//
//	case model.Inner: // of Receive, in the outer node
//		c.Mutex.Receive(model.Within(env, in.Tag, c.entered), from, in.Value)
func Within(env Env, tag string, onReturn func(result any)) Env {
	return &within{Env: env, tag: tag, onReturn: onReturn}
}

type within struct {
	Env
	tag      string
	onReturn func(any)
}

func (w *within) wrap(v any) Inner             { return Inner{Tag: w.tag, Value: v} }
func (w *within) Send(to NodeID, m any)        { w.Env.Send(to, w.wrap(m)) }
func (w *within) Broadcast(to []NodeID, m any) { w.Env.Broadcast(to, w.wrap(m)) }
func (w *within) After(key any, win Window)    { w.Env.After(w.wrap(key), win) }
func (w *within) Cancel(key any)               { w.Env.Cancel(w.wrap(key)) }
func (w *within) Hold(key any, d Bound)        { w.Env.Hold(w.wrap(key), d) }
func (w *within) Held(key any) bool            { return w.Env.Held(w.wrap(key)) }
func (w *within) Return(result any)            { w.onReturn(result) }
