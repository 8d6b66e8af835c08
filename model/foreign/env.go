package foreign

import (
	"encoding/binary"
	"fmt"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
)

// hearing is the [model.Env] of a handler: it takes down what the handler is answered and what it
// does, once the Env that it stands for has taken it, so that a goroutine which may not use that Env writes nothing here.
type hearing struct {
	model.Env
	answers []int32
	asked   []int32 // of how many each was chosen, or a sign
	did     []byte
	tells   bool
	words   []string // what it does, for people, if it tells
}

// What is asked besides choices.
const (
	askedHeld int32 = -1
	askedLess int32 = -2
	askedDraw int32 = 1 << 24 // and of how many
)

func (h *hearing) answered(asked int32, is int) int {
	h.asked, h.answers = append(h.asked, asked), append(h.answers, int32(is))
	return is
}

var verbs = map[byte]string{'s': "sends", 'a': "sets the alarm", 'c': "cancels the alarm", 'h': "sets the hold", 'r': "returns", 'd': "delivers",
	'n': "notes", 'w': "within"}

// tell takes down what a handler does with a value, and to whom.
func (h *hearing) tell(what byte, v any, to ...model.NodeID) {
	if h.tells {
		text := verbs[what] + " " + describe.Value(v, nil)
		for _, id := range to {
			text += fmt.Sprintf(" to node %d", id)
		}
		h.words = append(h.words, text)
	}
	h.did = append(h.did, what)
	for _, id := range to {
		h.did = binary.AppendVarint(h.did, int64(id))
	}
	h.did = append(h.did, value.Canonical(v)...)
}

func (h *hearing) Choose(n int) int { return h.answered(int32(n), h.Env.Choose(n)) }
func (h *hearing) Draw(n int) int   { return h.answered(askedDraw+int32(n), h.Env.Draw(n)) }

func (h *hearing) Held(key any) bool {
	held := h.Env.Held(key)
	h.answered(askedHeld, b2i(held))
	return held
}

func (h *hearing) Send(to model.NodeID, m any) {
	h.Env.Send(to, m)
	h.tell('s', m, to)
}

func (h *hearing) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		h.Send(id, m)
	}
}

func (h *hearing) After(key any, w model.Window) {
	h.Env.After(key, w)
	h.tell('a', key)
	h.tell('w', w)
}

func (h *hearing) Cancel(key any) {
	h.Env.Cancel(key)
	h.tell('c', key)
}

func (h *hearing) Hold(key any, d model.Bound) {
	h.Env.Hold(key, d)
	h.tell('h', key)
	h.tell('w', model.Window{Hi: d})
}

func (h *hearing) Return(result any) {
	h.Env.Return(result)
	h.tell('r', result)
}

func (h *hearing) Deliver(v any) {
	h.Env.Deliver(v)
	h.tell('d', v)
}

func (h *hearing) Note(label any) {
	h.Env.Note(label)
	h.tell('n', label)
}

// replaying is the [model.Env] of a handler that runs once more, to restore an object: it answers
// as the handler was answered then, and nothing that the handler does happens.
type replaying struct {
	self    model.NodeID
	answers []int32
	strayed bool // it asked more than it was answered
}

func (r *replaying) answer() int {
	if len(r.answers) == 0 {
		r.strayed = true
		return 0
	}
	is := r.answers[0]
	r.answers = r.answers[1:]
	return int(is)
}

func (r *replaying) Self() model.NodeID            { return r.self }
func (r *replaying) Choose(int) int                { return r.answer() }
func (r *replaying) Draw(int) int                  { return r.answer() }
func (r *replaying) Held(any) bool                 { return r.answer() == 1 }
func (r *replaying) Send(model.NodeID, any)        {}
func (r *replaying) Broadcast([]model.NodeID, any) {}
func (r *replaying) After(any, model.Window)       {}
func (r *replaying) Cancel(any)                    {}
func (r *replaying) Hold(any, model.Bound)         {}
func (r *replaying) Return(any)                    {}
func (r *replaying) Deliver(any)                   {}
func (r *replaying) Note(any)                      {}
