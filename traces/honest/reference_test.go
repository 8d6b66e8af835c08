package honest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces/honest"
	"contend/traces/internal/toy"
	"contend/traces/replay"
)

// The messages of the servers below. A client's order lists the actions to take.
type (
	word  struct{ Is string }
	later struct { // an alarm or a message to itself, with its later effect
		To   model.NodeID
		Is   string
		Ever bool // again, each time
	}
	act struct {
		Do   string
		To   model.NodeID
		Word string
		N    int
		Open bool
	}
	order struct{ Acts []act }
	job   struct {
		To   model.NodeID
		Acts []act
		More []act // in a second message
	}
)

// An Obeyer executes orders.
type Obeyer struct {
	Last, Kept int
	start      []act
}

func (o *Obeyer) Start(env model.Env) { o.obey(env, o.start) }

func (o *Obeyer) Receive(env model.Env, _ model.NodeID, m any) {
	switch m := m.(type) {
	case order:
		o.obey(env, m.Acts)
	case later:
		if env.Send(m.To, word{m.Is}); m.Ever {
			env.Send(env.Self(), m)
		}
	}
}

func (o *Obeyer) Timeout(env model.Env, key any) {
	k := key.(later)
	if env.Send(k.To, word{k.Is}); k.Ever {
		env.After(k, model.Exactly(0))
	}
}

func (o *Obeyer) obey(env model.Env, acts []act) {
	for _, a := range acts {
		switch a.Do {
		case "say":
			env.Send(a.To, word{a.Word})
		case "pick":
			o.Last = env.Choose(a.N)
		case "tell":
			env.Send(a.To, word{fmt.Sprint(o.Last)})
		case "forget":
			o.Last = 0
		case "keep":
			o.Kept = o.Last
		case "alarm":
			env.After(later{To: a.To, Is: a.Word}, model.Window{Hi: model.Bound{At: model.Ticks(a.N), Open: a.Open}})
		case "whenever":
			env.After(later{To: a.To, Is: a.Word}, model.Anytime())
		case "mail":
			env.Send(env.Self(), later{To: a.To, Is: a.Word})
		case "mail for ever":
			env.Send(env.Self(), later{To: a.To, Is: a.Word, Ever: true})
		case "ring for ever":
			env.After(later{To: a.To, Is: a.Word, Ever: true}, model.Exactly(0))
		case "if 1":
			if o.Last != 1 {
				return
			}
		case "fail":
			panic("told to fail")
		case "fail if 1":
			if o.Last == 1 {
				panic("told to fail")
			}
		}
	}
}

// A Boss sends orders, and ignores answers.
type Boss struct{ Said int }

func (*Boss) Invoke(env model.Env, op any) {
	j := op.(job)
	env.Send(j.To, order{j.Acts})
	if len(j.More) > 0 {
		env.Send(j.To, order{j.More})
	}
	env.Return(nil)
}

func (*Boss) Receive(model.Env, model.NodeID, any) {}

// The nodes: one honest server, two liars, and two clients.
const (
	liar model.NodeID = iota // as in a move from nobody
	keeper
	cheat
	first
	second
	none model.NodeID = -1 // no receiver: an order to the node itself
)

// obeyers returns a protocol in which clients send orders to two Byzantine nodes. These nodes forge "a", "0"
// or "1".
func obeyers(start []act, scripts ...[]model.Op) *model.Protocol {
	server := func(name string, byzantine bool) model.NodeSpec {
		o := Obeyer{}
		if byzantine {
			o.start = start
		}
		return model.NodeSpec{Name: name, Role: model.Server, Byzantine: byzantine, New: func() model.Node { is := o; return &is }}
	}
	return &model.Protocol{Name: "obeyers", Build: func(model.Config) (*model.System, error) {
		s := &model.System{
			Network: model.Network{Delay: model.By(1)},
			Types:   []any{word{}, later{}, order{}, job{}},
			Forge: func(to model.Node, _, _ model.NodeID) []any {
				return []any{word{"a"}, word{"0"}, word{"1"}}
			},
			Nodes: []model.NodeSpec{server("s1", true), server("s2", false), server("s3", true)},
		}
		for i, script := range scripts {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("c", i+1), New: func() model.Node { return &Boss{} }, Script: script})
		}
		return s, nil
	}}
}

// random returns orders for the two Byzantine nodes.
func random(rng *rand.Rand) (script []model.Op) {
	any := func() model.NodeID {
		return []model.NodeID{keeper, liar, cheat, first, second, first, second, first}[rng.IntN(8)]
	}
	acts := func() (all []act) {
		for range rng.IntN(5) {
			a := act{
				Do: []string{"say", "say", "pick", "pick", "tell", "tell", "tell", "forget", "alarm", "alarm", "whenever", "mail", "mail", "if 1"}[rng.IntN(14)],
				To: any(), Word: []string{"a", "b"}[rng.IntN(2)], N: 1 + rng.IntN(3), Open: rng.IntN(2) == 0,
			}
			all = append(all, a)
		}
		return all
	}
	for range 4 {
		script = append(script, model.Op{Call: job{[]model.NodeID{liar, cheat}[rng.IntN(2)], acts(), acts()}, After: model.By(2)})
	}
	return script
}

// The sentences about lies agree with a simple model of the orders. The model uses no worlds and executes
// nothing twice.
func TestAgainstAnAccount(t *testing.T) {
	lies, several, unasked, two := 0, 0, 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var start []act
		if seed%3 == 0 {
			start = []act{{Do: "say", To: first, Word: "b"}, {Do: "alarm", To: second, Word: "a", N: 2}}
		}
		p := obeyers(start, random(rng), random(rng))
		timed := seed%2 == 0
		run, err := replay.Replay(p, toy.Driven(t, p, model.Config{}, timed, seed), nil)
		require.NoError(t, err)
		want := accounts(run, start)
		require.Equal(t, want, honest.Answers(run), "seed %d", seed)
		said := honest.Sentences(run)
		for i, r := range run.Records {
			all, known := want[i+1]
			require.Equal(t, known, said[i+1] != "")
			if !known {
				continue
			}
			is := run.World.System.Name(r.Move.From)
			text := "would have said " + strings.Join(all, " or ")
			if len(all) == 0 {
				text = fmt.Sprintf("would have said nothing: %s has not asked it", run.World.System.Name(r.Move.Node))
			} else if slices.Equal(all, []string{fmt.Sprintf("word{%q}", r.Move.Value.(word).Is)}) {
				text = "would have said the same"
			}
			require.Equal(t, fmt.Sprintf("an honest %s %s", is, text), said[i+1])
			lies++
			if len(all) > 1 {
				several++
			}
			if len(all) == 0 {
				unasked++
			}
			if strings.Contains(text, " and ") {
				two++
			}
		}
	}
	require.Greater(t, lies, 150)
	require.Greater(t, several, 5)
	require.Greater(t, unasked, 5)
	require.Greater(t, two, 3)
}

// There is no sentence for a node with too many possible behaviors, a failing node, or a node without an end.
func TestNotKnown(t *testing.T) {
	pick := func(n int) act { return act{Do: "pick", N: n} }
	do := func(what string) act { return act{Do: what, To: first, Word: "a"} }
	alarm := func(n int, open bool, to model.NodeID) act {
		return act{Do: "alarm", To: to, Word: "a", N: n, Open: open}
	}
	words := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(`word{"%d"}`, i))
		}
		return all
	}
	for _, c := range []struct {
		name           string
		start, acts    []act
		more           []act    // in a second message
		untimed, timed []string // nil: it is not known
	}{
		{"eight ways", nil, []act{pick(8), do("tell")}, nil, words(8), words(8)},
		{"nine ways to one state", nil, []act{pick(9), do("forget"), do("tell")}, nil, nil, nil},
		{"eight ways to one state", nil, []act{pick(8), do("forget"), do("tell")}, nil, words(1), words(1)},
		{"eight states", nil, []act{pick(2), do("keep"), pick(4), do("tell")}, nil, words(4), words(4)},
		{"nine states", nil, []act{pick(3), do("keep"), pick(3), do("tell")}, nil, nil, nil},
		{"eight answers", nil, append(slices.Repeat([]act{pick(2)}, 8), do("tell")), nil, words(2), words(2)},
		{"nine answers", nil, append(slices.Repeat([]act{pick(2)}, 9), do("tell")), nil, nil, nil},
		{"a failure", nil, []act{do("fail")}, nil, nil, nil},
		{"a failure of one way", nil, []act{pick(2), do("fail if 1")}, nil, nil, nil},
		{"a failure at the start", []act{do("fail")}, nil, nil, nil, nil},
		{"a choice at the start", []act{pick(2)}, nil, nil, nil, nil},
		{"mail without end", nil, []act{do("mail for ever")}, nil, nil, []string{`word{"a"}`}},
		{"alarms without end", nil, []act{do("ring for ever")}, nil, []string{"nothing"}, nil},
		{"the start", []act{do("say")}, []act{do("mail")}, nil, []string{`word{"a"}`}, []string{`word{"a"}`}},
		{"a failure of one way, later", nil, []act{pick(2)}, []act{do("fail if 1")}, nil, nil},
		{"the earlier of two alarms", nil, []act{alarm(60, false, first), alarm(1, false, second)}, nil, []string{"nothing"}, []string{"nothing"}},
		{"the earlier of two before an instant", nil, []act{alarm(60, true, first), alarm(1, true, second)}, nil, []string{"nothing"}, []string{"nothing"}},
		{"one way says something to another", nil, []act{pick(2), do("if 1"), {Do: "say", To: second, Word: "b"}}, nil, []string{"nothing", `word{"b"}`}, []string{"nothing", `word{"b"}`}},
		{"an alarm that need not ring", []act{do("whenever"), {Do: "alarm", To: second, Word: "b"}}, []act{pick(1)}, nil, []string{"nothing"}, []string{"nothing"}},
	} {
		for _, timed := range []bool{false, true} {
			want, to := c.untimed, first
			if strings.HasSuffix(c.name, "another") {
				to = second
			}
			if timed {
				want = c.timed
			}
			t.Run(fmt.Sprint(c.name, " timed ", timed), func(t *testing.T) {
				script := []model.Op{{Call: job{To: liar, Acts: c.acts, More: c.more}}}
				for range 6 {
					script = append(script, model.Op{Call: job{To: cheat}, After: model.Exactly(3)})
				}
				p, lies := obeyers(c.start, script, nil), 0
				for seed := uint64(0); lies < 2; seed++ {
					require.Less(t, seed, uint64(100))
					run, err := replay.Replay(p, toy.Driven(t, p, model.Config{}, timed, seed), nil)
					require.NoError(t, err)
					all := honest.Answers(run)
					if want == nil && len(c.start) > 0 {
						require.Empty(t, all, "it is not known from the start")
					}
					ordered := slices.IndexFunc(run.World.ToByzantine, func(e *world.Event) bool { return e.Node == liar && e.From == first })
					for i, r := range run.Records {
						if r.Move.Kind != model.Forge || r.Move.From != liar || r.Move.Node != to || ordered < 0 {
							continue
						}
						if e := run.World.ToByzantine[ordered]; i >= e.BornStep && (!timed || r.At >= e.Born+2*world.Time(run.Parts)) {
							is, known := all[i+1]
							require.Equal(t, want, is)
							require.Equal(t, want != nil, known)
							lies++
						}
					}
				}
			})
		}
	}
}

// There is no sentence for a node that cannot be created.
func TestNotMade(t *testing.T) {
	p := obeyers(nil, random(rand.New(rand.NewPCG(1, 1))), nil)
	run, err := replay.Replay(p, toy.Driven(t, p, model.Config{}, true, 1), nil)
	require.NoError(t, err)
	require.NotEmpty(t, honest.Sentences(run))
	for _, fresh := range []func() model.Node{nil, func() model.Node { return &struct{ Is chan int }{} }} {
		for _, id := range []model.NodeID{liar, cheat} {
			run.World.System.Nodes[id].New = fresh
		}
		require.Empty(t, honest.Sentences(run))
	}
}

// An account is one possible history of an honest server.
type account struct {
	last    int
	pending []pending
	said    map[model.NodeID][]string
	now     map[model.NodeID][]string // its sentences in this step
}

type pending struct {
	later
	due    world.Time
	open   bool
	mailed bool
}

func (a account) name() string { return fmt.Sprint(a.last, a.pending) }

func (a account) copied() account {
	return account{a.last, slices.Clone(a.pending), maps.Clone(a.said), maps.Clone(a.now)}
}

func (a account) say(to model.NodeID, text string) {
	a.now[to] = append(slices.Clip(a.now[to]), fmt.Sprintf("word{%q}", text))
}

// accounts follows both Byzantine nodes.
func accounts(run *replay.Run, start []act) map[int][]string {
	all := map[int][]string{}
	for _, id := range []model.NodeID{liar, cheat} {
		b := book{run: run, self: id}
		b.ways = b.done(b.obey(account{said: map[model.NodeID][]string{}, now: map[model.NodeID][]string{}}, start, 0))
		sent := run.World.ToByzantine
		for i, r := range run.Records {
			for ; len(sent) > 0 && sent[0].BornStep <= i; sent = sent[1:] {
				if sent[0].Node == id {
					b.hear(sent[0])
				}
			}
			if r.Move.Kind == model.Forge && r.Move.From == id && len(b.ways) > 0 {
				b.until(r.At)
				all[i+1] = b.answers(r.Move.Node)
			}
		}
	}
	return all
}

type book struct {
	run  *replay.Run
	self model.NodeID
	ways []account
}

// hear delivers a message in every account.
func (b *book) hear(e *world.Event) {
	b.until(e.Born)
	o, _ := e.Value.(order)
	var all []account
	for _, w := range b.ways {
		for _, is := range b.obey(w.copied(), o.Acts, e.Born) {
			if is.now[e.From] == nil {
				is.now[e.From] = []string{"nothing"}
			}
			all = append(all, is)
		}
	}
	b.ways = b.done(all)
}

// obey executes actions, with every result of a choice.
func (b *book) obey(w account, acts []act, now world.Time) (all []account) {
	for k, a := range acts {
		p := pending{later: later{To: a.To, Is: a.Word}, open: a.Open, due: now + world.Time(int64(a.N)*b.run.Parts)}
		switch a.Do {
		case "say", "tell":
			if a.Do == "tell" {
				a.Word = fmt.Sprint(w.last)
			}
			if a.To != b.self {
				w.say(a.To, a.Word)
				continue
			}
			w.pending = append(w.pending, pending{later: later{To: none, Is: a.Word}, due: now + world.Time(b.run.Parts), mailed: true})
		case "forget":
			w.last = 0
		case "if 1":
			if w.last != 1 {
				return []account{w}
			}
		case "pick":
			for n := range a.N {
				c := w.copied()
				c.last = n
				all = append(all, b.obey(c, acts[k+1:], now)...)
			}
			return all
		case "mail":
			p.mailed, p.open, p.due = true, false, now+world.Time(b.run.Parts)
			w.pending = append(w.pending, p)
		case "alarm", "whenever":
			if a.Do == "whenever" {
				p.due, p.open = 1<<60, true
			}
			w.pending = slices.DeleteFunc(w.pending, func(o pending) bool { return !o.mailed && o.later == p.later })
			w.pending = append(w.pending, p)
		}
	}
	return []account{w}
}

// done ends a step, and merges equal accounts.
func (b *book) done(all []account) (ways []account) {
	for _, w := range all {
		for to, words := range w.now {
			w.said[to] = []string{strings.Join(words, " and ")}
		}
		w.now = map[model.NodeID][]string{}
		if i := slices.IndexFunc(ways, func(o account) bool { return o.name() == w.name() }); i >= 0 {
			both := book{ways: []account{ways[i], w}}
			for to := liar; to <= second; to++ {
				if is := both.answers(to); is != nil {
					ways[i].said[to] = is
				}
			}
			continue
		}
		ways = append(ways, w)
	}
	if len(ways) > 8 {
		return nil
	}
	return ways
}

// until executes what must happen before an instant; in an untimed run the messages to itself.
func (b *book) until(at world.Time) {
	for {
		next := -1
		for i, w := range b.ways {
			k := -1
			for j, p := range w.pending {
				must := p.due < at || p.due == at && p.open
				if !b.run.Trace.Timed() {
					must = p.mailed && k < 0
				}
				if must && (k < 0 || p.due < w.pending[k].due || p.due == w.pending[k].due && p.open && !w.pending[k].open) {
					k = j
				}
			}
			if k >= 0 {
				c := w.copied()
				p := c.pending[k]
				now := p.due // on the grid of the run, the last instant before an open end
				if p.open {
					now--
				}
				c.pending = slices.Delete(c.pending, k, k+1)
				switch p.To {
				case none:
				case b.self:
					c.pending = append(c.pending, pending{later: later{To: none, Is: p.Is}, due: now + world.Time(b.run.Parts), mailed: true})
				default:
					c.say(p.To, p.Is)
				}
				b.ways[i], next = c, i
				break
			}
		}
		if next < 0 {
			return
		}
		b.ways = b.done(b.ways)
	}
}

// answers returns the last messages to a node.
func (b *book) answers(to model.NodeID) (all []string) {
	asked := false
	for _, w := range b.ways {
		is := w.said[to]
		asked = asked || is != nil
		if is == nil {
			is = []string{"nothing"}
		}
		all = append(all, is...)
	}
	if !asked {
		return nil
	}
	slices.Sort(all)
	return slices.Compact(all)
}
