package search

import (
	"fmt"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/value"
)

// An outcome is one way a handler may end: one branch of its choices and of the
// answers to Held.
type outcome struct {
	next    uint32
	picks   []pick
	effects []effect
	cut     int  // the cut it leads beyond, or -1
	idle    bool // it changes nothing, has no effect and asked nothing

	violation string // of a monitor
	witness   bool
}

// A pick is one answer: of Choose or Draw, or of Held (0: it lasts, 1: it is over).
type pick struct {
	of, is int32
	held   uint32 // the base of the hold; 0 for a choice
	drawn  bool   // by Draw
}

// lasts reports whether a pick of Held says that the hold lasts.
func (p pick) lasts() bool { return p.is == 0 }

// An effect is one thing a handler does to the world.
type effect struct {
	do   doing
	part uint32 // sent, armed, set
	base uint32 // disarmed, dropped
	arg  uint32 // the value of a note or a result
}

type doing uint8

const (
	send   doing = iota // put the message part into flight
	arm                 // put the part into the bag in place of one with its base
	disarm              // take the part with the base out of the bag
	note                // tell the monitors
	finish              // Return
)

// recorder is the Env of a node and the Watch of a monitor during one run of a
// handler. It answers as it did on the branch that it follows, then with 0, and records
// what the handler does.
type recorder struct {
	st      *store
	slot    int16
	follows []pick // the answers of the branch
	strayed bool   // what was asked is not what the branch answers
	over    bool   // the handler has returned
	known   map[uint32]bool
	out     outcome
}

// who is the node or the claim whose handler runs, for people.
func (r *recorder) who() string {
	if int(r.slot) < len(r.st.sys.Nodes) {
		return "node " + r.st.sys.Name(model.NodeID(r.slot))
	}
	return "claim " + r.st.claimOfSlot(r.slot).Name
}

func (r *recorder) mustRun() {
	if r.over {
		model.Overran(r.who())
	}
}

func (r *recorder) pick(n int, held uint32, drawn bool) int {
	p := pick{int32(n), 0, held, drawn}
	if i := len(r.out.picks); i < len(r.follows) {
		p.is = r.follows[i].is
		r.strayed = r.strayed || p != r.follows[i]
	}
	r.out.picks = append(r.out.picks, p)
	return int(p.is)
}

// branch returns the answers of the branch after this one; nil when all were taken.
func (o *outcome) branch() []pick {
	for i := len(o.picks) - 1; i >= 0; i-- {
		if o.picks[i].is+1 < o.picks[i].of {
			next := slices.Clone(o.picks[:i+1])
			next[i].is++
			return next
		}
	}
	return nil
}

func (r *recorder) do(e effect) {
	r.mustRun()
	r.out.effects = append(r.out.effects, e)
}

func (r *recorder) Self() model.NodeID {
	r.mustRun()
	return model.NodeID(r.slot)
}

func (r *recorder) Send(to model.NodeID, m any) {
	from := r.Self()
	r.st.sys.MustExist(from, to)
	if r.st.sys.Nodes[to].Byzantine {
		return
	}
	b := r.st.base(base{kind: kind(model.Deliver), slot: int16(to), from: r.slot, value: r.st.value(m)})
	r.do(effect{do: send, base: b, part: r.st.pending(b, r.st.sys.Flight(from, to, m))})
}

func (r *recorder) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		r.Send(id, m)
	}
}

func (r *recorder) alarm(key any) uint32 {
	k := kind(model.Timeout)
	if int(r.slot) >= len(r.st.sys.Nodes) {
		k = kind(model.Expire)
	}
	return r.st.base(base{kind: k, slot: r.slot, value: r.st.value(key)})
}

func (r *recorder) After(key any, w model.Window) {
	model.MustArm(r.who(), w)
	b := r.alarm(key)
	r.do(effect{do: arm, base: b, part: r.st.pending(b, w)})
}

func (r *recorder) Cancel(key any) { r.do(effect{do: disarm, base: r.alarm(key)}) }

func (r *recorder) hold(key any) uint32 {
	return r.st.base(base{kind: hold, slot: r.slot, value: r.st.value(key)})
}

func (r *recorder) Hold(key any, d model.Bound) {
	model.MustHold(r.who(), d)
	b := r.hold(key)
	r.known[b] = d.At > 0 || !d.Open
	if !r.known[b] {
		r.do(effect{do: disarm, base: b}) // it is over as it begins
		return
	}
	r.do(effect{do: arm, base: b, part: r.st.holding(b, d)})
}

func (r *recorder) Held(key any) bool {
	r.mustRun()
	b := r.hold(key)
	if held, ok := r.known[b]; ok {
		return held
	}
	held := r.pick(2, b, false) == 0
	if !held {
		r.do(effect{do: disarm, base: b}) // once over, over for good
	}
	r.known[b] = held
	return held
}

func (r *recorder) Choose(n int) int { return r.choose(n, false) }

func (r *recorder) Draw(n int) int { return r.choose(n, true) }

func (r *recorder) choose(n int, drawn bool) int {
	r.mustRun()
	model.MustChoose(n)
	return r.pick(n, 0, drawn)
}

func (r *recorder) Return(result any) { r.do(effect{do: finish, arg: r.st.value(result)}) }

func (r *recorder) Note(label any) { r.do(effect{do: note, arg: r.st.value(label)}) }

func (r *recorder) Violate(format string, args ...any) {
	r.mustRun()
	r.st.claimOfSlot(r.slot).MustNotBeGoal()
	r.out.violation = fmt.Sprintf(format, args...)
}

func (r *recorder) Witness() {
	r.mustRun()
	r.out.witness = true
}

// claimOfSlot returns the claim whose monitor has a slot.
func (st *store) claimOfSlot(slot int16) model.Claim {
	monitor := int(slot) - len(st.sys.Nodes)
	for _, c := range st.claims {
		if c.Monitor != nil {
			if monitor == 0 {
				return c
			}
			monitor--
		}
	}
	return model.Claim{}
}

// An Impure error says that a handler is not a function of what it is given.
type Impure = value.Impure

// outcomes runs a handler over every branch of its choices. It must leave the message
// and the configuration alone.
func (st *store) outcomes(slot int16, from uint32, what string, call func(n any, r *recorder)) []outcome {
	all := []outcome{st.runOnce(slot, from, what, nil, call)}
	for {
		branch := all[len(all)-1].branch()
		if branch == nil {
			return all
		}
		all = append(all, st.runOnce(slot, from, what, branch, call))
	}
}

func (st *store) runOnce(slot int16, from uint32, what string, branch []pick, call func(n any, r *recorder)) outcome {
	r := &recorder{st: st, slot: slot, follows: branch, known: map[uint32]bool{}, out: outcome{cut: -1}}
	n := st.node(slot, from)
	call(n, r)
	r.over = true
	if r.strayed || len(r.out.picks) < len(branch) {
		panic(value.Unlike(n, what, "its choices"))
	}
	if value.Configuration(n) != st.configurations[slot] {
		panic(value.Reconfigured(n, what))
	}
	o := r.out
	o.next = st.local(slot, st.codec.Node(n, nil))
	o.idle = o.next == from && len(o.effects) == 0 && len(o.picks) == 0 && o.violation == "" && !o.witness
	for i, c := range st.sys.Cuts {
		if int(slot) < len(st.sys.Nodes) && c.Beyond(n) {
			o.cut = i
		}
	}
	return o
}

// agree panics unless two runs of a handler came to the same.
func (st *store) agree(slot int16, what string, first, again []outcome) {
	for i := range min(len(first), len(again)) {
		st.agreeOn(slot, what, first[i], again[i])
	}
	if len(first) != len(again) {
		panic(value.Unlike(st.protos[slot], what, "its choices"))
	}
}

func (st *store) agreeOn(slot int16, what string, a, b outcome) {
	if reflect.DeepEqual(a, b) {
		return
	}
	x, y := st.node(slot, a.next), st.node(slot, b.next)
	switch {
	case !slices.Equal(a.picks, b.picks):
		panic(value.Unlike(x, what, "its choices"))
	case a.next != b.next:
		panic(value.Unlike(x, what, value.Difference(x, y, st.sys.Name)))
	}
	panic(value.Unlike(x, what, "its effects"))
}

// handle computes what a node does on a trigger.
func (st *store) handle(from, trigger uint32) []outcome {
	b := st.bases.items[trigger]
	return st.outcomes(b.slot, from, handlerName(b.kind), func(n any, own *recorder) {
		r := st.sys.Drift.Env(own)
		if b.kind == boot {
			n.(model.Starter).Start(r)
			return
		}
		v := st.decoded(b.value)
		switch model.EventKind(b.kind) {
		case model.Deliver, model.Forge:
			if h, ok := n.(model.Receiver); ok {
				h.Receive(r, model.NodeID(b.from), v)
			}
		case model.Timeout:
			if h, ok := n.(model.Timeouter); ok {
				h.Timeout(r, v)
			}
		case model.Invoke, model.Release:
			if h, ok := n.(model.Invoker); ok {
				h.Invoke(r, v)
			}
		}
		if string(st.codec.Any(v, nil)) != st.values.items[b.value] {
			panic(value.Overwritten(n, handlerName(b.kind)))
		}
	})
}

func handlerName(k kind) string {
	switch {
	case k == boot:
		return "Start"
	case model.EventKind(k) == model.Timeout:
		return "Timeout"
	case model.EventKind(k) == model.Expire:
		return "Expire"
	case model.EventKind(k) == model.Invoke, model.EventKind(k) == model.Release:
		return "Invoke"
	}
	return "Receive"
}

// watch computes what a monitor makes of an observation.
func (st *store) watch(from, seen uint32) []outcome {
	o := st.seen.items[seen]
	return st.outcomes(st.locals.items[from].slot, from, "Observe", func(n any, r *recorder) {
		n.(model.Monitor).Observe(st.sys.Drift.Watch(r), st.observation(o))
	})
}

// expire computes what a monitor does when its alarm fires.
func (st *store) expire(from, trigger uint32) []outcome {
	b := st.bases.items[trigger]
	return st.outcomes(b.slot, from, "Expire", func(n any, r *recorder) {
		if x, ok := n.(model.Expirer); ok {
			x.Expire(st.sys.Drift.Watch(r), st.decoded(b.value))
		}
	})
}

func (st *store) observation(o observation) model.Observation {
	return model.Observation{
		Kind: o.kind, Node: model.NodeID(o.node), Op: int(o.op), Value: st.decoded(o.value), Past: st.past(o.past),
	}
}
