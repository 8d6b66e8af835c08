package drive

import (
	"errors"

	"contend/checker/conform"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A branch is a state in which the page may be after what the implementation showed. As in a refinement, the check
// follows all of them: what the implementation shows selects.
type branch struct {
	world   *world.World
	records []world.Record
	planned bool                  // it is that of the run which is replayed
	began   map[model.NodeID]page // what the nodes showed at the start
}

// A page is what a node of the page shows in a step.
type page struct {
	conform.Shown
	flying []*world.Event // the messages that are in flight then
}

// Limits of branches.
const (
	mostAnswers  = 1 << 12 // combinations of answers to the choices of a step
	mostBranches = 1 << 10
)

// begin returns the branches of the start, for all answers to Start. The planned branch comes first.
func (d *driver) begin(boot []int) (all []*branch, err error) {
	for answers, more, tried := []int(nil), true, 0; more; tried++ {
		if tried == mostAnswers {
			return nil, errors.New("the nodes of the page have too many choices at the start")
		}
		d.sent = nil
		var given []world.Choice
		w, err := d.setting.Start(world.Options{Boot: world.Answering(answers, &given), Sending: d.sending, Running: d.opt.Suite.Running})
		if err != nil {
			return nil, err
		}
		b := &branch{world: w, planned: sameAnswers(given, boot), began: map[model.NodeID]page{}}
		for id := range d.system.Nodes {
			b.began[model.NodeID(id)] = d.shown(w, model.NodeID(id), w.Began, w.Pending())
		}
		all = append(all, b)
		answers, more = world.NextAnswers(given)
	}
	for i, b := range all {
		if b.planned {
			all[0], all[i] = all[i], all[0]
		}
	}
	return all, nil
}

func (d *driver) sending(from, to model.NodeID, m any) {
	d.sent = append(d.sent, transmission{from, to, m})
}

// sameAnswers reports whether choices are those of a run. Answers that a run leaves out are 0.
func sameAnswers(given []world.Choice, answers []int) bool {
	for i, c := range given {
		is := 0
		if i < len(answers) {
			is = answers[i]
		}
		if c.Is != is {
			return false
		}
	}
	return true
}

// shown returns what a node of the page has shown in a step.
func (d *driver) shown(w *world.World, id model.NodeID, all []model.Observation, flying []*world.Event) (p page) {
	for _, s := range d.sent {
		if s.from == id {
			p.Sends = append(p.Sends, conform.Sent{To: s.to, Value: s.value})
		}
	}
	for _, o := range all {
		if o.Node == id && (o.Kind == model.Noted || o.Kind == model.Delivered) {
			p.Notes = append(p.Notes, o.Value)
		}
	}
	w.EachPending(func(e *world.Event) {
		switch {
		case e.Node != id:
		case e.Kind == model.Return && e.BornStep == w.Steps:
			p.Returned, p.Result = true, e.Value
		case e.Kind == model.Timeout:
			p.Alarms = append(p.Alarms, e.Value)
		}
	})
	for _, e := range flying {
		if e.Kind == model.Deliver && e.From == id {
			p.flying = append(p.flying, e)
		}
	}
	return p
}

// take takes a step in a copy of the branch, with answers to the choices of handlers, and 0 after them.
func (d *driver) take(b *branch, m world.Move, answers []int) (next *branch, given []world.Choice, p page, err error) {
	d.sent = nil
	next = &branch{world: b.world.Fork(), records: b.records[:len(b.records):len(b.records)], planned: b.planned}
	r, err := next.world.Step(m, 0, world.Answering(answers, &given))
	if err != nil {
		return nil, given, p, err
	}
	next.records = append(next.records, r)
	next.inherit(m)
	node := m.Node
	if m.Event != nil {
		node = m.Event.Node
	}
	return next, given, d.shown(next.world, node, r.Observations, r.Sent), nil
}

// inherit gives copies of messages the ids of their originals: duplicates, and messages that arrive again.
func (b *branch) inherit(m world.Move) {
	b.world.EachPending(func(e *world.Event) {
		switch {
		case e.Tag.Number != 0 || e.Kind != model.Deliver:
		case e.Repeats != nil:
			e.Tag = e.Repeats.Tag
		case m.Kind == model.Duplicate && e.From == m.Event.From && e.Node == m.Event.Node && e.BornStep == m.Event.BornStep &&
			value.Canonical(e.Value) == value.Canonical(m.Event.Value):
			e.Tag = m.Event.Tag
		}
	})
}

// label gives the messages in flight the ids that the implementation gave them.
func (d *driver) label(p page, ids []any, known *[]any) {
	used := make([]bool, len(p.Sends))
	for _, e := range p.flying {
		for i, s := range p.Sends {
			if !used[i] && s.To == e.Node && value.Canonical(s.Value) == value.Canonical(e.Value) {
				used[i] = true
				if ids[i] != nil {
					*known = append(*known, ids[i])
					e.Tag.Number = int32(len(*known))
				}
				break
			}
		}
	}
}

// distinct returns branches without those that are equal to an earlier one. The planned branch comes first.
func distinct(all []*branch) (some []*branch) {
	if len(all) < 2 {
		return all
	}
	met := map[string]bool{}
	for _, planned := range []bool{true, false} {
		for _, b := range all {
			if key := value.Canonical(b.world.Frozen()); b.planned == planned && !met[key] {
				met[key] = true
				some = append(some, b)
			}
		}
	}
	return some
}
