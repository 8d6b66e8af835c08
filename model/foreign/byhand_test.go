package foreign

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/describe"
)

// A ledger records its inputs, and some of them on a disk.
type ledger struct {
	Log  []string
	Disk *[]string
}

func (l *ledger) tell(env model.Env, what string) {
	what += fmt.Sprint(env.Choose(3))
	if l.Log = append(l.Log, what); len(l.Log) > 3 {
		l.Log = slices.Clone(l.Log[1:])
	}
	if what[0] == 'i' {
		*l.Disk = []string{what}
	}
	env.Send(env.Self(), fmt.Sprint(l.Log, *l.Disk))
}

func (l *ledger) Start(env model.Env)          { l.tell(env, "start") }
func (l *ledger) Invoke(env model.Env, op any) { l.tell(env, fmt.Sprint("invoke ", op)) }
func (l *ledger) Receive(env model.Env, from model.NodeID, m any) {
	l.tell(env, fmt.Sprint("receive ", from, m))
}
func (l *ledger) Timeout(env model.Env, key any)         { l.tell(env, fmt.Sprint("timeout ", key)) }
func (l *ledger) Suspect(env model.Env, of model.NodeID) { l.tell(env, fmt.Sprint("suspect ", of)) }
func (l *ledger) Trust(env model.Env, of model.NodeID)   { l.tell(env, fmt.Sprint("trust ", of)) }
func (l *ledger) copied() *ledger {
	disk := slices.Clone(*l.Disk)
	return &ledger{slices.Clone(l.Log), &disk}
}
func newLedger() *ledger { return &ledger{Disk: &[]string{"blank"}} }
func recovered1(crashed *ledger) *ledger {
	disk := slices.Clone(*crashed.Disk)
	return &ledger{Disk: &disk}
}

// A drawnEnv makes random choices, and records sent messages.
type drawnEnv struct {
	still
	self model.NodeID
	sent []any
}

func (e *drawnEnv) Self() model.NodeID         { return e.self }
func (e *drawnEnv) Send(_ model.NodeID, m any) { e.sent = append(e.sent, m) }

// Nodes of a library behave like separate objects, in any order of inputs, with any caching, copying and
// restoring of objects, and over crashes. Their views are equal, too.
func TestNodesAreAsTheirObjects(t *testing.T) {
	for seed := range uint64(48) {
		r := rand.New(rand.NewPCG(seed, 9))
		made, discarded := map[*ledger]bool{}, map[*ledger]bool{}
		keep := func(l *ledger) *ledger {
			made[l] = true
			return l
		}
		l := &Library[*ledger, string]{
			New: func() *ledger { return keep(newLedger()) }, Recover: func(crashed *ledger) *ledger { return keep(recovered1(crashed)) },
			View: func(l *ledger) string { return fmt.Sprint(l.Log, *l.Disk) },
			Discard: func(l *ledger) {
				require.True(t, made[l] && !discarded[l], "seed %d: an object is discarded twice, or is none", seed)
				discarded[l] = true
			},
		}
		few := seed&1 > 0 // objects are cached
		if few {
			l.Size = func(*ledger) int { return maxBytes/3 + 1 }
		}
		if seed&2 > 0 {
			l.Fork = func(l *ledger) *ledger { return keep(l.copied()) }
		}
		if seed&4 > 0 {
			l.Stable = func(l *ledger) any { return l.Disk }
		}
		if seed&8 > 0 {
			l.Snapshot = func(l *ledger) []byte { return fmt.Append(nil, l.Log, *l.Disk) }
		}
		l.Lone = seed&16 > 0
		type pair struct {
			node *Node[string]
			is   *ledger
			self model.NodeID
		}
		ask := func(p *pair) {
			is := &drawnEnv{self: p.self}
			for range 2 {
				is.answers = append(is.answers, int32(r.IntN(3)))
			}
			want := &drawnEnv{self: p.self, still: still{replayer{answers: slices.Clone(is.answers)}}}
			from, m, kind := model.NodeID(r.IntN(3)), fmt.Sprint("m", r.IntN(2)), r.IntN(8)
			switch {
			case p.is == nil:
				p.is = newLedger()
				p.is.Start(want)
				p.node.Start(is)
			case kind == 0: // it crashes, and restarts
				back := *p.node
				back.Name, back.View = Name{}, ""
				p.node, p.is = &back, recovered1(p.is)
				p.is.Start(want)
				p.node.Start(is)
			case kind < 3:
				p.is.Invoke(want, m)
				p.node.Invoke(is, m)
			case kind < 5:
				p.is.Receive(want, from, m)
				p.node.Receive(is, from, m)
			case kind == 5:
				p.is.Timeout(want, m)
				p.node.Timeout(is, m)
			case kind == 6:
				p.is.Suspect(want, from)
				p.node.Suspect(is, from)
			default:
				p.is.Trust(want, from)
				p.node.Trust(is, from)
			}
			require.Equal(t, want.sent, is.sent, "seed %d", seed)
			require.Equal(t, fmt.Sprint(p.is.Log, *p.is.Disk), p.node.View, "seed %d", seed)
			dump := p.node.Dump()
			require.Equal(t, fmt.Sprintf("%q", p.is.Log[0]), dump[slices.IndexFunc(dump, func(f describe.Field) bool { return f.Name == "Log[0]" })].Is, "seed %d", seed)
		}
		first := l.Node().(*Node[string])
		c := first.shared.core
		var all []*pair
		objects := map[any]any{}
		for self := range model.NodeID(2) {
			n := *first
			if l.Lone || seed%3 == 0 {
				n.Alone(objects)
			}
			all = append(all, &pair{node: &n, self: self})
		}
		names := map[string]Name{}
		for range 120 {
			p := all[r.IntN(len(all))]
			if p.is != nil && r.IntN(3) == 0 { // two ways go on from here
				n := *p.node
				p = &pair{&n, p.is.copied(), p.self}
				all = append(all, p)
			}
			ask(p)
			text := fmt.Sprint(p.is.Log, *p.is.Disk)
			if was, met := names[text]; met {
				require.Equal(t, was, p.node.Name, "seed %d: two objects are equal", seed)
			}
			for other, is := range names {
				require.True(t, other == text || is != p.node.Name, "seed %d: two objects that differ have one name", seed)
			}
			names[text] = p.node.Name
			if r.IntN(4) == 0 {
				c.pool.get(p.node.Name) // another needs it
			}
			bytes, count := 0, 0
			for is, of := range c.pool.objects {
				for _, o := range of {
					require.Equal(t, is, o.name, "seed %d", seed)
					bytes, count = bytes+o.bytes, count+1
				}
			}
			require.Equal(t, []int{bytes, count}, []int{c.pool.bytes, c.pool.count}, "seed %d: what is at hand", seed)
			require.LessOrEqual(t, c.pool.bytes, maxBytes)
		}
	}
}
