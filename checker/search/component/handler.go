package component

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/model/purity"
	"contend/model/rules"
)

// An Outcome is the result of a handler on one branch of its choices and of the answers to Held.
type Outcome struct {
	Next    uint32   // the local state afterwards
	Picks   []Pick   // the answers of the branch, in order
	Effects []Effect // in order
	Cut     int      // the first cut that excludes Next, or -1
	Idle    bool     // no change, no effect and no pick

	Violation string // a monitor's text, or ""
	Witness   bool   // the monitor called Witness or Measure
	Measured  int32  // the meter's number plus 1; 0 for none
	Finishes  bool   // the handler calls Return
	Until     int    // number of picks before Return; all without Return

	Failed *guard.Failure // the handler's failure; then there is no change and no effect
}

// Shape returns the sorts of effects and results of an outcome in a local state, as bits.
func (o *Outcome) Shape(from uint32) (bits uint32) {
	for _, e := range o.Effects {
		bits |= 1 << e.Do
	}
	for i, is := range []bool{o.Next != from, len(o.Picks) > 0, o.Cut >= 0, o.Violation != "", o.Witness, o.Measured != 0, o.Failed != nil} {
		if is {
			bits |= 1 << (8 + i)
		}
	}
	return bits
}

// A Pick is one answer: of Choose or Draw, or of Held (0: it lasts, 1: it is over).
type Pick struct {
	Of, Is int32  // the number of possible answers, and the answer, from 0
	Held   uint32 // the base of the hold; 0 for a choice or draw
	Drawn  bool   // by Draw
}

// Lasts reports whether a pick of Held answers that the hold lasts.
func (p Pick) Lasts() bool { return p.Is == 0 }

// An Effect is one action of a handler.
type Effect struct {
	Do   doing
	Part uint32 // for Send and Arm
	Base uint32 // for Send, Arm, Disarm and Tell
	Arg  uint32 // the value of a note, a delivery or a result
}

type doing uint8

const (
	Send    doing = iota // add Part, a message
	Arm                  // add Part, and remove the part with Base if there is one
	Disarm               // remove the part with Base
	Note                 // notify the monitors of the note Arg
	Deliver              // notify the monitors of the delivered value Arg
	Tell                 // notify the meter that the message Base is sent
	Finish               // return Arg
)

// A recorder is the [model.Env] of a node, or the [model.Watch] of a monitor, during one run of a handler. It
// gives the answers of the branch that it follows, then the answer 0, and records the handler's effects.
type recorder struct {
	st       *Store
	slot     int16
	branch   []Pick // the answers of the branch
	diverged bool   // the questions differ from the questions of the branch
	effects  int    // number of effects so far
	loan     *guard.Loan
	holds    map[uint32]bool
	out      Outcome
}

// who returns the name of the node or claim whose handler runs.
func (r *recorder) who() string {
	if int(r.slot) < len(r.st.Sys.Nodes) {
		return "node " + r.st.Sys.Name(model.NodeID(r.slot))
	}
	return "claim " + r.st.ClaimOf(r.slot).Name
}

func (r *recorder) mustRun() {
	if !r.loan.Holds() {
		r.loan.Refuse(r.who())
	}
}

func (r *recorder) pick(n int, held uint32, drawn bool) int {
	p := Pick{int32(n), 0, held, drawn}
	if i := len(r.out.Picks); i < len(r.branch) {
		p.Is = r.branch[i].Is
		r.diverged = r.diverged || p != r.branch[i]
	}
	rules.MustEnd(r.who(), r.effects, len(r.out.Picks))
	r.out.Picks = append(r.out.Picks, p)
	return int(p.Is)
}

// nextBranch returns the answers of the next branch in lexicographic order; nil after the last.
func (o *Outcome) nextBranch() []Pick {
	for i := len(o.Picks) - 1; i >= 0; i-- {
		if o.Picks[i].Is+1 < o.Picks[i].Of {
			next := slices.Clone(o.Picks[:i+1])
			next[i].Is++
			return next
		}
	}
	return nil
}

// countEffect counts an effect. It panics after too many.
func (r *recorder) countEffect() {
	r.mustRun()
	rules.MustEnd(r.who(), r.effects, 0)
	r.effects++
}

func (r *recorder) addEffect(e Effect) { r.out.Effects = append(r.out.Effects, e) }

func (r *recorder) Self() model.NodeID {
	r.mustRun()
	return model.NodeID(r.slot)
}

func (r *recorder) Send(to model.NodeID, m any) {
	from := model.NodeID(r.slot)
	r.countEffect()
	rules.MustExist(r.st.Sys, from, to)
	if !r.st.Sys.Nodes[to].Byzantine {
		b := r.st.messageBase(from, to, m)
		r.addEffect(Effect{Do: Send, Base: b, Part: r.st.Pending(b, rules.Flight(r.st.Sys, from, to, m))})
	}
	if r.st.Sends {
		r.addEffect(Effect{Do: Tell, Base: r.st.messageBase(from, to, m)})
	}
}

// messageBase returns the base of a message.
func (st *Store) messageBase(from, to model.NodeID, m any) uint32 {
	return st.Base(Base{Kind: Kind(model.Deliver), Slot: int16(to), From: int16(from), Value: st.Value(m)})
}

func (r *recorder) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		r.Send(id, m)
	}
}

func (r *recorder) alarm(key any) uint32 {
	k := Kind(model.Timeout)
	if int(r.slot) >= len(r.st.Sys.Nodes) {
		k = Kind(model.Expire)
	}
	return r.st.Base(Base{Kind: k, Slot: r.slot, Value: r.st.Value(key)})
}

func (r *recorder) After(key any, w model.Window) {
	r.countEffect()
	rules.MustArm(r.who(), w)
	b := r.alarm(key)
	r.addEffect(Effect{Do: Arm, Base: b, Part: r.st.Pending(b, w)})
}

func (r *recorder) Cancel(key any) {
	r.countEffect()
	r.addEffect(Effect{Do: Disarm, Base: r.alarm(key)})
}

func (r *recorder) hold(key any) uint32 {
	return r.st.Base(Base{Kind: Hold, Slot: r.slot, Value: r.st.Value(key)})
}

func (r *recorder) Hold(key any, d model.Bound) {
	r.countEffect()
	rules.MustHold(r.who(), d)
	b := r.hold(key)
	r.holds[b] = d.At > 0 || !d.Open
	if !r.holds[b] {
		r.addEffect(Effect{Do: Disarm, Base: b}) // an open hold of length 0 is over at once
		return
	}
	r.addEffect(Effect{Do: Arm, Base: b, Part: r.st.holdPart(b, d)})
}

func (r *recorder) Held(key any) bool {
	r.mustRun()
	b := r.hold(key)
	if held, ok := r.holds[b]; ok {
		return held
	}
	held := r.pick(2, b, false) == 0
	if !held {
		r.addEffect(Effect{Do: Disarm, Base: b}) // a hold that is over stays over
	}
	r.holds[b] = held
	return held
}

func (r *recorder) Choose(n int) int { return r.choose(n, false) }

func (r *recorder) Draw(n int) int { return r.choose(n, true) }

func (r *recorder) choose(n int, drawn bool) int {
	r.mustRun()
	rules.MustChoose(n)
	return r.pick(n, 0, drawn)
}

func (r *recorder) Return(result any) {
	r.countEffect()
	rules.MustReturn(r.st.Sys, model.NodeID(r.slot), !r.out.Finishes)
	r.addEffect(Effect{Do: Finish, Arg: r.st.Value(result)})
	r.out.Finishes, r.out.Until = true, len(r.out.Picks)
}

func (r *recorder) Deliver(value any) {
	r.countEffect()
	r.addEffect(Effect{Do: Deliver, Arg: r.st.Value(value)})
}

func (r *recorder) Note(label any) {
	r.countEffect()
	r.addEffect(Effect{Do: Note, Arg: r.st.Value(label)})
}

func (r *recorder) Violate(format string, args ...any) {
	r.mustRun()
	r.st.ClaimOf(r.slot).MustNotBeGoal()
	r.out.Violation = model.Printable(fmt.Sprintf(format, args...))
}

func (r *recorder) Witness() {
	r.mustRun()
	r.out.Witness = true
}

func (r *recorder) Measure(n int) {
	r.mustRun()
	rules.MustMeasure(r.who(), n, r.out.Measured != 0)
	r.out.Measured, r.out.Witness = int32(n)+1, true
}

// ClaimOf returns the claim of the monitor in a slot.
func (st *Store) ClaimOf(slot int16) model.Claim {
	monitor := int(slot) - len(st.Sys.Nodes)
	for _, c := range st.Claims {
		if c.Monitor != nil {
			if monitor == 0 {
				return c
			}
			monitor--
		}
	}
	return model.Claim{}
}

// An Impure is the panic value for a handler that is not a function of its arguments.
type Impure = purity.Impure

// MaxBranches is the maximum number of outcomes of a handler on one event in one state.
const MaxBranches = 1 << 18

// LastChecked is the last turn in which the configuration of handlers is checked after a run. The check takes
// as long as the run.
const LastChecked = 2

// outcomes runs a handler on every branch of its choices and returns the outcomes in order. It panics with an
// [Impure] if the handler changes its configuration or answers differently.
func (st *Store) outcomes(slot int16, from uint32, what string, call func(n any, r *recorder)) []Outcome {
	all := []Outcome{st.runOnce(slot, from, what, nil, call)}
	for {
		branch := all[len(all)-1].nextBranch()
		if branch == nil {
			return all
		}
		if len(all) == MaxBranches {
			model.Refuse("%s of %T has more than %d outcomes in one state, of as many branches of its choices", what, st.Protos[slot], MaxBranches)
		}
		all = append(all, st.runOnce(slot, from, what, branch, call))
	}
}

func (st *Store) runOnce(slot int16, from uint32, what string, branch []Pick, call func(n any, r *recorder)) Outcome {
	loan := guard.Lend(true, &st.strays)
	r := &recorder{st: st, slot: slot, branch: branch, loan: loan, holds: map[uint32]bool{}, out: Outcome{Cut: -1}}
	n := st.node(slot, from)
	failed := st.callHandler(slot, n, what, func() *guard.Failure {
		return st.Running.Call(&guard.Running{Who: st.running(slot, from, what)}, func() { call(n, r) })
	})
	loan.End()
	if r.diverged || len(r.out.Picks) < len(branch) {
		panic(purity.Unlike(n, what, "its choices"))
	}
	if st.turn <= LastChecked && purity.Configuration(n) != st.Configurations[slot] {
		panic(purity.Reconfigured(n, what))
	}
	o := r.out
	if !o.Finishes {
		o.Until = len(o.Picks)
	}
	if failed != nil {
		return Outcome{Next: from, Picks: o.Picks, Cut: -1, Finishes: o.Finishes, Until: o.Until, Failed: failed}
	}
	o.Next = st.Local(slot, st.Codec.Node(n, nil))
	st.storeNode(slot, n, what, o.Next)
	o.Idle = o.Next == from && len(o.Effects) == 0 && len(o.Picks) == 0 && o.Violation == "" && !o.Witness
	for i, c := range st.Sys.Cuts {
		if o.Cut < 0 && int(slot) < len(st.Sys.Nodes) && guard.Beyond(c, n) {
			o.Cut = i
		}
	}
	return o
}

// Agree panics with an [Impure] unless two runs of a handler had the same outcomes.
func (st *Store) Agree(slot int16, what string, first, again []Outcome) {
	for i := range min(len(first), len(again)) {
		st.agreeOutcome(slot, what, first[i], again[i])
	}
	if len(first) != len(again) {
		panic(purity.Unlike(st.Protos[slot], what, "its choices"))
	}
}

func (o *Outcome) equal(p Outcome) bool {
	return o.Next == p.Next && o.Cut == p.Cut && o.Idle == p.Idle && o.Violation == p.Violation && o.Witness == p.Witness && o.Measured == p.Measured &&
		o.Finishes == p.Finishes && o.Until == p.Until && o.Failed == p.Failed && slices.Equal(o.Picks, p.Picks) && slices.Equal(o.Effects, p.Effects)
}

func (st *Store) agreeOutcome(slot int16, what string, a, b Outcome) {
	if a.Failed != nil && b.Failed != nil { // the texts may contain an address, or the first entry of a map
		a.Failed, b.Failed = nil, nil
	}
	if a.equal(b) {
		return
	}
	x, y := st.node(slot, a.Next), st.node(slot, b.Next)
	switch {
	case !slices.Equal(a.Picks, b.Picks):
		panic(purity.Unlike(x, what, "its choices"))
	case (a.Failed == nil) != (b.Failed == nil):
		panic(purity.Unlike(x, what, "whether it fails"))
	case a.Next != b.Next:
		panic(purity.Unlike(x, what, describe.Difference(x, y, st.Sys.Name)))
	}
	panic(purity.Unlike(x, what, "its effects"))
}

// Handle returns the outcomes of a node in local state from on a trigger.
func (st *Store) Handle(from, trigger uint32) []Outcome {
	b := st.Bases.Items[trigger]
	st.argument = b.Value
	return st.outcomes(b.Slot, from, HandlerName(b.Kind), func(n any, own *recorder) {
		r := st.Sys.Drift.Env(own)
		if b.Kind == Boot {
			if s, ok := n.(model.Starter); ok {
				s.Start(r)
			}
			return
		}
		v := st.Decoded(b.Value)
		switch model.EventKind(b.Kind) {
		case model.Deliver, model.Forge:
			if h, ok := n.(model.Receiver); ok {
				h.Receive(r, model.NodeID(b.From), v)
			}
		case model.Timeout:
			if h, ok := n.(model.Timeouter); ok {
				h.Timeout(r, v)
			}
		case model.Suspect:
			n.(model.Suspecter).Suspect(r, v.(model.NodeID))
		case model.Trust:
			n.(model.Suspecter).Trust(r, v.(model.NodeID))
		case model.Invoke, model.Release:
			if h, ok := n.(model.Invoker); ok {
				h.Invoke(r, v)
			}
		}
		if string(st.Codec.Any(v, nil)) != st.Values.Items[b.Value] {
			panic(purity.Overwritten(n, HandlerName(b.Kind)))
		}
	})
}

// HandlerName returns the name of the method that handles events of a kind.
func HandlerName(k Kind) string {
	switch {
	case k == Boot:
		return "Start"
	case model.EventKind(k) == model.Timeout:
		return "Timeout"
	case model.EventKind(k) == model.Expire:
		return "Expire"
	case model.EventKind(k) == model.Suspect:
		return "Suspect"
	case model.EventKind(k) == model.Trust:
		return "Trust"
	case model.EventKind(k) == model.Invoke, model.EventKind(k) == model.Release:
		return "Invoke"
	}
	return "Receive"
}

// Watch returns the outcomes of a monitor in local state from on an observation.
func (st *Store) Watch(from, seen uint32) []Outcome {
	o := st.Seen.Items[seen]
	st.argument = o.Value
	return st.outcomes(st.Locals.Items[from].Slot, from, "Observe", func(n any, r *recorder) {
		n.(model.Monitor).Observe(st.Sys.Drift.Watch(r), st.Observation(o))
	})
}

// Expire returns the outcomes of a monitor in local state from when its alarm fires.
func (st *Store) Expire(from, trigger uint32) []Outcome {
	b := st.Bases.Items[trigger]
	st.argument = b.Value
	return st.outcomes(b.Slot, from, "Expire", func(n any, r *recorder) {
		if x, ok := n.(model.Expirer); ok {
			x.Expire(st.Sys.Drift.Watch(r), st.Decoded(b.Value))
		}
	})
}

// Observation returns an observation as monitors receive it.
func (st *Store) Observation(o Observation) model.Observation {
	return model.Observation{
		Kind: o.Kind, Node: model.NodeID(o.Node), Op: int(o.Op), Value: st.Decoded(o.Value), Past: st.Past(o.Past),
		To: model.NodeID(o.To), Chain: int(o.Chain),
	}
}

// Turned calls run in a turn, which determines the order of the entries in the handlers' maps.
func (st *Store) Turned(turn int, run func() []Outcome) []Outcome {
	defer func() { st.turn = 0 }()
	st.turn = turn
	return run()
}
