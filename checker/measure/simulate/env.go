package simulate

import (
	"contend/model"
	"contend/model/rules"
)

// An env is the environment of the running handler. A simulation has one, since handlers run one at a time.
type env struct {
	r       *simulation
	id      model.NodeID
	sent    bool
	choices []int // results of the handler's Choose and Draw
}

func (e *env) node() *node { return &e.r.nodes[e.id] }

func (e *env) name() string { return e.r.System.Name(e.id) }

func (e *env) Self() model.NodeID { return e.id }

func (e *env) Send(to model.NodeID, m any) {
	rules.MustExist(e.r.System, e.id, to)
	e.sent = true
	e.r.send(e.id, to, e.r.Codec.Copy(m))
}

func (e *env) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		e.Send(id, m)
	}
}

func (e *env) After(key any, w model.Window) {
	rules.MustArm("node "+e.name(), w)
	key = e.r.Codec.Copy(key)
	k := string(e.r.Codec.Any(key, nil))
	e.disarm(k)
	alarm := &event{kind: model.Timeout, node: e.id, value: key, key: k, window: w}
	e.r.later(alarm)
	e.node().alarms[k] = alarm
}

func (e *env) Cancel(key any) { e.disarm(string(e.r.Codec.Any(key, nil))) }

func (e *env) disarm(k string) {
	if alarm, ok := e.node().alarms[k]; ok {
		e.r.events.remove(alarm)
		delete(e.node().alarms, k)
	}
}

func (e *env) Hold(key any, d model.Bound) {
	rules.MustHold("node "+e.name(), d)
	e.node().holds[string(e.r.Codec.Any(key, nil))] = hold{e.r.now + Time(d.At)*Parts, d.Open}
}

func (e *env) Held(key any) bool {
	h, ok := e.node().holds[string(e.r.Codec.Any(key, nil))]
	return ok && (e.r.now < h.end || e.r.now == h.end && !h.open)
}

// Choose draws uniformly: an average adversary, not the worst.
func (e *env) Choose(n int) int { return e.Draw(n) }

func (e *env) Draw(n int) int {
	rules.MustChoose(n)
	choice := e.r.chance.IntN(n)
	e.choices = append(e.choices, choice)
	return choice
}

func (e *env) Return(result any) {
	n := e.node()
	if !n.busy || n.returning {
		model.Misused("node %s returns, but no invocation runs", e.name())
	}
	n.returning = true
	e.r.later(&event{kind: model.Return, node: e.id, value: e.r.Codec.Copy(result), window: e.r.System.Returned})
}

// Deliver and Note do nothing: a simulation has no monitors.
func (e *env) Deliver(any) {}

func (e *env) Note(any) {}
