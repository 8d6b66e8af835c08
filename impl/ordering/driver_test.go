package ordering

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// A driver executes a system by the interpreter, untimed, along a schedule of a test. The answer to every choice is 0.
type driver struct {
	testing.TB
	*world.World
	records []world.Record // the steps so far
}

func drive(t testing.TB, s *model.System) *driver {
	t.Helper()
	require.NoError(t, s.Validate())
	w, err := world.New(s, nil, world.Options{})
	require.NoError(t, err)
	return &driver{TB: t, World: w}
}

// event returns the name of a pending event in a schedule: "c1 submits" and "c1 contends", when contend returns, and
// messages by sender, receiver, method and rank: "c1→s2 get 4", "s2→c1 got 4", "s2→c1 refused get 4".
func (d *driver) event(e *world.Event) string {
	name := d.System.Name
	switch e.Kind {
	case model.Deliver:
		return fmt.Sprintf("%s→%s %s", name(e.From), name(e.Node), d.about(e.Value))
	case model.Timeout:
		return name(e.Node) + " contends"
	case model.Invoke:
		return name(e.Node) + " submits"
	}
	return fmt.Sprint(name(e.Node), " ", e.Kind)
}

func (d *driver) about(m any) string {
	switch m := m.(type) {
	case Submit:
		return "submit"
	case Response:
		return "response"
	case Get:
		return fmt.Sprint("get ", m.Rank)
	case Propose:
		return fmt.Sprint("propose ", m.Rank)
	case Commit:
		return fmt.Sprint("commit ", m.Rank)
	case Got:
		return fmt.Sprint("got ", m.Rank)
	case Done:
		return fmt.Sprint("done ", m.Phase, " ", m.Rank)
	case RankException:
		return fmt.Sprint("refused ", m.Phase, " ", m.Rank)
	}
	return fmt.Sprintf("%T", m)
}

// do executes events in order. A line may name several senders or receivers: "c1→s1,s2 get 4".
func (d *driver) do(schedule ...string) {
	d.Helper()
	for _, name := range each(schedule) {
		d.move(d.named(name))
	}
}

// named returns the event with a name.
func (d *driver) named(name string) world.Move {
	d.Helper()
	events := d.Pending()
	i := slices.IndexFunc(events, func(e *world.Event) bool { return d.event(e) == name })
	require.GreaterOrEqual(d, i, 0, "%s is not pending, but %v", name, d.events())
	return world.Move{Kind: events[i].Kind, Event: events[i]}
}

// lie makes a liar send a message that the adversary offers now.
func (d *driver) lie(from, to string, m any) {
	d.Helper()
	for _, f := range d.Forgeries() {
		if d.System.Name(f.From) == from && d.System.Name(f.Node) == to && cmp.Equal(f.Value, m, cmpopts.EquateEmpty()) {
			d.move(f)
			return
		}
	}
	d.Fatalf("%s cannot send %+v to %s now", from, m, to)
}

func (d *driver) move(m world.Move) {
	d.Helper()
	d.step(m, 0)
}

// step executes an event with an answer to its first choice.
func (d *driver) step(m world.Move, first int) {
	d.Helper()
	r, err := d.Step(m, 0, func(int, string) int {
		is := first
		first = 0
		return is
	})
	require.NoError(d, err)
	d.records = append(d.records, r)
}

// boot starts the operations that begin at boot.
func (d *driver) boot() {
	d.Helper()
	for d.Booting() {
		d.move(d.Moves()[0])
	}
}

func (d *driver) events() []string {
	var names []string
	for _, e := range d.Pending() {
		names = append(names, d.event(e))
	}
	return names
}

// each expands the lines that name several senders or receivers.
func each(lines []string) []string {
	var out []string
	for _, line := range lines {
		route, what, _ := strings.Cut(line, " ")
		from, to, sent := strings.Cut(route, "→")
		if !sent {
			out = append(out, line)
			continue
		}
		for _, f := range strings.Split(from, ",") {
			for _, t := range strings.Split(to, ",") {
				out = append(out, f+"→"+t+" "+what)
			}
		}
	}
	return out
}
