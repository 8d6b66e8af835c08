package foreign

import (
	"encoding/binary"
	"fmt"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
	"contend/model/wrapped"
)

// A listener is the [model.Env] of a handler, and records what it answers. It calls the underlying Env first: a
// goroutine that must not use that Env then changes nothing here.
type listener struct {
	model.Env
	answers []int32
}

func (h *listener) recordAnswer(answer int) int {
	h.answers = append(h.answers, int32(answer))
	return answer
}

func (h *listener) Choose(n int) int { return h.recordAnswer(h.Env.Choose(n)) }
func (h *listener) Draw(n int) int   { return h.recordAnswer(h.Env.Draw(n)) }

func (h *listener) Held(key any) bool {
	held := h.Env.Held(key)
	h.recordAnswer(b2i(held))
	return held
}

// Clock implements [wrapped.Clock]. The time is recorded as several answers.
func (h *listener) Clock() (now, parts int64, ok bool) {
	now, parts, ok = wrapped.Now(h.Env)
	h.recordAnswer(b2i(ok))
	if ok {
		for _, n := range []int64{now, parts} {
			h.answers = append(h.answers, int32(n>>32), int32(n))
		}
	}
	return now, parts, ok
}

// Drift implements [wrapped.Drifting].
func (h *listener) Drift() model.Drift {
	return model.Drift{Thousandths: h.recordAnswer(wrapped.Drift(h.Env).Thousandths)}
}

// AfterReal implements [wrapped.Drifting].
func (h *listener) AfterReal(key any, n model.Ticks) { wrapped.AfterReal(h.Env, key, n) }

// A recorder is a listener that also records questions and effects.
type recorder struct {
	listener
	codes   []int32 // the n of each choice, or a code
	effects []byte
	wording bool
	words   []string // the effects as text, if wording is set
}

// The codes of answers that are not choices.
const (
	askedHeld int32 = -1
	askedLess int32 = -2
	askedTime int32 = -3
	askedRate int32 = -4
	askedDraw int32 = 1 << 24 // plus the n of the draw
)

var verbs = map[byte]string{'s': "sends", 'a': "sets the alarm", 'c': "cancels the alarm", 'h': "sets the hold", 'r': "returns", 'd': "delivers",
	'n': "notes", 'w': "within"}

// recordEffect records an effect of a handler with its value and receivers.
func (h *recorder) recordEffect(what byte, v any, to ...model.NodeID) {
	if h.wording {
		text := verbs[what] + " " + describe.Value(v, nil)
		for _, id := range to {
			text += fmt.Sprintf(" to node %d", id)
		}
		h.words = append(h.words, text)
	}
	h.effects = append(h.effects, what)
	for _, id := range to {
		h.effects = binary.AppendVarint(h.effects, int64(id))
	}
	h.effects = append(h.effects, value.Canonical(v)...)
}

func (h *recorder) Choose(n int) int {
	answer := h.listener.Choose(n)
	h.codes = append(h.codes, int32(n))
	return answer
}

func (h *recorder) Draw(n int) int {
	answer := h.listener.Draw(n)
	h.codes = append(h.codes, askedDraw+int32(n))
	return answer
}

func (h *recorder) Held(key any) bool {
	held := h.listener.Held(key)
	h.codes = append(h.codes, askedHeld)
	return held
}

func (h *recorder) Clock() (now, parts int64, ok bool) {
	now, parts, ok = h.listener.Clock()
	for len(h.codes) < len(h.answers) {
		h.codes = append(h.codes, askedTime)
	}
	return now, parts, ok
}

func (h *recorder) Drift() model.Drift {
	d := h.listener.Drift()
	h.codes = append(h.codes, askedRate)
	return d
}

func (h *recorder) AfterReal(key any, n model.Ticks) {
	h.listener.AfterReal(key, n)
	h.recordEffect('a', key)
	h.recordEffect('w', model.Exactly(n))
}

func (h *recorder) Send(to model.NodeID, m any) {
	h.Env.Send(to, m)
	h.recordEffect('s', m, to)
}

func (h *recorder) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		h.Send(id, m)
	}
}

func (h *recorder) After(key any, w model.Window) {
	h.Env.After(key, w)
	h.recordEffect('a', key)
	h.recordEffect('w', w)
}

func (h *recorder) Cancel(key any) {
	h.Env.Cancel(key)
	h.recordEffect('c', key)
}

func (h *recorder) Hold(key any, d model.Bound) {
	h.Env.Hold(key, d)
	h.recordEffect('h', key)
	h.recordEffect('w', model.Window{Hi: d})
}

func (h *recorder) Return(result any) {
	h.Env.Return(result)
	h.recordEffect('r', result)
}

func (h *recorder) Deliver(v any) {
	h.Env.Deliver(v)
	h.recordEffect('d', v)
}

func (h *recorder) Note(label any) {
	h.Env.Note(label)
	h.recordEffect('n', label)
}

// A replayer is the [model.Env] of a handler that is replayed. It repeats the recorded answers, and ignores
// effects.
type replayer struct {
	self      model.NodeID
	answers   []int32
	exhausted bool // there were too few recorded answers
}

func (r *replayer) answer() int {
	if len(r.answers) == 0 {
		r.exhausted = true
		return 0
	}
	is := r.answers[0]
	r.answers = r.answers[1:]
	return int(is)
}

// Clock implements [wrapped.Clock].
func (r *replayer) Clock() (now, parts int64, ok bool) {
	if r.answer() == 0 {
		return 0, 0, false
	}
	long := func() int64 {
		high := int64(r.answer()) << 32
		return high | int64(uint32(r.answer()))
	}
	now = long()
	return now, long(), true
}

// Drift implements [wrapped.Drifting].
func (r *replayer) Drift() model.Drift { return model.Drift{Thousandths: r.answer()} }

// AfterReal implements [wrapped.Drifting].
func (r *replayer) AfterReal(any, model.Ticks) {}

func (r *replayer) Self() model.NodeID            { return r.self }
func (r *replayer) Choose(int) int                { return r.answer() }
func (r *replayer) Draw(int) int                  { return r.answer() }
func (r *replayer) Held(any) bool                 { return r.answer() == 1 }
func (r *replayer) Send(model.NodeID, any)        {}
func (r *replayer) Broadcast([]model.NodeID, any) {}
func (r *replayer) After(any, model.Window)       {}
func (r *replayer) Cancel(any)                    {}
func (r *replayer) Hold(any, model.Bound)         {}
func (r *replayer) Return(any)                    {}
func (r *replayer) Deliver(any)                   {}
func (r *replayer) Note(any)                      {}
