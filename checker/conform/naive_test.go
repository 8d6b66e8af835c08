package conform

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/impl"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A naive decides by all interleavings whether a log is a run. It shares the reading of logs with the search, and
// nothing of how the search chooses steps.
type naive struct {
	system   *model.System
	book     *book
	unlogged unlogged
	sent     []transmission
	cut      bool
}

// A spot is a state of the naive search.
type spot struct {
	world *world.World
	at    []int
	sends [][]owed
	notes [][]owed
}

func (x *spot) fork() *spot {
	f := &spot{world: x.world.Fork(), at: slices.Clone(x.at)}
	for i := range x.sends {
		f.sends, f.notes = append(f.sends, slices.Clone(x.sends[i])), append(f.notes, slices.Clone(x.notes[i]))
	}
	return f
}

func (x *spot) name() string {
	var b strings.Builder
	fmt.Fprint(&b, x.at)
	for i := range x.sends {
		for _, list := range [][]owed{x.sends[i], x.notes[i]} {
			b.WriteString("/")
			for _, o := range list {
				fmt.Fprintf(&b, "%d %t %q", o.to, o.may, value.Canonical(o.value))
			}
		}
	}
	return b.String() + value.Canonical(x.world.Frozen())
}

// decide returns whether the log is explained, and the largest number of explained entries; ok is false beyond the
// limit of states.
func (g *naive) decide(t testing.TB, limit int) (explained bool, prefix int, ok bool) {
	codec, err := value.New(g.system)
	require.NoError(t, err)
	var todo []*spot
	for answers, more := []int(nil), true; more; {
		var given []world.Choice
		count := 0
		g.sent = nil
		w, err := world.Start(g.system, codec, nil, world.Options{
			Boot: func(n int, _ string) int {
				is := 0
				if count < len(answers) {
					is = answers[count]
				}
				count++
				given = append(given, world.Choice{Of: n, Is: is})
				return is
			},
			Sending: func(from, to model.NodeID, m any) { g.sent = append(g.sent, transmission{from, to, m}) },
		})
		require.NoError(t, err)
		x := &spot{world: w, at: make([]int, len(g.system.Nodes)), sends: make([][]owed, len(g.system.Nodes)), notes: make([][]owed, len(g.system.Nodes))}
		for id := range g.system.Nodes {
			g.owe(x, id, w.Began)
		}
		todo = append(todo, x)
		answers, more = world.NextAnswers(given)
	}
	seen := map[string]bool{}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if name := x.name(); seen[name] {
			continue
		} else if seen[name] = true; len(seen) > limit {
			return false, prefix, false
		}
		done, used := true, 0
		for id := range x.at {
			used += x.at[id]
			done = done && x.at[id] == g.book.entries[id].end() && (g.book.open || !g.owes(x, id))
		}
		if prefix = max(prefix, used); done {
			return true, prefix, true
		}
		todo = append(todo, g.after(x)...)
	}
	return false, prefix, !g.cut
}

func (g *naive) owe(x *spot, id int, all []model.Observation) {
	for _, s := range g.sent {
		if int(s.from) == id && !g.unlogged.kinds[send] {
			x.sends[id] = append(x.sends[id], owed{s.to, s.value, g.unlogged.has(send, s.value)})
		}
	}
	for _, o := range all {
		if int(o.Node) == id && (o.Kind == model.Noted || o.Kind == model.Delivered) && !g.unlogged.kinds[note] {
			x.notes[id] = append(x.notes[id], owed{-1, o.Value, g.unlogged.has(note, o.Value)})
		}
	}
}

func (g *naive) owes(x *spot, id int) bool {
	return (&place{sends: x.sends[id], notes: x.notes[id]}).owes()
}

// after returns the successors of a state.
func (g *naive) after(x *spot) (all []*spot) {
	for id := range x.at {
		if q := x.fork(); x.at[id] < g.book.entries[id].end() && g.consume(q, id) {
			all = append(all, q)
		}
	}
	moves := len(append(x.world.Moves(), x.world.Forgeries()...))
	for i := range moves {
		for answers, more := []int(nil), true; more; {
			q := x.fork()
			m := append(q.world.Moves(), q.world.Forgeries()...)[i]
			given, ok := g.step(q, m, answers)
			if ok {
				all = append(all, q)
			}
			answers, more = world.NextAnswers(given)
		}
	}
	return all
}

// consume passes an entry that has no step.
func (g *naive) consume(x *spot, id int) bool {
	e := g.book.entries[id].at(x.at[id])
	first := e.step == start && x.at[id] == 0
	switch {
	case e.step == gap:
		x.sends[id], x.notes[id] = nil, nil
	case !first && !e.silent(), e.result != nil, !g.state(x, id, &e.before), !g.shows(x, id, e):
		return false
	}
	x.at[id]++
	return true
}

func (g *naive) state(x *spot, id int, l *look) bool {
	n := x.world.Live(model.NodeID(id))
	for i, name := range l.fields {
		if n == nil || fieldOf(n, name) != l.values[i] {
			return false
		}
	}
	return true
}

func (g *naive) shows(x *spot, id int, e *entry) bool {
	for _, s := range e.sends {
		i := slices.IndexFunc(x.sends[id], func(o owed) bool { return (s.to < 0 || s.to == o.to) && s.what.fits(o.value) })
		if i < 0 {
			return false
		}
		x.sends[id] = slices.Delete(x.sends[id], i, i+1)
	}
	for _, n := range e.notes {
		for len(x.notes[id]) > 0 && x.notes[id][0].may && !n.fits(x.notes[id][0].value) {
			x.notes[id] = x.notes[id][1:]
		}
		if len(x.notes[id]) == 0 || !n.fits(x.notes[id][0].value) {
			return false
		}
		x.notes[id] = x.notes[id][1:]
	}
	return g.state(x, id, &e.after)
}

// step takes a move, as the step of the next entry of its node or, if it may, without an entry.
func (g *naive) step(x *spot, m world.Move, answers []int) (given []world.Choice, ok bool) {
	id, v := int(m.Node), m.Value
	if m.Event != nil {
		id, v = int(m.Event.Node), m.Event.Value
	}
	var e *entry
	at := 0
	if id >= 0 {
		if at = x.at[id]; at < g.book.entries[id].end() {
			e = g.book.entries[id].at(at)
		}
	}
	up := id >= 0 && x.world.Live(model.NodeID(id)) != nil
	restarts := e != nil && e.step == start && at > 0 && up
	lapse := e == nil && g.book.open || e != nil && (e.step == gap || e.step == crash || restarts)
	shown, hidden, env := false, lapse, false
	switch m.Kind {
	case model.Lose, model.Duplicate:
		env = true
	case model.Deliver, model.Forge:
		from := m.From
		if m.Event != nil {
			from = m.Event.From
		}
		shown = e != nil && e.step == receive && (e.peer < 0 || e.peer == from) && e.what.fits(v)
		hidden = hidden || m.Kind == model.Deliver && g.unlogged.has(receive, v)
		if m.Kind == model.Forge {
			hidden = false
		}
	case model.Timeout:
		shown = e != nil && e.step == alarm && e.what.fits(v)
		hidden = hidden || g.unlogged.has(alarm, v)
	case model.Invoke, model.Release:
		shown = e != nil && e.step == call && e.what.fits(v)
		hidden = hidden || g.unlogged.kinds[call]
	case model.Return:
		shown = e != nil && e.silent() && e.result != nil && e.result.fits(v) && g.state(x, id, &e.before)
		hidden = hidden || g.unlogged.kinds[result]
	case model.Crash:
		hidden = restarts
		shown = e != nil && e.step == crash
	case model.Restart:
		hidden, shown = false, e != nil && e.step == start && at > 0
	default:
		return nil, false
	}
	if m.Kind == model.Deliver && !up {
		return nil, false
	}
	free := m.Kind == model.Return || lapse || env
	if !env && (!shown && !hidden || !free && g.owes(x, id)) {
		return nil, false
	}
	if shown && !g.state(x, id, &e.before) && !(m.Kind == model.Restart) {
		if shown = false; !hidden {
			return nil, false
		}
	}
	g.sent = nil
	rec, err := x.world.Step(m, 0, func(n int, _ string) int {
		is := 0
		if len(given) < len(answers) {
			is = answers[len(given)]
		}
		given = append(given, world.Choice{Of: n, Is: is})
		return is
	})
	if err != nil || x.world.Failed() {
		if _, cut := err.(world.ErrCut); cut {
			g.cut = true
		}
		return given, false
	}
	if env {
		return given, true
	}
	if m.Kind != model.Return {
		x.sends[id], x.notes[id] = nil, nil
		g.owe(x, id, rec.Observations)
	}
	if shown {
		if !g.shows(x, id, e) {
			return given, false
		}
		x.at[id]++
	} else if lapse {
		x.sends[id], x.notes[id] = nil, nil
	}
	return given, true
}

// randomProtocol returns a protocol of a random system.
func randomProtocol(seed uint64) *model.Protocol {
	return &model.Protocol{Name: "random", Build: func(c model.Config) (*model.System, error) {
		r := rand.New(rand.NewPCG(seed, 7))
		var s *model.System
		if seed%2 == 0 {
			s = random.System(r, false)
		} else {
			s = random.Letters(r, random.Timing{})
		}
		s.Faults = model.Faults{}
		s.Network.Channel = model.Channel(seed / 2 % 3)
		return s, nil
	}}
}

// A doctor changes logs at random.
type doctor struct {
	r *rand.Rand
}

type members = map[string]json.RawMessage

func lines(text string) (all []members) {
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		var m members
		if json.Unmarshal([]byte(l), &m) == nil {
			all = append(all, m)
		}
	}
	return all
}

func unlines(all []members) string {
	var b bytes.Buffer
	for _, m := range all {
		raw, _ := json.Marshal(m)
		b.Write(append(raw, '\n'))
	}
	return b.String()
}

// silence removes some kinds of what entries show, and some values.
func (d doctor) silence(all []members) (left []members) {
	var out []string
	for _, name := range []string{"alarm", "send", "receive", "note", "call", "result", "after", "after"} {
		if d.r.IntN(4) == 0 {
			out = append(out, name)
		}
	}
	vague := d.r.IntN(3) == 0
	for _, m := range all {
		for _, name := range out {
			delete(m, name)
		}
		var x map[string]json.RawMessage
		if raw := m["receive"]; vague && raw != nil && json.Unmarshal(raw, &x) == nil && d.r.IntN(2) == 0 {
			delete(x, []string{"value", "from"}[d.r.IntN(2)])
			m["receive"], _ = json.Marshal(x)
		}
		if len(m) > 1 {
			left = append(left, m)
		}
	}
	return left
}

// damage changes one entry.
func (d doctor) damage(all []members) []members {
	if len(all) == 0 {
		return all
	}
	i := d.r.IntN(len(all))
	switch d.r.IntN(5) {
	case 0:
		return slices.Delete(all, i, i+1)
	case 1:
		j := d.r.IntN(len(all))
		all[i], all[j] = all[j], all[i]
	case 2:
		j := d.r.IntN(len(all))
		for _, name := range []string{"receive", "send", "alarm", "after", "note"} {
			if all[i][name] != nil && all[j][name] != nil && (name != "after" || string(all[i]["node"]) == string(all[j]["node"])) {
				all[i][name] = all[j][name]
				break
			}
		}
	case 3:
		return slices.Insert(all, i, all[d.r.IntN(len(all))])
	}
	return all
}

// lapse removes the end of some node's entries before a crash, or marks it with a gap.
func (d doctor) lapse(all []members) (left []members, open bool) {
	if len(all) == 0 {
		return all, false
	}
	i := d.r.IntN(len(all))
	node := all[i]["node"]
	if d.r.IntN(2) == 0 {
		all[i] = members{"node": node, "gap": json.RawMessage("true")}
		return all, false
	}
	for j, m := range all {
		if j < i || string(m["node"]) != string(node) {
			left = append(left, m)
		}
	}
	return left, true
}

var full = flag.Bool("full", false, "compare with all interleavings on twenty times as many logs")

// TestSearchAgainstAllInterleavings compares verdicts on random logs of random protocols, and of small ones of the suite.
func TestSearchAgainstAllInterleavings(t *testing.T) {
	counts := map[string]int{}
	small := []string{"twophase", "centralized", "tokenring", "ricartagrawala", "paxos"}
	seeds := uint64(150)
	if *full {
		seeds = 3_000
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 3))
		p, c := randomProtocol(seed/3), model.Config{}
		if seed%3 == 0 {
			i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == small[seed/3%uint64(len(small))] })
			p = impl.Suite[i]
			c = p.Checks[0].Config
		}
		if seed%5 == 0 {
			c.Faults.Restarts = 1
		}
		if _, err := p.System("", c); err != nil {
			c.Faults = model.Faults{}
		}
		tr := drawn(t, p, "", c, r, 2+r.IntN(6))
		all := lines(logged(t, p, tr))
		d := doctor{r}
		all = d.silence(all)
		open := false
		if r.IntN(3) == 0 {
			all, open = d.lapse(all)
		}
		for range r.IntN(3) {
			all = d.damage(all)
		}
		compare(t, counts, seed, p, c, unlines(all), open)
	}
	t.Log(counts)
	for _, verdict := range []Verdict{Explained, NotExplained} {
		require.Greater(t, counts[string(verdict)], int(seeds/7))
	}
}

// streamed compares the verdict on a log that is read at once with those on a log that grows. It returns those that are
// conclusive.
func streamed(t *testing.T, counts map[string]int, name string, p *model.Protocol, c model.Config, opt Options, text string, want *Result) (conclusive []Verdict) {
	all := lines(text)
	for field := range silentKinds {
		if !slices.ContainsFunc(all, func(m members) bool { return m[field] != nil }) {
			opt.Silent = append(opt.Silent, field)
		}
	}
	for _, slow := range []pace{usualPace, {patience: 1, waiting: 4, interval: 2, span: 4, age: 3}} {
		s, err := NewStream(p, "", c, opt, true)
		require.NoError(t, err, name)
		s.search.pace = slow
		r := follow(t, s, text)
		require.Equal(t, r.Verdict == Explained, len(r.Stuck) == 0)
		if r.Verdict == Inconclusive {
			counts["streamed inconclusive, "+string(want.Verdict)]++
			require.False(t, slow == usualPace && want.Verdict != Inconclusive, "%s %s: %s\n%s", name, r.Limit, reasons(r), text)
			continue
		}
		counts["streamed"]++
		conclusive = append(conclusive, r.Verdict)
		if want.Verdict != Inconclusive {
			require.Equal(t, want.Verdict, r.Verdict, "%s %v: %s\n%s", name, slow, reasons(r), text)
		}
	}
	return conclusive
}

// follow gives a stream the lines of a log, one by one.
func follow(t testing.TB, s *Stream, text string) *Result {
	file, number := s.Source("log"), 0
	for line := range strings.Lines(text) {
		number++
		require.NoError(t, s.Add(file, number, []byte(strings.TrimSpace(line))))
		r, err := s.Go()
		require.NoError(t, err)
		if r != nil {
			return r
		}
	}
	r, err := s.End()
	require.NoError(t, err)
	return r
}

// compare compares the search with the naive one.
func compare(t *testing.T, counts map[string]int, seed uint64, p *model.Protocol, c model.Config, text string, open bool) {
	opt := Options{OpenEnded: open, MaxStates: 1_000}
	r, err := Validate(p, "", c, opt, source("log", text))
	if err != nil {
		counts["refused"]++
		return
	}
	counts[string(r.Verdict)]++
	grown := streamed(t, counts, fmt.Sprintf("seed %d of %s", seed, p.Name), p, c, opt, text, r)
	s, err := p.System("", r.Config)
	require.NoError(t, err)
	b, err := read(s, opt, []Source{source("log", text)})
	require.NoError(t, err)
	g := &naive{system: s, book: b, unlogged: newUnlogged(p.Unlogged, b)}
	explained, prefix, ok := g.decide(t, 300)
	for _, verdict := range grown {
		if ok || explained {
			require.Equal(t, explained, verdict == Explained, "seed %d of %s\n%s", seed, p.Name, text)
		}
	}
	switch {
	case !ok && !explained:
		counts["beyond the naive search"]++
	case r.Verdict == Inconclusive:
		counts["inconclusive, and explained "+fmt.Sprint(explained)]++
	default:
		require.Equal(t, explained, r.Verdict == Explained, "seed %d of %s: %s\n%s", seed, p.Name, reasons(r), text)
		taken := slices.ContainsFunc(r.Stuck, func(s Stuck) bool { return s.half })
		switch {
		case taken: // others go on after the step that the log shows otherwise
		case r.Prefix < prefix:
			counts["a shorter prefix"]++
		default:
			require.Equal(t, prefix, r.Prefix, "seed %d: %s\n%s", seed, reasons(r), text)
		}
	}
}
