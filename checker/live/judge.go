package live

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"contend/checker/conform"
	"contend/checker/judge"
	"contend/model"
	"contend/model/describe"
	"contend/model/value"
	"contend/model/world"
)

// judge holds the logs against the page, and the claims against the run.
func (r *running) judge() (*Result, error) {
	v := model.Variant{}
	if r.variant != "" {
		v, _ = r.page.Variant(r.variant) // it has run
	}
	out := &Result{Nodes: len(r.correct()), Interrupted: r.interrupted, Tally: r.hub.tally, Timely: map[string]bool{}}
	out.Tally.Kills, out.Tally.Restarts = r.tally.Kills, r.tally.Restarts
	for _, id := range r.correct() {
		out.Logs = append(out.Logs, r.log(id))
	}
	for _, id := range r.killed {
		if err := crashed(r.log(id), r.system.Nodes[id].Name); err != nil {
			return nil, err
		}
	}
	claims := slices.DeleteFunc(judge.Watched(r.page.Claims), func(c model.Claim) bool {
		return c.Monitor == nil && c.Invariant == nil || c.Kind != model.Always && c.Kind != model.Linearizable && c.Kind != model.Refines ||
			!v.Mutant() && slices.Contains(v.Unclaimed, c.Name)
	})
	if err := r.validate(out, v, claims); err != nil {
		return nil, err
	}
	all, boot, err := steps(r.system, out.Logs)
	if err != nil {
		return nil, err
	}
	if err := r.times(out, all); err != nil {
		return nil, err
	}
	if err := r.predict(out); err != nil {
		return nil, err
	}
	return out, r.claims(out, v, claims, all, boot)
}

// validate looks for a run of the page that the logs show. A mutant is held against the protocol without it.
func (r *running) validate(out *Result, v model.Variant, claims []model.Claim) error {
	variant := r.variant
	if v.Mutant() {
		variant = ""
	}
	page, err := lasting(r.page, variant)
	if err != nil {
		return err
	}
	var logs []conform.Source
	for _, path := range out.Logs {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		logs = append(logs, conform.Source{Name: path, Reader: file})
	}
	c := r.c
	if c.Faults.Loss = min(out.Tally.Lost, 255); r.system.Network.Channel == model.FIFO {
		c.Faults.Loss = min(out.Tally.Lost+out.Tally.Dropped, 255) // elsewhere they may stay in flight
	}
	out.Validation, err = conform.Validate(page, live, c, conform.Options{Ignore: own, Unbuffered: true, OpenEnded: r.interrupted, Claims: claims}, logs...)
	if err != nil && v.Mutant() {
		c.Faults.Restarts, c.Faults.Crashes = out.Tally.Restarts, out.Tally.Kills
		out.Foreign, out.Validation, err = err.Error(), &conform.Result{Verdict: conform.NotExplained, Config: c}, nil
	}
	if err == nil {
		out.Config = out.Validation.Config
		out.Config.Faults.Loss, out.Config.Faults.Partitions = min(out.Tally.Lost, 255), out.Tally.Partitions
	}
	return err
}

// times compares the delays of messages with their windows, and collects response times.
func (r *running) times(out *Result, all []step) error {
	tick := float64(r.opt.Tick)
	called := make([]int64, len(r.system.Nodes))
	for i := range called {
		called[i] = -1
	}
	for i, x := range all {
		switch {
		case x.Op > 0:
			called[x.node] = x.At
		case x.Result != nil && called[x.node] >= 0:
			out.Responses = append(out.Responses, float64(x.At-called[x.node])/tick)
			called[x.node] = -1
		case x.Start || x.Crash:
			called[x.node] = -1
		case x.Receive != nil && x.Sent != nil:
			m, err := x.Receive.given(r.codec)
			if err != nil {
				return err
			}
			w := r.system.Network.Message(nodeOf(r.system, x.Receive.From), x.node, m)
			took := float64(x.At-*x.Sent) / tick
			out.Delays.Messages++
			out.Delays.Longest = max(out.Delays.Longest, took)
			if took < float64(w.Lo.At) || w.Hi.At != model.Forever && took > float64(w.Hi.At) {
				if out.Delays.Outside++; out.untimely == 0 {
					out.untimely = i + 1
				}
			}
		}
	}
	slices.Sort(out.Responses)
	if n := out.Delays.Outside; n > 0 {
		out.Assumptions = append(out.Assumptions, fmt.Sprintf("messages arrive within their windows: %d of %d did not; the longest took %.1f ticks", n, out.Delays.Messages, out.Delays.Longest))
	}
	return nil
}

// claims judges the claims on the run, in a world in which messages may take any time, at the instants of the logs.
func (r *running) claims(out *Result, v model.Variant, claims []model.Claim, all []step, boot []int) error {
	s, err := r.p.System(live, r.c)
	if err != nil {
		return err
	}
	s.Faults = out.Config.Faults
	claims = slices.DeleteFunc(slices.Clone(claims), func(c model.Claim) bool { return len(v.Made(c).Unmet(s, model.Dense)) > 0 })
	for _, c := range claims {
		out.Judged = append(out.Judged, c.Name)
		out.Timely[c.Name] = len(v.Made(c).Unmet(s, model.Untimed)) > 0
	}
	run, err := newRerun(s, claims, r.opt, all, boot)
	if err != nil {
		return err
	}
	for i, x := range all {
		if run.world.Failed() {
			break
		}
		if err := run.take(x); err != nil {
			out.Cut = fmt.Sprintf("step %d of %d, of node %s, cannot be taken: %v", i+1, len(all), x.Node, err)
			break
		}
	}
	out.Violations = run.world.Violations
	if v.Mutant() && out.Validation.Verdict == conform.Explained {
		return r.against(out, all, boot)
	}
	return nil
}

// against holds the run of a mutant against the page with its times.
func (r *running) against(out *Result, all []step, boot []int) error {
	page, err := lasting(r.page, "")
	if err != nil {
		return err
	}
	s, err := page.System(live, r.c)
	if err != nil {
		return err
	}
	s.Faults = out.Config.Faults
	run, err := newRerun(s, nil, r.opt, all, boot)
	if err != nil {
		return err
	}
	for _, x := range all {
		if err := run.take(x); err != nil {
			out.Untimely = fmt.Sprintf("%s at %.1f ticks: %v", x.Node, ticks(x.At, int64(r.opt.Tick)), err)
			return nil
		}
	}
	return nil
}

// A rerun takes the steps of a run in one world, at their instants.
type rerun struct {
	system  *model.System
	codec   *value.Codec
	world   *world.World
	pending map[string][]*world.Event
	answers []int // to the next choices
}

func newRerun(s *model.System, claims []model.Claim, opt Options, all []step, boot []int) (*rerun, error) {
	s.Network = model.Network{Channel: model.Bag, Once: true, Delay: model.Anytime()}
	s.Faults.Partitions = 0
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, err
	}
	r := &rerun{system: s, codec: codec, pending: map[string][]*world.Event{}}
	wanted := map[string]int{}
	for _, x := range all {
		if x.Receive != nil {
			m, err := x.Receive.given(codec)
			if err != nil {
				return nil, err
			}
			wanted[r.key(model.Deliver, x.node, nodeOf(s, x.Receive.From), m)]++
		}
	}
	r.world, err = world.Start(s, codec, claims, world.Options{Timed: true, Parts: int64(opt.Tick), InPlace: true, Boot: world.Answering(boot, nil),
		Created: func(e *world.Event) {
			k := r.key(e.Kind, e.Node, e.From, e.Value)
			r.pending[k] = append(r.pending[k], e)
		},
		Unwanted: func(e *world.Event) bool { // lost, or merged
			k := r.key(e.Kind, e.Node, e.From, e.Value)
			wanted[k]--
			if wanted[k] < 0 {
				r.pending[k] = r.pending[k][:len(r.pending[k])-1]
			}
			return wanted[k] < 0
		},
	})
	return r, err
}

// key returns the key of an event that is the next of its kind.
func (r *rerun) key(kind model.EventKind, node, from model.NodeID, v any) string {
	if kind != model.Deliver {
		from = 0
	}
	return fmt.Sprintf("%d %d %d ", kind, node, from) + string(r.codec.Any(v, nil))
}

// choose gives the next answer of the log.
func (r *rerun) choose(of int, _ string) int {
	if len(r.answers) == 0 {
		return 0
	}
	is := r.answers[0]
	r.answers = r.answers[1:]
	return min(is, of-1)
}

// take takes a step. The error is a sentence on what the page does not permit.
func (r *rerun) take(x step) error {
	r.answers = r.answers[:0]
	for i, is := range x.Choices {
		if !slices.Contains(x.Held, i) {
			r.answers = append(r.answers, is)
		}
	}
	var err error
	var rec world.Record
	switch {
	case x.Crash:
		rec, err = r.world.Step(world.Move{Kind: model.Crash, Node: x.node}, instant(x.At), r.choose)
	case x.Start:
		r.answers = x.Boot
		rec, err = r.world.Step(world.Move{Kind: model.Restart, Node: x.node}, instant(x.At), r.choose)
	case x.Receive != nil:
		var m any
		if m, err = x.Receive.given(r.codec); err != nil {
			return err
		}
		from := nodeOf(r.system, x.Receive.From)
		if r.system.Nodes[from].Byzantine {
			rec, err = r.world.Step(world.Move{Kind: model.Forge, Node: x.node, From: from, Value: m}, instant(x.At), r.choose)
			break
		}
		rec, err = r.event(model.Deliver, x, from, m)
	case x.Alarm != nil:
		rec, err = r.own(model.Timeout, x, x.Alarm)
	case x.Result != nil:
		rec, err = r.own(model.Return, x, x.Result)
	case x.Op > 0:
		rec, err = r.own(model.Invoke, x, x.Call)
	default:
		rec, err = r.own(model.Release, x, x.Call)
	}
	if err == nil {
		err = r.answered(x, rec)
	}
	return err
}

// own takes an event of the node itself.
func (r *rerun) own(kind model.EventKind, x step, raw json.RawMessage) (world.Record, error) {
	v, err := r.codec.FromJSON(raw)
	if err != nil {
		return world.Record{}, err
	}
	return r.event(kind, x, x.node, v)
}

// event takes the first pending event with a value that may happen.
func (r *rerun) event(kind model.EventKind, x step, from model.NodeID, v any) (rec world.Record, err error) {
	k := r.key(kind, x.node, from, v)
	err = fmt.Errorf("%v of %s is not pending on the page", kind, describe.Value(v, r.system.Name))
	for len(r.pending[k]) > 0 {
		e := r.pending[k][0]
		r.pending[k] = r.pending[k][1:]
		if rec, err = r.world.Step(world.Move{Kind: kind, Event: e}, instant(x.At), r.choose); err == nil {
			break
		}
	}
	if len(r.pending[k]) == 0 {
		delete(r.pending, k)
	}
	return rec, err
}

// answered compares the answers to a node's queries of holds with those of the log.
func (r *rerun) answered(x step, rec world.Record) error {
	asked := 0
	for _, h := range rec.Held {
		if h.Watch {
			continue // a monitor's
		}
		if asked++; asked > len(x.Held) {
			return fmt.Errorf("the page asks here whether a hold of %d ticks lasts, and the log has no answer", h.Length.At)
		}
		if place := x.Held[asked-1]; place < len(x.Choices) && h.Held != (x.Choices[place] == 0) {
			lasts := map[bool]string{true: "lasts", false: "is over"}
			return fmt.Errorf("a hold of %d ticks %s on the page, and %s in the log", h.Length.At, lasts[h.Held], lasts[!h.Held])
		}
	}
	return nil
}
