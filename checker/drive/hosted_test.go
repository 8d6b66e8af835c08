package drive

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"contend/model"
	"contend/model/value"
)

// A hosted adapter runs the nodes of a system as an implementation. It shares no code with the interpreter besides
// copies of values. It follows the choices of the page, unless it has its own.
type hosted struct {
	page   *model.System // its nodes have the fields that are compared
	system *model.System
	codec  *value.Codec
	nodes  []model.Node // nil for a node that is down
	kept   []model.Node // the states after a restart
	alarms []map[string]any
	holds  []map[string]bool
	step   *Step               // the present
	own    func(s *Step) []int // unless nil, the answers to choices
}

func newHosted(t testing.TB, page, s *model.System) *hosted {
	codec, err := value.New(s)
	if err != nil {
		t.Fatal(err)
	}
	h := &hosted{page: page, system: s, codec: codec, nodes: make([]model.Node, len(s.Nodes)), kept: make([]model.Node, len(s.Nodes))}
	for range s.Nodes {
		h.alarms, h.holds = append(h.alarms, map[string]any{}), append(h.holds, map[string]bool{})
	}
	return h
}

// A env is the Env of one handler.
type env struct {
	*hosted
	step    *Step
	answers []int
	known   map[string]bool
}

func (h *hosted) env(s *Step) *env {
	e := &env{hosted: h, step: s, known: map[string]bool{}}
	s.ShowNotes()
	h.step = s
	if h.own != nil {
		e.answers = h.own(s)
		return e
	}
	for _, c := range s.Choices {
		e.answers = append(e.answers, c.Is)
	}
	return e
}

func key(v any) string { return value.Canonical(v) }

func (e *env) Self() model.NodeID          { return e.step.Node }
func (e *env) Send(to model.NodeID, m any) { e.step.Send(to, e.codec.Copy(m)) }
func (e *env) After(k any, _ model.Window) { e.alarms[e.step.Node][key(k)] = k }
func (e *env) Cancel(k any)                { delete(e.alarms[e.step.Node], key(k)) }
func (e *env) Choose(n int) int            { return e.answer(n) }
func (e *env) Draw(n int) int              { return e.answer(n) }
func (e *env) Return(v any)                { e.step.Return(e.codec.Copy(v)) }
func (e *env) Deliver(v any)               { e.step.Note(e.codec.Copy(v)) }
func (e *env) Note(v any)                  { e.step.Note(e.codec.Copy(v)) }
func (e *env) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		e.Send(id, m)
	}
}

func (e *env) answer(n int) (is int) {
	if len(e.answers) > 0 {
		is, e.answers = e.answers[0], e.answers[1:]
	}
	return min(is, n-1)
}

func (e *env) Hold(k any, d model.Bound) {
	lasts := d.At > 0 || !d.Open
	e.known[key(k)] = lasts
	delete(e.holds[e.step.Node], key(k))
	if lasts {
		e.holds[e.step.Node][key(k)] = true
	}
}

func (e *env) Held(k any) bool {
	if known, is := e.known[key(k)]; is {
		return known
	}
	held := e.holds[e.step.Node][key(k)] && e.answer(2) == 0
	if !held {
		delete(e.holds[e.step.Node], key(k))
	}
	e.known[key(k)] = held
	return held
}

func (h *hosted) Start(s *Step) {
	n := h.kept[s.Node]
	if n == nil {
		n = h.system.Nodes[s.Node].New()
		h.codec.Tidy(n)
	}
	h.nodes[s.Node] = n
	if starts, is := h.fresh(s.Node).(model.Starter); is {
		starts.Start(h.env(s))
	}
}

func (h *hosted) Crash(s *Step) {
	if h.system.Nodes[s.Node].MayRecover() {
		made := h.system.Nodes[s.Node].New()
		h.codec.Tidy(made)
		h.kept[s.Node] = h.codec.Recovered(made, h.nodes[s.Node])
	}
	h.nodes[s.Node] = nil
	clear(h.alarms[s.Node])
	clear(h.holds[s.Node])
}

func (h *hosted) Deliver(s *Step, from model.NodeID, m any) {
	if n, is := h.fresh(s.Node).(model.Receiver); is {
		n.Receive(h.env(s), from, h.codec.Copy(m))
	}
}

// fresh returns a node for a handler, with maps that are not nil.
func (h *hosted) fresh(id model.NodeID) model.Node {
	h.nodes[id] = h.codec.Fresh(h.nodes[id])
	return h.nodes[id]
}

func (h *hosted) Call(s *Step, call any) { h.fresh(s.Node).(model.Invoker).Invoke(h.env(s), call) }

func (h *hosted) Fire(s *Step, k any) {
	if _, set := h.alarms[s.Node][key(k)]; !set {
		s.Refuse("the alarm is not set")
		return
	}
	delete(h.alarms[s.Node], key(k))
	if n, is := h.fresh(s.Node).(model.Timeouter); is {
		n.Timeout(h.env(s), k)
	}
}

func (h *hosted) Suspect(s *Step, id model.NodeID) {
	h.fresh(s.Node).(model.Suspecter).Suspect(h.env(s), id)
}

func (h *hosted) Trust(s *Step, id model.NodeID) {
	h.fresh(s.Node).(model.Suspecter).Trust(h.env(s), id)
}

func (h *hosted) State(id model.NodeID) map[string]any {
	if h.step != nil && h.step.Node == id {
		keys := []any{}
		for _, name := range slices.Sorted(maps.Keys(h.alarms[id])) {
			keys = append(keys, h.alarms[id][name])
		}
		h.step.ShowAlarms(keys...)
	}
	if h.nodes[id] == nil {
		return nil
	}
	all := map[string]any{}
	v := reflect.Indirect(reflect.ValueOf(h.nodes[id]))
	t := reflect.TypeOf(h.page.Nodes[id].New()).Elem()
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && v.FieldByName(f.Name).IsValid() && v.FieldByName(f.Name).Type() == f.Type {
			all[f.Name] = v.FieldByName(f.Name).Interface()
		}
	}
	return all
}
