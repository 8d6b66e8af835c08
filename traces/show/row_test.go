package show_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/traces/show"
)

// If nodes act before the first step, one line shows their choices, messages and alarms.
func TestTheStart(t *testing.T) {
	starts := func(env model.Env, call any) {
		if call == "start" {
			env.Choose(2)
			env.Choose(3)
			env.Send(1-env.Self(), hello{int(env.Self())})
			env.After("k", model.Exactly(1))
		}
	}
	system := func(do func(env model.Env, call any)) *model.System {
		return &model.System{Nodes: []model.NodeSpec{named("a", do), named("b", do, model.Op{Call: "go"})}}
	}
	want := []string{"a chooses 0 of 0…1", "a chooses 0 of 0…2", "b chooses 0 of 0…1", "b chooses 0 of 0…2",
		"a sends hello{0} to b", `a arms "k" for [1, 1]`, "b sends hello{1} to a", `b arms "k" for [1, 1]`}
	run := newShops(t, true, system(starts)).run
	assert.Equal(t, []show.Line{{Step: 0, Time: "0", Who: "all", What: "start", Details: want}}, show.Lines(run))
	assert.Empty(t, show.Lines(newShops(t, true, system(nil)).run))
	untimed := show.Lines(newShops(t, false, system(starts)).run)[0]
	assert.Empty(t, untimed.Time)
	assert.Equal(t, `b arms "k"`, untimed.Details[7])
}

// A step shows the changes, notes, messages, alarms and answers.
func TestAStep(t *testing.T) {
	does := func(env model.Env, call any) {
		switch call {
		case "start":
			env.Hold("k", model.Through(1))
			env.Hold("j", model.Below(1))
		case "go":
			env.Note("noted")
			env.Deliver(hello{3})
			env.Broadcast([]model.NodeID{0, 1}, hello{1})
			env.Send(1, hello{2})
			env.Send(0, hello{1})
			env.After("late", model.Between(1, 2))
			env.After("later", model.Exactly(4))
			env.Choose(3)
			env.Choose(4)
			env.Held("k")
			env.Held("j")
			env.Return(nil)
		}
	}
	s := newShops(t, true, &model.System{Nodes: []model.NodeSpec{named("a", does, model.Op{Call: "go", After: model.Exactly(1)}), named("b", does)}})
	s.take(model.Invoke, 0)
	s.take(model.Return, 0)
	s.run.Records[0].By = "replay"
	details := []string{"the adversary's replay", "N: 0 → 1", `notes "noted"`, "delivers hello{3}", "sends hello{1} to a, b, a", "sends hello{2} to b", `arms "late" for [2, 3]`, `arms "later" for [5, 5]`,
		"the hold of step 0 lasts", "the hold of step 0 is over", "chooses 0 of 0…2", "chooses 0 of 0…3"}
	assert.Equal(t, []string{"1 1 a invokes \"go\"", "2 1 a returns"}, brief(show.Lines(s.run)))
	assert.Equal(t, details, show.Lines(s.run)[0].Details)
	assert.Equal(t, []string{"2 1 a returns"}, brief(show.LinesFrom(s.run, 2)))
	assert.Empty(t, show.LinesFrom(s.run, 3))
	assert.Empty(t, show.LinesFrom(s.run, 4), "nothing comes after the end")
	s.run.Trace.Time = "untimed"
	assert.Equal(t, []string{"1  a invokes \"go\"", "2  a returns"}, brief(show.Lines(s.run)))
	assert.Equal(t, `arms "late"`, show.Lines(s.run)[0].Details[6])
}

// Many choices of one range are one line, at the position of the first choice.
func TestManyChoices(t *testing.T) {
	does := func(env model.Env, _ any) {
		for _, n := range []int{20, 3, 20, 20, 20, 20, 3} {
			env.Choose(n)
		}
	}
	s := newShops(t, true, &model.System{Nodes: []model.NodeSpec{named("a", does, model.Op{Call: "go", After: model.Exactly(1)})}})
	s.take(model.Invoke, 0)
	want := []string{"a chooses 5 times of 0…19: 0, 0, 0, …", "a chooses 0 of 0…2", "a chooses 0 of 0…2"}
	lines := show.Lines(s.run)
	assert.Equal(t, want, lines[0].Details, "the start")
	for i := range want {
		want[i] = strings.TrimPrefix(want[i], "a ")
	}
	assert.Equal(t, want, lines[1].Details[1:])
}

// A node whose alarm is a monitor's is no node: the step is at the claim.
func TestAStepOfAMonitor(t *testing.T) {
	waits := model.Claim{Name: "watched", Monitor: func(*model.System) model.Monitor { return &alarmed{} }}
	s := newShops(t, true, &model.System{Nodes: []model.NodeSpec{named("a", func(env model.Env, call any) {
		if call == "go" {
			env.Note(call)
		}
	}, model.Op{Call: "go", After: model.Exactly(0)})}}, waits)
	s.take(model.Invoke, 0)
	assert.Equal(t, []string{"watched: alarm hello{1} fires in [1, 1]"}, pending(s))
}

type alarmed struct{}

func (*alarmed) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		w.After(hello{1}, model.Exactly(1))
	}
}

func (*alarmed) Expire(model.Watch, any) {}

func brief(lines []show.Line) (all []string) {
	for _, l := range lines {
		all = append(all, fmt.Sprint(l.Step, " ", l.Time, " ", l.Who, " ", l.What))
	}
	return all
}
