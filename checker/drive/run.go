package drive

import (
	"cmp"
	"errors"
	"fmt"

	"contend/checker/conform"
	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces"
)

// A ran is what came of a run.
type ran struct {
	steps      int // of nodes of the implementation
	planned    int // steps from the start in which the implementation took the branch of the run
	difference *Difference
}

// A running is a run in progress.
type running struct {
	*driver
	trace    *traces.Trace
	own      map[model.NodeID]bool // nodes of the implementation
	branches []*branch
	ids      []any // of messages in the implementation, by tag
	ran
}

// run replays a run. A step that is possible in no branch is left out: the implementation has taken another branch
// before. The run ends at the first difference, or at a cut of the page.
func (d *driver) run(t *traces.Trace) (ran, error) {
	d.runs++
	x := &running{driver: d, trace: t, own: map[model.NodeID]bool{}}
	nodes, err := d.implementation.begin(d.runs)
	var failed *failure
	switch {
	case errors.As(err, &failed) && d.runs == 1:
		err = fmt.Errorf("the implementation cannot begin a run: %s", failed.text)
	case errors.As(err, &failed):
		err = x.fails(failed, "a new run begins", traces.Step{Kind: "begin"})
	case err == nil:
		x.setNodes(nodes)
	}
	if err == nil {
		err = x.start()
	}
	for i := 0; err == nil && i < len(t.Steps); i++ {
		var took bool
		took, err = x.step(t.Steps[i])
		if took && x.planned == i && x.branches[0].planned {
			x.planned++
		}
	}
	if errors.As(err, new(*ended)) {
		err = nil
	}
	return x.ran, err
}

// An ended is the error of a run that ends before its last step. It is no error of the check.
type ended struct{}

func (*ended) Error() string { return "the run ends" }

// setNodes sets the nodes of the implementation; nil means all.
func (x *running) setNodes(nodes []model.NodeID) {
	if nodes == nil {
		for id := range x.system.Nodes {
			nodes = append(nodes, model.NodeID(id))
		}
	}
	for _, id := range nodes {
		x.own[id] = !x.system.Nodes[id].Byzantine
	}
}

// start starts the nodes.
func (x *running) start() (err error) {
	if x.branches, err = x.begin(x.trace.Boot); err != nil {
		return err
	}
	for id, spec := range x.system.Nodes {
		id := model.NodeID(id)
		if !x.own[id] {
			if !spec.Byzantine {
				x.branches = x.asPlanned(id)
			}
			continue
		}
		in := input{kind: start, node: id}
		for _, b := range x.branches[0].world.Boot {
			if b.Node == id {
				in.choices = append(in.choices, b.Choice)
			}
		}
		a, err := x.answer(in, "start "+spec.Name)
		var failed *failure
		if errors.As(err, &failed) {
			err = x.fails(failed, "start "+spec.Name, traces.Step{Kind: "start", To: spec.Name})
		}
		if err != nil {
			return err
		}
		var next []*branch
		var nearest *conform.Difference
		for _, b := range x.branches {
			if x.agrees(b, b.began[id], a, id, &nearest) {
				next = append(next, b)
			}
		}
		if len(next) == 0 {
			return x.differs(Difference{Difference: *nearest, Step: "start " + spec.Name, Shown: a.Text()}, traces.Step{Kind: "start", To: spec.Name})
		}
		x.branches = next
	}
	x.branches = distinct(x.branches)
	return nil
}

// asPlanned returns the branches in which a node of the page made the choices of the run at the start; all branches if
// there are none.
func (x *running) asPlanned(id model.NodeID) (some []*branch) {
	for _, b := range x.branches {
		differs := false
		for at, c := range b.world.Boot {
			is := 0
			if at < len(x.trace.Boot) {
				is = x.trace.Boot[at]
			}
			differs = differs || c.Node == id && c.Is != is
		}
		if !differs {
			some = append(some, b)
		}
	}
	if len(some) == 0 {
		return x.branches
	}
	return some
}

// agrees compares an answer with what the page shows in a branch. It labels the branch's messages if they agree.
func (x *running) agrees(b *branch, p page, a *conform.Answer, id model.NodeID, nearest **conform.Difference) bool {
	ids, d := x.vocabulary.Compare(a, p.Shown, b.world.Live(id), x.protocol.Unlogged.MaySend)
	if d != nil {
		if *nearest == nil || d.Agree > (*nearest).Agree {
			*nearest = d
		}
		return false
	}
	x.label(p, ids, &x.ids)
	return true
}

// answer takes a step of the implementation.
func (x *running) answer(in input, text string) (*conform.Answer, error) {
	x.steps++
	a, err := x.implementation.step(in)
	if err != nil && !errors.As(err, new(*failure)) {
		err = fmt.Errorf("run %d: the answer to the step (%s): %w", x.runs, text, err)
	}
	return a, err
}

// step takes a step. It reports false if the step is possible in no branch.
func (x *running) step(s traces.Step) (took bool, err error) {
	var can, cannot, next []*branch
	moves := map[*branch]world.Move{}
	var in input
	shown := true // by a node of the implementation
	for _, b := range x.branches {
		m, ok, err := x.find(b.world, s)
		if err != nil {
			return false, err
		}
		var given []world.Choice
		var to *branch
		if ok {
			to, given, _, err = x.take(b, m, s.Choices)
			ok = err == nil
		}
		if !ok {
			cannot = append(cannot, b)
			continue
		}
		if len(can) == 0 {
			in, shown = inputOf(m)
			shown = shown && x.own[in.node] && (in.kind != deliver || b.world.Live(in.node) != nil) // a node that is down receives nothing
			in.choices = given
			if m.Event != nil && m.Event.Tag.Number > 0 {
				in.id = x.ids[m.Event.Tag.Number-1]
			}
		}
		can, moves[b], next = append(can, b), m, append(next, to)
	}
	switch {
	case len(can) == 0:
		return false, nil
	case !shown:
		x.branches = distinct(append(next, cannot...))
		return true, nil
	}
	text := x.text(in)
	a, err := x.answer(in, text)
	var failed *failure
	if errors.As(err, &failed) {
		if failed.impossible && len(cannot) > 0 {
			x.branches = cannot // there, the page cannot take it either
			return false, nil
		}
		err = x.at(x.fails(failed, text, s), s, can[0], moves[can[0]])
	}
	if err != nil {
		return false, err
	}
	return true, x.choose(s, in, a, text, can, moves)
}

// choose keeps the branches that agree with an answer.
func (x *running) choose(s traces.Step, in input, a *conform.Answer, text string, can []*branch, moves map[*branch]world.Move) error {
	var next []*branch
	var nearest *conform.Difference
	cut := false
	for _, b := range can {
		for answers, more, tried := []int(nil), true, 0; more; tried++ {
			if tried == mostAnswers {
				return fmt.Errorf("step %q: the page has too many choices", text)
			}
			to, given, p, err := x.take(b, moves[b], answers)
			answers, more = world.NextAnswers(given)
			switch {
			case err != nil:
				cut = cut || errors.As(err, new(world.ErrCut))
			case to.world.Failed():
				return fmt.Errorf("step %q: a handler of the page fails: %s", text, to.world.Violations[len(to.world.Violations)-1].Text)
			case x.agrees(to, p, a, in.node, &nearest):
				to.planned = b.planned && sameAnswers(given, s.Choices)
				next = append(next, to)
			}
		}
	}
	switch {
	case len(next) > mostBranches:
		return fmt.Errorf("step %q: the page may be in more than %d states", text, mostBranches)
	case len(next) > 0:
		x.branches = distinct(next)
		return nil
	case cut:
		return &ended{}
	}
	return x.at(x.differs(Difference{Difference: *nearest, Step: text, Shown: a.Text()}, s), s, can[0], moves[can[0]])
}

// differs records a difference, and returns the error that ends the run.
func (x *running) differs(d Difference, last traces.Step) error {
	d.last = last
	x.difference = &d
	return &ended{}
}

// fails records that the implementation does not answer.
func (x *running) fails(f *failure, text string, last traces.Step) error {
	reason := f.text
	if f.impossible {
		reason = "the implementation cannot take the step: " + f.text
	}
	return x.differs(Difference{Difference: conform.Difference{Reason: reason}, Step: text, Failed: true}, last)
}

// at adds the run to a difference: that of a branch of the page, with the step.
func (x *running) at(err error, s traces.Step, b *branch, m world.Move) error {
	to, _, _, taken := x.take(b, m, s.Choices)
	if taken != nil {
		return taken
	}
	if t, failed := traces.FromRun(x.header, to.world, 1, to.records); failed == nil {
		x.difference.Trace, x.difference.Before = t, len(t.Steps)
	}
	return err
}

// text formats a step.
func (x *running) text(in input) string {
	name := x.system.Name
	what := describe.Value(in.value, name)
	switch in.kind {
	case deliver:
		return fmt.Sprintf("%s receives %s from %s", name(in.node), what, name(in.from))
	case call:
		return fmt.Sprintf("%s is called: %s", name(in.node), what)
	case fire:
		return fmt.Sprintf("the alarm %s of %s fires", cmp.Or(what, "nil"), name(in.node))
	case crash:
		return name(in.node) + " crashes"
	case suspect, trust:
		return fmt.Sprintf("the failure detector of %s reports %s as %s", name(in.node), what, map[kind]string{suspect: "down", trust: "up"}[in.kind])
	}
	return "start " + name(in.node)
}
