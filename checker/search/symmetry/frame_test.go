package symmetry

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/model"
)

// A scene is a state that is put together, of a system of clients and servers.
type scene struct {
	w *step.Worker
	g *Groups
	v []uint32
}

// staged is a scene in which nothing has happened: no client is in any operation, and nothing is pending.
func staged(t *testing.T, s *model.System, claims []model.Claim) scene {
	t.Helper()
	states, w, g := explored(t, s, claims, both, 1)
	return scene{w, g, states[0][:w.Head:w.Head]}
}

// with is the scene with something added.
func (x scene) with(add ...func(x *scene)) scene {
	x.v = slices.Clone(x.v)
	for _, a := range add {
		a(&x)
	}
	x.w.Refresh()
	return x
}

// The nodes of a scene are the clients 0 and 1, and the servers from 2 on.
func serves(slot int, heard int, last ...model.NodeID) func(x *scene) {
	return func(x *scene) {
		n := *x.w.Protos[slot].(*server)
		n.Heard, n.Last = heard, last
		x.v[slot] = x.w.Store.Local(int16(slot), x.w.Codec.Node(&n, nil))
	}
}

func asks(slot int, of ...model.NodeID) func(x *scene) {
	return func(x *scene) {
		n := *x.w.Protos[slot].(*client)
		n.Of = of
		x.v[slot] = x.w.Store.Local(int16(slot), x.w.Codec.Node(&n, nil))
	}
}

func mails(from, to int, m any) func(x *scene) {
	return func(x *scene) {
		b := x.w.Store.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: int16(to), From: int16(from), Value: x.w.Value(m)})
		x.v = append(x.v, x.w.Part(component.Part{Base: b, Hi: component.Endless}))
	}
}

func alarms(slot int) func(x *scene) {
	return func(x *scene) {
		b := x.w.Store.Base(component.Base{Kind: component.Kind(model.Timeout), Slot: int16(slot), Value: x.w.Value("ask")})
		x.v = append(x.v, x.w.Part(component.Part{Base: b, Hi: component.Endless}))
	}
}

func falls(slot int) func(x *scene) { return func(x *scene) { x.v[slot] = component.Down } }

func begins(slot int) func(x *scene) { return func(x *scene) { x.v[x.w.AppOf[slot]] = 1 } }

func rules(first model.NodeID) func(x *scene) {
	return func(x *scene) {
		x.v[x.w.MonitorAt] = x.w.Store.Local(int16(x.w.N), x.w.Codec.Node(&rule{[]model.NodeID{first}}, nil))
	}
}

// rulesAgain is rules of the second monitor.
func rulesAgain(first model.NodeID) func(x *scene) {
	return func(x *scene) {
		x.v[x.w.MonitorAt+1] = x.w.Store.Local(int16(x.w.N+1), x.w.Codec.Node(&rule{[]model.NodeID{first}}, nil))
	}
}

// What is seen of two members of a group is alike, or tells them apart.
func TestSights(t *testing.T) {
	both := staged(t, asked(2, 3, odd{}), twice)
	three := staged(t, asked(3, 2, odd{}), nil)
	lied := staged(t, asked(2, 2, odd{forged: true}), nil) // the liar is node 4
	alone := staged(t, asked(1, 3, odd{}), ruled)          // the client is no group, and the servers are 1 to 3
	for _, c := range []struct {
		name  string
		x     scene
		side  string
		a, b  int // members
		alike bool
	}{
		{"nothing", both, Servers, 2, 3, true},
		{"who heard", both.with(serves(2, 1)), Servers, 2, 3, false},
		{"who is down", both.with(falls(2)), Servers, 2, 3, false},
		{"who names itself", both.with(serves(2, 0, 2), serves(3, 0, 2)), Servers, 2, 3, false},
		{"both name another", both.with(serves(2, 0, 4), serves(3, 0, 2)), Servers, 2, 3, true},
		{"who is named by a server", both.with(serves(4, 0, 2)), Servers, 2, 3, true},
		{"who is named by a client", both.with(asks(0, 2)), Servers, 2, 3, false},
		{"by which client", both.with(asks(0, 2), asks(1, 3)), Servers, 2, 3, false},
		{"in which place", both.with(asks(0, 2, 3)), Servers, 2, 3, false},
		{"who is sent to", both.with(mails(0, 2, "ask")), Servers, 2, 3, false},
		{"who sends", both.with(mails(2, 0, "ask")), Servers, 2, 3, false},
		{"who sends, and who is sent to", both.with(mails(2, 3, "ask")), Servers, 2, 3, false},
		{"one each", both.with(mails(0, 2, "ask"), mails(0, 3, "ask")), Servers, 2, 3, true},
		{"from another", both.with(mails(0, 2, "ask"), mails(1, 3, "ask")), Servers, 2, 3, false},
		{"to another", both.with(mails(2, 0, "ask"), mails(3, 1, "ask")), Servers, 2, 3, false},
		{"from a server each", both.with(mails(4, 2, "ask"), mails(2, 3, "ask"), mails(3, 4, "ask")), Servers, 2, 3, true},
		{"another message", both.with(mails(0, 2, "ask"), mails(0, 3, "told")), Servers, 2, 3, false},
		{"whom a message names", both.with(mails(0, 2, answer{2}), mails(0, 3, answer{4})), Servers, 2, 3, true},
		{"another client in it", both.with(mails(0, 2, answer{0}), mails(0, 3, answer{1})), Servers, 2, 3, false},
		{"an alarm", both.with(alarms(2)), Servers, 2, 3, false},
		{"an alarm each", both.with(alarms(2), alarms(3)), Servers, 2, 3, true},
		{"who is ruled", both.with(rules(2)), Servers, 2, 3, false},

		{"nothing", both, Clients, 0, 1, true},
		{"who knows a server", both.with(asks(0, 2)), Clients, 0, 1, false},
		{"which server", both.with(asks(0, 2), asks(1, 3)), Clients, 0, 1, true},
		{"who has begun", both.with(begins(0)), Clients, 0, 1, false},
		{"who is down", both.with(falls(0)), Clients, 0, 1, false},
		{"who is named by a server", both.with(serves(2, 0, 0)), Clients, 0, 1, false},
		{"by which server", both.with(serves(2, 0, 0), serves(3, 0, 1)), Clients, 0, 1, true},
		{"who sends", both.with(mails(0, 2, "ask")), Clients, 0, 1, false},
		{"to which server", both.with(mails(0, 2, "ask"), mails(1, 3, "ask")), Clients, 0, 1, true},
		{"from which server", both.with(mails(2, 0, answer{2}), mails(3, 1, answer{4})), Clients, 0, 1, true},
		{"another message", both.with(mails(0, 2, "ask"), mails(1, 2, "told")), Clients, 0, 1, false},
		{"who is ruled", both.with(rules(0)), Clients, 0, 1, false},
		{"who is ruled by another", both.with(rulesAgain(0)), Clients, 0, 1, false},
		{"by which monitor", both.with(rules(0), rulesAgain(1)), Clients, 0, 1, false},
		{"who is named by a client", three.with(asks(2, 0)), Clients, 0, 1, false},
		{"by which client", three.with(asks(2, 0), asks(0, 1)), Clients, 0, 2, false},
		{"who is lied to", lied.with(mails(2, 0, "ask"), mails(4, 1, "ask")), Clients, 0, 1, false},

		{"nothing", alone, Servers, 1, 2, true},
		{"who has mail from no group", alone.with(mails(0, 1, "ask")), Servers, 1, 2, false},
		{"whom no group names", alone.with(asks(0, 1)), Servers, 1, 2, false},
	} {
		o := NewOrbits(c.x.w, c.x.g)
		s := o.Servers
		if c.side == Clients {
			s = o.Clients
		}
		for range 2 { // computed, and remembered
			o.computeSights(s, c.x.v)
			if a, b := s.sight[s.indexes[c.a]], s.sight[s.indexes[c.b]]; a == b != c.alike {
				t.Errorf("%s, of %s: they look alike: %v", c.name, c.side, a == b)
			}
			if !slices.IsSortedFunc(s.order, func(a, b int) int {
				if s.sight[a] < s.sight[b] {
					return -1
				}
				return 1
			}) {
				t.Errorf("%s, of %s: by rank they are %v, and look %v", c.name, c.side, s.order, s.sight)
			}
		}
	}
}

// A member looks in a renamed state as it did before under its other name.
func TestSightsFollowNames(t *testing.T) {
	states, w, g := explored(t, crashing(asked(2, 3, odd{})), ruled, both, 300)
	for _, ren := range permutations(g) {
		o := NewOrbits(w, g)
		for _, s := range []*side{o.Servers, o.Clients} {
			if s == o.Servers && ren[0] != 0 {
				continue // servers see clients by number
			}
			for at := 0; at < len(states); at += 4 {
				v := states[at]
				o.computeSights(s, v)
				before := slices.Clone(s.sight)
				o.computeSights(s, o.renamedBy(v, ren))
				for k, id := range s.ids {
					if s.sight[s.indexes[ren[id]]] != before[k] {
						t.Fatalf("%s: node %d is %d under %v, and looks otherwise", s.name, id, ren[id], ren)
					}
				}
			}
		}
	}
}

// Scenes in which members tie, exchangeable or not. Each is of an orbit of its own, but for the stars.
func scenes(t *testing.T) map[string]scene {
	x, y := staged(t, asked(2, 3, odd{}), twice), staged(t, asked(0, 5, odd{greets: true}), nil)
	z := staged(t, asked(0, 4, odd{greets: true}), nil)
	s := asked(2, 3, odd{})
	for k := range 2 {
		s.Nodes[k].Script[0].After, s.Nodes[k].Script[0].AtBoot = model.Window{}, true
	}
	boot := staged(t, s, nil).with(func(x *scene) { clear(x.v[x.w.AppOf[0] : x.w.AppOf[1]+1]) })
	return map[string]scene{
		"all alike":                   x,
		"four alike":                  z.with(serves(0, 1), serves(1, 1), serves(2, 1), serves(3, 1)),
		"a ruled server":              x.with(rules(3)),
		"two ruled servers":           x.with(rules(3), rulesAgain(2)),
		"a chain of answers":          x.with(asks(0, 2, 3), asks(1, 3, 4)),
		"chains that meet":            x.with(asks(0, 2, 3), asks(1, 4, 3)),
		"a circle of servers":         x.with(serves(2, 1, 3), serves(3, 1, 4), serves(4, 1, 2)),
		"a question each":             x.with(mails(0, 2, "ask"), mails(1, 3, "ask")),
		"one of both":                 x.with(mails(0, 2, "ask"), mails(1, 2, "ask")),
		"two alike, and three":        y.with(serves(0, 1), serves(1, 1), serves(2, 2), serves(3, 2), serves(4, 2)),
		"a star: the last two alike":  z.with(serves(0, 1, 1), serves(1, 1, 0), serves(2, 1, 0), serves(3, 1, 0)),
		"a star: the first two alike": z.with(serves(0, 1, 3), serves(1, 1, 3), serves(2, 1, 3), serves(3, 1, 2)),
		"a star: all name the last":   z.with(serves(0, 1, 3), serves(1, 1, 3), serves(2, 1, 3), serves(3, 1, 0)),
		"one begins at boot":          boot.with(begins(0)),
		"three equal messages":        z.with(mails(0, 1, "told"), mails(0, 1, "told"), mails(1, 0, "told"), mails(2, 3, "told")),
	}
}

// Whatever a state's nodes are called, it has one key and one frame; another has others. Where all
// that tie can be exchanged, one order is tried.
func TestKeysOfScenes(t *testing.T) {
	keys := map[fingerprint.Print]string{}
	for name, x := range scenes(t) {
		at := x.w.PrintOfState(x.v)
		first, names := NewOrbits(x.w, x.g), NewOrbits(x.w, x.g)
		key := first.Key(x.v, at)
		frame := slices.Clone((&Framer{W: x.w, Orbits: names}).Framed(x.v, at).V)
		kind, _, _ := strings.Cut(name, ":")
		if other := keys[key]; other != "" && other != kind {
			t.Errorf("%s has the key of %s", name, other)
		}
		keys[key] = kind
		renamed := 0
		for _, ren := range permutations(x.g) {
			if len(x.w.BootClients) > 0 && ren[0] != 0 {
				continue // clients are not renamed then
			}
			v := names.renamedBy(x.v, ren)
			renamed++
			o := NewOrbits(x.w, x.g)
			f := (&Framer{W: x.w, Orbits: o}).Framed(v, x.w.PrintOfState(v))
			if got := NewOrbits(x.w, x.g).Key(v, x.w.PrintOfState(v)); got != key || f.Key != key || !slices.Equal(f.V, frame) {
				t.Errorf("%s under %v: the keys are %x and %x, want %x; the frame is %v, want %v", name, ren, got, f.Key, key, f.V, frame)
			}
			if name == "all alike" || name == "four alike" || name == "two alike, and three" {
				if o.Servers.Tried != 1 || first.Servers.Tried != 1 {
					t.Errorf("%s: %d orders are tried, and %d", name, o.Servers.Tried, first.Servers.Tried)
				}
			}
			f = (&Framer{W: x.w, Orbits: NewOrbits(x.w, x.g)}).Framed(x.v, at)
			(&Framer{W: x.w, Orbits: o}).EveryFrame(x.v, at, func(other *Frame) bool {
				if !slices.Equal(other.V, f.V) {
					t.Errorf("%s: a frame is %v, another %v", name, f.V, other.V)
				}
				return false
			})
		}
		if renamed < 6 {
			t.Errorf("%s: only %d renamings", name, renamed)
		}
	}
	boot := scenes(t)["one begins at boot"]
	other := boot.with(func(x *scene) { x.v[x.w.AppOf[0]], x.v[x.w.AppOf[1]] = 0, 1 })
	for name, key := range map[string]func(v []uint32) fingerprint.Print{
		"key": func(v []uint32) fingerprint.Print { return NewOrbits(boot.w, boot.g).Key(v, boot.w.PrintOfState(v)) },
		"frame": func(v []uint32) fingerprint.Print {
			return (&Framer{W: boot.w, Orbits: NewOrbits(boot.w, boot.g)}).Framed(v, boot.w.PrintOfState(v)).Key
		},
	} {
		if key(boot.v) == key(other.v) {
			t.Errorf("clients are exchanged in the %s while one has yet to begin at boot", name)
		}
	}
}

// Without symmetry a frame is the state with its parts in order.
func TestFramesWithoutSymmetry(t *testing.T) {
	x := scenes(t)["a question each"]
	m := &Framer{W: x.w}
	for _, v := range [][]uint32{x.v, append(slices.Clone(x.v[:x.w.Head]), x.v[x.w.Head+1], x.v[x.w.Head])} {
		sum := x.w.PrintOfState(v)
		f := m.Framed(v, sum)
		sameRows(t, x.w, v, f)
		if f.Key != sum || !slices.Equal(f.V[:x.w.Head], x.v[:x.w.Head]) || !slices.Equal(f.V, m.Framed(x.v, sum).V) {
			t.Errorf("the frame of %v is %v, of key %x", v, f.V, f.Key)
		}
	}
	tries := 0
	if m.EveryFrame(x.v, x.w.PrintOfState(x.v), func(*Frame) bool { tries++; return false }) || tries != 1 {
		t.Errorf("one of %d frames will do", tries)
	}
}

// All frames of a state are one state, and its rows are in every order that a renaming gives them
// which leaves the state as it is; what exchanges rows is told apart, and one that will do ends it.
func TestEveryFrame(t *testing.T) {
	x, y := staged(t, asked(0, 3, odd{greets: true}), nil), staged(t, asked(2, 2, odd{}), nil)
	z := staged(t, asked(0, 4, odd{greets: true}), nil)
	for _, c := range []struct {
		name      string
		x         scene
		frames    int     // that differ in the order of rows
		exchanges [][]int // with symmetry
		equal     [][]int // without
	}{
		{"nothing pending", x, 1, [][]int{{0}, {0}}, nil},
		{"an alarm each", x.with(alarms(0), alarms(1), alarms(2)), 6, [][]int{{0, 2, 1, 3}, {0, 1, 3, 2}}, nil},
		{"two alike", x.with(serves(0, 1), alarms(0), alarms(1), alarms(2)), 2, [][]int{{0, 1, 3, 2}}, nil},
		{"none alike", x.with(serves(0, 1), serves(1, 2), alarms(0), alarms(1), alarms(2)), 1, nil, nil},
		{"equal ones", x.with(serves(0, 1), serves(1, 2), alarms(0), alarms(0), alarms(2)), 1, [][]int{{0, 2, 1, 3}}, [][]int{{0, 2, 1, 3}}},
		{"equal ones of two alike", x.with(serves(2, 1), alarms(0), alarms(0), alarms(1), alarms(1)), 2,
			[][]int{{0, 2, 1, 3, 4}, {0, 1, 2, 4, 3}, {0, 3, 4, 1, 2}}, [][]int{{0, 2, 1, 3, 4}, {0, 1, 2, 4, 3}}},
		{"two and two", z.with(serves(0, 1), serves(1, 1), alarms(0), alarms(1), alarms(2), alarms(3)), 4, [][]int{{0, 2, 1, 3, 4}, {0, 1, 2, 4, 3}}, nil},
		{"a circle", x.with(serves(0, 1, 1), serves(1, 1, 2), serves(2, 1, 0), alarms(0), alarms(1), alarms(2)), 3, nil, nil},
		{"clients and servers", y.with(mails(0, 2, "ask"), mails(1, 3, "ask")), 2, nil, nil},
		{"each of each", y.with(mails(0, 2, "ask"), mails(0, 3, "ask"), mails(1, 2, "ask"), mails(1, 3, "ask")), 4, [][]int{{0, 2, 1, 4, 3}}, nil},
	} {
		m := &Framer{W: c.x.w, Orbits: NewOrbits(c.x.w, c.x.g)}
		sum := c.x.w.PrintOfState(c.x.v)
		other := c.x.with() // what was seen of another state does not count
		for k, id := range c.x.g.Members(Servers) {
			serves(id, 5+k)(&other)
		}
		c.x.w.Refresh()
		m.Framed(other.v, c.x.w.PrintOfState(other.v))
		got := m.Exchanges(c.x.v)
		slices.SortFunc(got, func(a, b []int) int { return -slices.Compare(a, b) }) // ranks are hashes
		slices.SortFunc(c.exchanges, func(a, b []int) int { return -slices.Compare(a, b) })
		if !slices.EqualFunc(got, c.exchanges, slices.Equal[[]int]) {
			t.Errorf("%s: rows are exchanged by %v, want %v", c.name, got, c.exchanges)
		}
		want := slices.Clone(m.Framed(c.x.v, sum).V)
		var found [][]int
		for range 2 {
			done := m.EveryFrame(c.x.v, sum, func(f *Frame) bool {
				if !slices.Equal(f.V, want) {
					t.Errorf("%s: a frame is %v, another %v", c.name, f.V, want)
				}
				if !slices.ContainsFunc(found, func(o []int) bool { return slices.Equal(o, f.Order) }) {
					found = append(found, slices.Clone(f.Order))
				}
				return false
			})
			if done || len(found) != c.frames {
				t.Errorf("%s: %d frames, want %d; one will do: %v", c.name, len(found), c.frames, done)
			}
		}
		for stop := 1; stop <= c.frames; stop++ {
			tries := 0
			if !m.EveryFrame(c.x.v, sum, func(f *Frame) bool { tries++; return slices.Equal(f.Order, found[stop-1]) }) || tries < stop {
				t.Errorf("%s: none of %d frames will do, of which one is %v", c.name, tries, found[stop-1])
			}
			after := 0
			m.EveryFrame(c.x.v, sum, func(*Frame) bool { after++; return after == stop })
			if after != stop {
				t.Errorf("%s: %d frames are tried, though that of number %d will do", c.name, after, stop)
			}
		}
		if got := (&Framer{W: c.x.w}).Exchanges(c.x.v); !slices.EqualFunc(got, c.equal, slices.Equal[[]int]) {
			t.Errorf("%s: without symmetry rows are exchanged by %v, want %v", c.name, got, c.equal)
		}
	}
}

// A renaming of servers and one of clients have the same digits in groups of sixteen, and are two.
func TestSidesHaveOrdersOfTheirOwn(t *testing.T) {
	_, w, g := explored(t, asked(16, 16, odd{}), nil, both, 0)
	o := NewOrbits(w, g)
	if o.Servers.Tried != 1 {
		t.Errorf("before any state %d orders were tried", o.Servers.Tried)
	}
	straight := identityOrder(16)
	back := slices.Clone(straight)
	slices.Reverse(back)
	for _, c := range []struct {
		s     *side
		order []int
	}{{o.Clients, straight}, {o.Servers, back}, {o.Servers, straight}, {o.Clients, back}} {
		ren := o.Renaming(o.permutation(c.s, c.order))
		for k, id := range c.s.ids {
			if want := c.s.ids[slices.Index(c.order, k)]; ren[id] != model.NodeID(want) {
				t.Fatalf("the order %v of %s makes %v of nodes", c.order, c.s.name, ren)
			}
		}
	}
}

// The quick hash tells texts apart that differ in length, in a bit, or in the order of their words.
func TestHashTellsTextsApart(t *testing.T) {
	met := map[uint64][]byte{}
	add := func(b []byte) {
		h := HashBytes(b)
		if old, known := met[h]; known && !bytes.Equal(old, b) {
			t.Fatalf("%x and %x have one hash", old, b)
		}
		met[h] = slices.Clone(b)
	}
	for n := range 27 {
		for _, fill := range []byte{0, 1, 0x80, 0xff} {
			b := bytes.Repeat([]byte{fill}, n)
			add(b)
			for bit := range 8 * n {
				b[bit/8] ^= 1 << (bit % 8)
				add(b)
				b[bit/8] ^= 1 << (bit % 8)
			}
		}
	}
	for a := range uint64(5) {
		for b := range uint64(5) {
			text := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a), b)
			add(text)
			add(append(text, byte(a), byte(b)))
		}
	}
}
