package portable

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"contend/checker/search/absorb"
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/step"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// A listener keeps what it was told last.
type listener struct{ Last string }

func (l *listener) Observe(_ model.Watch, o model.Observation) { l.Last = fmt.Sprintf("%+v", o) }

// process is a worker of a process that searches a random system, with causal pasts if it is told of them.
func process(t *testing.T, seed uint64, pasts bool) *step.Worker {
	t.Helper()
	it := random.Draw(seed)
	it.System.Cuts = nil // Start may lead beyond one, which is refused
	claim := model.Claim{Name: "listener", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &listener{} }}
	if pasts {
		claim.Causal = func(model.Observation) bool { return true }
	}
	codec, err := value.For(it.System, []model.Claim{claim})
	if err != nil {
		t.Fatal(err)
	}
	st := component.NewStore(it.System, codec, []model.Claim{claim}, it.Reading == model.Grid, component.Closing)
	st.Coins.Tossed = it.Reading == model.Grid && seed%2 == 0
	return step.NewWorker(step.NewEngine(st))
}

// met are some states of a worker, without the steps in which coins are tossed.
func met(w *step.Worker, most int64) (all frontier.Chunk) {
	coins := w.Coins
	known := map[fingerprint.Print]bool{}
	w.Emit = func(v []uint32) {
		if !known[w.Sum] && all.States() < most {
			known[w.Sum] = true
			all = add(all, w.Sum, v)
		}
	}
	w.Initial()
	w.Coins.Tossed = false
	for at := 0; at < len(all); {
		key, v, rest := all[at:].Next()
		at = len(all) - len(rest)
		w.Expand(v, key)
	}
	w.Coins = coins
	return all
}

// States of systems of every kind are the same in another process, which knows components by other numbers: so are the second and third message of a
// writer, behind what they are written to. A component is in a message once.
func TestStatesOfEveryKind(t *testing.T) {
	sent, kinds := int64(0), map[component.Kind]bool{}
	for seed := range uint64(120) {
		if random.Draw(seed).Reading == model.Dense {
			continue
		}
		from, to := process(t, seed, seed%3 == 0), process(t, seed, seed%3 == 0)
		all := met(from, 30)
		met(to, 1+int64(seed%7))
		for _, f := range from.Flats[1:] {
			kinds[f.Kind] = true
		}
		w := NewWriter(from.Engine)
		for range 5 {
			out := w.States([]byte("before"), all, from.PrintOfState)
			message, is := bytes.CutPrefix(out, []byte("before"))
			if !is {
				t.Fatalf("seed %d: what stood there before is gone", seed)
			}
			arrived, rest := int64(0), all
			if err := ReadStates(message, to, func(key fingerprint.Print, v []uint32) {
				var want fingerprint.Print
				var of []uint32
				want, of, rest = rest.Next()
				if arrived++; key != want || to.PrintOfState(v) != from.PrintOfState(of) || len(v) != len(of) {
					t.Fatalf("seed %d: state %d arrives as %v", seed, arrived, v)
				}
				for k := to.Head + 1; k < len(v); k++ {
					if v[k] < v[k-1] {
						t.Fatalf("seed %d: the parts of %v have no order", seed, v)
					}
				}
			}); err != nil || arrived != all.States() {
				t.Fatalf("seed %d: %d of %d states arrive: %v", seed, arrived, all.States(), err)
			}
			if fresh := written(from, all); !bytes.Equal(fresh, message) {
				t.Fatalf("seed %d: it is %d bytes, and of a new writer %d", seed, len(message), len(fresh))
			}
			for id := range from.Store.Locals.Items {
				l := from.Store.Locals.Items[id]
				if len(l.Bytes) > 12 && bytes.Count(message, []byte(l.Bytes)) > len(from.Protos) {
					t.Fatalf("seed %d: %x is in it more than once for each node", seed, l.Bytes)
				}
			}
			sent += arrived
			for i := range w.seen { // as after very many messages
				w.seen[i].next += 1<<30 + 7
			}
		}
	}
	if sent < 2000 || len(kinds) < 8 {
		t.Errorf("%d states are sent, with parts of the kinds %v", sent, kinds)
	}
}

// Facts arrive as they are: in content, and in number.
func TestFactsOfEveryKind(t *testing.T) {
	sent := 0
	for seed := range uint64(40) {
		if random.Draw(seed).Reading == model.Dense {
			continue
		}
		from, to := process(t, seed, false), process(t, seed, false)
		met(from, 30)
		met(to, 2)
		var facts []absorb.Fact
		for id := range uint32(len(from.Store.Locals.Items)) {
			for _, is := range []absorb.Sort{absorb.GoesTo, absorb.Held, absorb.Called} {
				f := absorb.Fact{Is: is, State: id}
				if is != absorb.Held {
					f.Other = uint32(len(from.Store.Locals.Items)) - 1 - id
				}
				if is != absorb.GoesTo {
					f.Trigger = id % uint32(len(from.Store.Bases.Items))
				}
				facts = append(facts, f)
			}
		}
		told := func(w *step.Worker, facts []absorb.Fact) (texts []string) {
			for _, f := range facts {
				b := w.Store.Bases.Items[f.Trigger]
				given := ""
				if int(b.Value) < len(w.Store.Values.Items) {
					given = w.Store.Values.Items[b.Value]
				}
				b.Value = 0
				texts = append(texts, fmt.Sprintf("%d %+v %+v %+v %x", f.Is, w.Store.Locals.Items[f.State], w.Store.Locals.Items[f.Other], b, given))
			}
			return texts
		}
		got, err := ReadFacts(NewWriter(from.Engine).Facts(nil, facts), to.Engine)
		if err != nil || !reflect.DeepEqual(told(to, got), told(from, facts)) {
			t.Fatalf("seed %d: %d facts of %d arrive, or others: %v", seed, len(got), len(facts), err)
		}
		sent += len(facts)
	}
	if sent < 1000 {
		t.Errorf("only %d facts are sent", sent)
	}
}

// What no part writes is refused in a sentence, and the last that a field may hold is not.
func TestDamaged(t *testing.T) {
	w := process(t, 1, false)
	nodes := int64(len(w.Protos))
	signed := func(of ...int64) (b []byte) {
		for _, n := range of {
			b = binary.AppendVarint(b, n)
		}
		return b
	}
	join := func(of ...[]byte) []byte { return bytes.Join(of, nil) }
	local := func(slot int64) []byte { return join([]byte{0}, signed(slot), []byte{2, 'x', 'y'}) }
	base := func(kind, optional byte, four ...int64) []byte {
		return join([]byte{0, kind, optional}, signed(four...), []byte{0, 1, 'v'}, []byte{0, 0})
	}
	held := func(of []byte) []byte { return join([]byte{byte(absorb.Held)}, local(0), of) }
	const ends = "it ends too soon"
	for name, c := range map[string]struct {
		message []byte
		want    string // nothing: it is as it has to be
	}{
		"nothing":                {nil, ""},
		"a transition":           {join([]byte{byte(absorb.GoesTo)}, local(0), []byte{1}), ""},
		"no sort":                {[]byte{byte(absorb.Called) + 1}, fmt.Sprintf("%d is no sort of fact", absorb.Called+1)},
		"the sort alone":         {[]byte{byte(absorb.Held)}, ends},
		"half a transition":      {join([]byte{byte(absorb.GoesTo)}, local(0)), ends},
		"another's component":    {join([]byte{byte(absorb.GoesTo)}, local(0), []byte{2}), "it names a component that it does not hold"},
		"the last node":          {join([]byte{byte(absorb.GoesTo)}, local(nodes-1), []byte{1}), ""},
		"one node more":          {join([]byte{byte(absorb.GoesTo)}, local(nodes), []byte{1}), fmt.Sprintf("there is no node %d", nodes)},
		"no node":                {join([]byte{byte(absorb.GoesTo)}, local(-1), []byte{1}), ""},
		"less than no node":      {join([]byte{byte(absorb.GoesTo)}, local(-2), []byte{1}), "there is no node -2"},
		"the least of a node":    {join([]byte{byte(absorb.GoesTo)}, local(-1<<15), []byte{1}), "there is no node -32768"},
		"less than that":         {join([]byte{byte(absorb.GoesTo)}, local(-1<<15-1), []byte{1}), "-32769 is no number of 16 bits"},
		"more than a node":       {join([]byte{byte(absorb.GoesTo)}, local(1<<15), []byte{1}), "32768 is no number of 16 bits"},
		"a text too long":        {[]byte{byte(absorb.GoesTo), 0, 0, 200, 'x'}, ends},
		"a number without end":   {[]byte{byte(absorb.GoesTo), 200}, ends},
		"a node without end":     {[]byte{byte(absorb.GoesTo), 0, 200}, ends},
		"a number of many bytes": {join([]byte{byte(absorb.GoesTo)}, bytes.Repeat([]byte{200}, 12)), ends},
		"a trigger":              {held(base(3, 1, 0, -1<<15, 1<<15-1, 5)), ""},
		"of the last":            {held(base(3, 0, nodes-1, 0, 0, 0)), ""},
		"of one node more":       {held(base(3, 0, nodes, 0, 0, 0)), fmt.Sprintf("there is no node %d", nodes)},
		"that need not happen":   {held(base(3, 2, 0, 0, 0, 0)), "2 stands where 0 or 1 has to"},
		"of less than none":      {held(base(3, 0, -2, 0, 0, 0)), "there is no node -2"},
		"an operation too many":  {held(base(3, 0, 0, 0, 1<<15, 0)), "32768 is no number of 16 bits"},
		"a place too many":       {held(base(3, 0, 0, 0, 0, 1<<15)), "32768 is no number of 16 bits"},
		"no past":                {held(join([]byte{0, 3, 0}, signed(0, 0, 0, 0), []byte{0, 1, 'v'})), ends},
		"half a past":            {held(join([]byte{0, 3, 0}, signed(0, 0, 0, 0), []byte{0, 1, 'v', 0, 1, 200})), ends},
		"from too many":          {held(base(3, 0, 0, 1<<15, 0, 0)), "32768 is no number of 16 bits"},
		"a past":                 {held(join([]byte{0, 3, 0}, signed(0, 0, 0, 0), []byte{0, 1, 'v', 0, 2}, signed(1<<31-1, -1<<31))), ""},
		"a past too late":        {held(join([]byte{0, 3, 0}, signed(0, 0, 0, 0), []byte{0, 1, 'v', 0, 2}, signed(1<<31, 0))), "2147483648 is no number of 32 bits"},
		"a past too long":        {held(join([]byte{0, 3, 0}, signed(0, 0, 0, 0), []byte{0, 1, 'v', 0, 3}, signed(1, 1))), ends},
	} {
		_, err := ReadFacts(c.message, process(t, 1, false).Engine)
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "a message from another part of the search is damaged: ")
		}
		if got != c.want {
			t.Errorf("%s: it is said %q, and not %q", name, got, c.want)
		}
	}
}

// The number of an application has 32 bits, a state has as many parts as there are bytes left, and what it holds is what it was sent with.
func TestDamagedStates(t *testing.T) {
	w := worker(t)
	w.Ask(func() {})
	head := make([]byte, 32)
	vector := func(app []byte, parts ...byte) []byte {
		b := bytes.Clone(head)
		for i := range w.Head {
			if i < w.N || i >= w.MonitorAt && i < w.BudgetAt {
				if i == 0 {
					b = append(b, 0, 0, 1, 'x')
				} else {
					b = append(b, 1)
				}
			} else {
				b = append(b, app...)
			}
		}
		return append(b, parts...)
	}
	part := func(coin byte, times ...int64) []byte {
		b := []byte{1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 1, 'v', 0, 0}
		for _, at := range times {
			b = binary.AppendVarint(b, at)
		}
		return vector([]byte{0}, append(b, coin)...)
	}
	const other = "the components of a state do not have the fingerprint that it was sent with"
	for name, c := range map[string]struct {
		message []byte
		want    string
	}{
		"a part":              {part(1, -1<<31, 1<<31-1), other},
		"a part too late":     {part(1, 1<<31, 0), "2147483648 is no number of 32 bits"},
		"until too late":      {part(1, 0, 1<<31), "2147483648 is no number of 32 bits"},
		"a coin that is two":  {part(2, 0, 0), "2 stands where 0 or 1 has to"},
		"other components":    {vector([]byte{0}, 0), other},
		"the last number":     {vector(binary.AppendUvarint(nil, 1<<32-1), 0), other},
		"one more":            {vector(binary.AppendUvarint(nil, 1<<32), 0), "4294967296 is no number of an application"},
		"too many parts":      {vector([]byte{0}, 3, 1, 1), "it ends too soon"},
		"of a part elsewhere": {vector([]byte{0}, 2, 1, 1), "it names a component that it does not hold"},
		"a print too short":   {head[:31], "it ends too soon"},
		"a byte":              {head[:1], "it ends too soon"},
	} {
		err := ReadStates(c.message, worker(t), func(fingerprint.Print, []uint32) { t.Errorf("%s: it is taken over", name) })
		if err == nil || !strings.HasSuffix(err.Error(), "is damaged: "+c.want) {
			t.Errorf("%s: it is said %v, and not %q", name, err, c.want)
		}
	}
}

// Nothing is in a message twice, and what nothing has yet can be named.
func TestWhatIsWritten(t *testing.T) {
	s := &model.System{Nodes: []model.NodeSpec{{Name: "idle", New: func() model.Node { return &idle{} }}}}
	codec, err := value.For(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := step.NewEngine(component.NewStore(s, codec, nil, false, component.Closing))
	e.Store.Local(0, []byte("xy"))
	facts := []absorb.Fact{{Is: absorb.GoesTo, State: 2, Other: 2}, {Is: absorb.Held, State: 2}, {Is: absorb.Held, State: 2}}
	w := NewWriter(e)
	for range 2 {
		want := []byte{byte(absorb.GoesTo), 0, 0, 2, 'x', 'y', 1, byte(absorb.Held), 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, byte(absorb.Held), 1, 1}
		if got := w.Facts(nil, facts); !bytes.Equal(got, want) {
			t.Errorf("it is %v, and not %v", got, want)
		}
	}
}

// A component may have a number that is far beyond those named before.
func TestFarNumbers(t *testing.T) {
	from, to := process(t, 1, false), process(t, 1, false)
	var facts []absorb.Fact
	var texts []string
	for k := range 3000 {
		text := fmt.Sprint("state ", k)
		id := from.Store.Local(0, []byte(text))
		if k == 10 || k == 2990 || k == 20 {
			facts, texts = append(facts, absorb.Fact{Is: absorb.GoesTo, State: id, Other: id}), append(texts, text)
		}
	}
	got, err := ReadFacts(NewWriter(from.Engine).Facts(nil, facts), to.Engine)
	if err != nil || len(got) != len(facts) {
		t.Fatalf("%d facts of %d arrive, %v", len(got), len(facts), err)
	}
	for i, f := range got {
		if is := to.Store.Locals.Items[f.State].Bytes; is != texts[i] || f.Other != f.State {
			t.Errorf("%q arrives as %q", texts[i], is)
		}
	}
}

// A part of which a coin has yet to say when it happens arrives as one, beside one of the same times of which none has.
func TestCoinsArrive(t *testing.T) {
	from, to := worker(t), worker(t)
	all := some(from, 0)
	key, v, _ := all.Next()
	part := component.Part{Base: from.Store.Parts.Items[v[from.Head]].Base, Lo: 1, Hi: 3}
	without := from.Store.Part(part)
	part.Coin = true
	v = append(append([]uint32(nil), v[:from.Head]...), without, from.Store.Part(part))
	from.Refresh()
	arrived := 0
	if err := ReadStates(written(from, add(nil, key, v)), to, func(_ fingerprint.Print, v []uint32) {
		coins := map[bool]int{}
		for _, id := range v[to.Head:] {
			p := to.Store.Parts.Items[id]
			if p.Lo != 1 || p.Hi != 3 {
				t.Errorf("%+v arrives", p)
			}
			coins[p.Coin]++
		}
		if arrived++; coins[true] != 1 || coins[false] != 1 {
			t.Errorf("%v have a coin", coins)
		}
	}); err != nil || arrived != 1 {
		t.Errorf("%d states arrive, %v", arrived, err)
	}
}

type idle struct{}

func (*idle) Receive(model.Env, model.NodeID, any) {}
