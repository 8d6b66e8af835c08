package symmetry

import (
	"fmt"
	"slices"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// permutations are all renamings of the members of groups among themselves.
func permutations(g *Groups) []value.Renaming {
	all := []value.Renaming{g.Identity()}
	for _, group := range g.Groups {
		var more []value.Renaming
		for _, order := range orders(len(group.Ids)) {
			for _, r := range all {
				ren := slices.Clone(r)
				for k, to := range order {
					ren[group.Ids[k]] = model.NodeID(group.Ids[to])
				}
				more = append(more, ren)
			}
		}
		all = more
	}
	return all
}

// orders are all orders of n things.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, o := range orders(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(o), at, n-1))
		}
	}
	return all
}

// content is what a state is of, every node called as a renaming has it. It asks nobody here how
// to rename: the codec knows where values name nodes.
func content(w *step.Worker, v []uint32, ren value.Renaming) string {
	nodes, pending := make([]string, w.N), []string{}
	for i := range w.N {
		app := uint32(0)
		if at := w.AppOf[i]; at >= 0 {
			app = v[at]
		}
		nodes[ren[i]] = "down"
		if v[i] != component.Down {
			n := w.Codec.DecodeNode(w.Protos[i], []byte(w.Store.Locals.Items[v[i]].Bytes))
			nodes[ren[i]] = fmt.Sprintf("%x in %d", w.Codec.Node(n, ren), app)
		}
	}
	for _, id := range v[w.Head:] {
		b := w.Store.Bases.Items[w.Store.Parts.Items[id].Base]
		from := model.NodeID(-1)
		if b.Sent() {
			from = ren[b.From]
		}
		pending = append(pending, fmt.Sprintf("%d %d %d %d %x", b.Kind, from, ren[b.Slot], b.Op, w.Codec.Any(w.Decoded(b.Value), ren)))
	}
	slices.Sort(pending)
	for i := w.MonitorAt; i < w.BudgetAt; i++ {
		m := w.Codec.DecodeNode(w.Protos[w.N+i-w.MonitorAt], []byte(w.Store.Locals.Items[v[i]].Bytes))
		pending = append(pending, fmt.Sprintf("%x", w.Codec.Node(m, ren)))
	}
	return fmt.Sprint(nodes, pending)
}

// orbitOf is the least content of a state under all renamings.
func orbitOf(w *step.Worker, v []uint32, all []value.Renaming) string {
	least := ""
	for _, ren := range all {
		if c := content(w, v, ren); least == "" || c < least {
			least = c
		}
	}
	return least
}

// Two states have one key just if a renaming makes the one of the other, and so they have one
// frame: the same state, renamed, its parts in the order of their prints. By brute force over all
// permutations.
func TestKeysAreOfOrbits(t *testing.T) {
	for _, c := range []struct {
		name             string
		clients, servers int
		permute          map[string]bool
		greets           bool
		claims           []model.Claim
		permutations     int
	}{
		{"servers", 1, 4, map[string]bool{Servers: true}, false, nil, 24},
		{"servers that name each other", 0, 3, both, true, nil, 6},
		{"clients", 3, 2, map[string]bool{Clients: true}, false, ruled, 6},
		{"both", 2, 3, both, false, ruled, 12},
	} {
		states, w, g := explored(t, asked(c.clients, c.servers, odd{greets: c.greets}), c.claims, c.permute, 300)
		all := permutations(g)
		o := NewOrbits(w, g)
		framer := &Framer{W: w, Orbits: NewOrbits(w, g)}
		orbits, keys, frames := map[fingerprint.Print]string{}, map[string]fingerprint.Print{}, map[string][]uint32{}
		for _, v := range states {
			orbit, sum := orbitOf(w, v, all), w.PrintOfState(v)
			key := o.Key(v, sum)
			if old, known := orbits[key]; known && old != orbit {
				t.Fatalf("%s: one key for\n%s\n%s", c.name, old, orbit)
			}
			if old, known := keys[orbit]; known && old != key {
				t.Fatalf("%s: two keys for %s", c.name, orbit)
			}
			orbits[key], keys[orbit] = orbit, key
			f := framer.Framed(v, sum)
			if f.Key != key || orbitOf(w, f.V, all) != orbit {
				t.Fatalf("%s: the frame of\n%s\nhas key %x, not %x, and is\n%s", c.name, orbit, f.Key, key, orbitOf(w, f.V, all))
			}
			if old, known := frames[orbit]; known && !slices.Equal(old, f.V) {
				t.Fatalf("%s: two frames for %s", c.name, orbit)
			}
			frames[orbit] = slices.Clone(f.V)
			sameRows(t, w, v, f)
		}
		t.Logf("%s: %d states are of %d orbits", c.name, len(states), len(orbits))
		if len(unlike(g)) > 0 || len(all) != c.permutations || len(orbits) > len(states)/2 || len(orbits) < 15 {
			t.Errorf("%s: %d states, %d orbits under %d permutations; unlike %v", c.name, len(states), len(orbits), len(all), g.Unlike)
		}
	}
}

// unlike lists what is said against groups.
func unlike(g *Groups) (all []string) {
	for _, texts := range g.Unlike {
		all = append(all, texts...)
	}
	return all
}

// sameRows reports rows of a frame that are not those which its order names.
func sameRows(t *testing.T, w *step.Worker, v []uint32, f *Frame) {
	t.Helper()
	rows := slices.Sorted(slices.Values(f.Order))
	if at := w.PrintOfState(f.V); f.Order[0] != 0 || f.Key != at && f.Key != (fingerprint.Print{A: fingerprint.Scramble(at.A), B: fingerprint.Scramble(at.B)}) {
		t.Fatalf("the frame of key %x has the print %x, and row %d first", f.Key, at, f.Order[0])
	}
	for k, id := range f.V[w.Head:] {
		of := v[w.Head+f.Order[k+1]-1]
		if rows[k+1] != k+1 || w.Flats[of].Kind != w.Flats[id].Kind {
			t.Fatalf("row %d of the frame is an event of kind %d, and row %d of the state one of kind %d", k+1, w.Flats[id].Kind, f.Order[k+1], w.Flats[of].Kind)
		}
		if k > 0 && w.Flats[id].Print.Less(w.Flats[f.V[w.Head+k-1]].Print) {
			t.Fatalf("row %d of the frame is before row %d", k+1, k)
		}
	}
}

// Renaming there and back again leaves a component as it was, and renaming nothing changes none.
func TestRenamingHasAnInverse(t *testing.T) {
	states, w, g := explored(t, asked(2, 3, odd{}), nil, both, 200)
	for _, ren := range permutations(g) {
		back := slices.Clone(ren)
		for from, to := range ren {
			back[to] = model.NodeID(from)
		}
		there, again := g.Intern(ren), g.Intern(back)
		for _, v := range states {
			for _, id := range v[:w.N] {
				if g.Local(g.Local(id, there), again) != id || there == 0 && g.Local(id, there) != id {
					t.Fatalf("%v: local state %d comes back as another", ren, id)
				}
			}
			for _, id := range v[w.Head:] {
				if g.Part(g.Part(id, there), again) != id || there == 0 && g.Part(id, there) != id {
					t.Fatalf("%v: part %d comes back as another", ren, id)
				}
			}
		}
	}
	if g.Local(component.Down, 1) != component.Down {
		t.Error("a node that is down has a local state when it is renamed")
	}
}

// Orders in which only tied members change places are all tried, once each, and of those that
// differ within classes one; or a single one, when there are too many.
func TestOrdersOfTiedMembers(t *testing.T) {
	for _, c := range []struct {
		sight []uint64 // of the members by rank
		class []int    // nil: each is the only one of its class
		want  int
	}{
		{[]uint64{1, 2, 3}, nil, 1}, {[]uint64{1, 1}, nil, 2}, {[]uint64{1, 1, 2, 3, 3, 3}, nil, 12}, {[]uint64{5, 5, 5, 5}, nil, 24},
		{make([]uint64, 7), nil, 5040}, {make([]uint64, 8), nil, 1},
		{[]uint64{5, 5, 5, 5}, []int{0, 0, 0, 0}, 1}, {[]uint64{5, 5, 5, 5}, []int{0, 1, 0, 1}, 6}, {[]uint64{5, 5, 5, 6}, []int{0, 1, 1, 3}, 3},
		{[]uint64{1, 1, 1, 2, 2, 2}, []int{0, 0, 2, 3, 4, 4}, 9}, {make([]uint64, 16), make([]int, 16), 1},
		{make([]uint64, 16), []int{0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 12, 12, 12, 12}, 1}, // of 900,900
		{make([]uint64, 8), []int{0, 0, 0, 0, 4, 4, 4, 4}, 70},
	} {
		s := &side{sight: c.sight, class: c.class}
		for k := range c.sight {
			s.order = append(s.order, k)
			if c.class == nil {
				s.class = append(s.class, k)
			}
		}
		tried, classes := map[string]bool{}, map[string]bool{}
		s.orders(func(order []int) {
			var of []int
			for rank, k := range order {
				of = append(of, s.class[k])
				if s.sight[k] != c.sight[rank] {
					t.Errorf("%v: %v puts members in each other's places that are not tied", c.sight, order)
				}
			}
			tried[fmt.Sprint(order)], classes[fmt.Sprint(of)] = true, true
		})
		if c.want > 1 && s.Tried != c.want {
			t.Errorf("%v: %d orders are tried, it says, and %d are", c.sight, s.Tried, c.want)
		}
		if len(tried) != c.want || len(classes) != c.want {
			t.Errorf("%v, classes %v: %d orders of %d are tried, want %d", c.sight, c.class, len(tried), len(classes), c.want)
		}
	}
}
