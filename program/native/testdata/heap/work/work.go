// Package work uses memory in many ways, and checks the contents of all that it keeps.
package work

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// A Heap is memory in use.
type Heap struct {
	blocks map[uint64][]byte
	texts  map[string]*string
	lists  [][]uint64
	root   *node
	queue  chan []uint64
	pool   sync.Pool
	stacks map[uint64]chan chan uint64
	next   uint64
}

// A node is a node of a binary tree.
type node struct {
	key         uint64
	left, right *node
	name        string
}

// New returns an empty heap.
func New() *Heap {
	return &Heap{blocks: map[uint64][]byte{}, texts: map[string]*string{}, lists: make([][]uint64, 16), queue: make(chan []uint64, 64), stacks: map[uint64]chan chan uint64{}}
}

// Do changes the heap as a seed says, checks all of it, and returns a hash of the contents.
func (h *Heap) Do(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	for range 5 + r.IntN(60) {
		h.change(r)
	}
	return h.sum()
}

func (h *Heap) change(r *rand.Rand) {
	h.next++
	id := h.next
	switch r.IntN(14) {
	case 0, 1, 2:
		b := make([]byte, 1<<r.IntN(17)+r.IntN(50))
		if r.IntN(40) == 0 {
			b = make([]byte, 1<<21+r.IntN(1<<20))
		}
		fill(b, id)
		h.blocks[id] = b
	case 3:
		drop(h.blocks, r, len(h.blocks)/2)
	case 4:
		text := strings.Repeat(fmt.Sprint(id, " "), 1+r.IntN(200))
		h.texts[text[:len(text)/2]] = &text
	case 5:
		drop(h.texts, r, len(h.texts)/3)
	case 6:
		i := r.IntN(len(h.lists))
		for range r.IntN(500) {
			h.lists[i] = append(h.lists[i], id*uint64(len(h.lists[i])+1))
		}
		if r.IntN(8) == 0 {
			h.lists[i] = slices.Clone(h.lists[i][len(h.lists[i])/2:])
		}
	case 7:
		for range r.IntN(200) {
			h.root.insert(&h.root, r.Uint64N(5000))
		}
	case 8:
		if h.root != nil && r.IntN(2) == 0 {
			h.root = h.root.left
		}
	case 9:
		if len(h.queue) == cap(h.queue) || len(h.queue) > 0 && r.IntN(3) == 0 {
			<-h.queue
		} else {
			h.queue <- make([]uint64, r.IntN(1000))
		}
	case 10:
		b, _ := h.pool.Get().(*[]byte)
		if b == nil {
			b = new([]byte)
		}
		*b = append(*b, byte(id))
		h.pool.Put(b)
	case 11:
		h.deep(id, r.IntN(300))
	case 12:
		if len(h.stacks) > 6 {
			drop(h.stacks, r, 3)
		}
	default:
		if r.IntN(6) == 0 {
			debug.FreeOSMemory()
		} else {
			runtime.GC()
		}
	}
}

// fill fills a block with what follows from its number.
func fill(b []byte, id uint64) {
	for i := range b {
		b[i] = byte(id*2654435761>>16) + byte(i*7)
	}
}

// drop removes some entries.
func drop[K uint64 | string, V any](all map[K]V, r *rand.Rand, n int) {
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if n > 0 && r.IntN(2) == 0 {
			delete(all, k)
			n--
		}
	}
}

func (n *node) insert(at **node, key uint64) {
	for *at != nil {
		if key < (*at).key {
			at = &(*at).left
		} else {
			at = &(*at).right
		}
	}
	*at = &node{key: key, name: fmt.Sprint("n", key)}
}

// deep begins a goroutine that waits below many frames, and answers with a sum of what they hold.
func (h *Heap) deep(id uint64, frames int) {
	asks := make(chan chan uint64)
	go func() { sink(below(asks, id, frames)) }()
	h.stacks[id] = asks
}

//go:noinline
func sink(uint64) {}

//go:noinline
func below(asks chan chan uint64, id uint64, frames int) uint64 {
	var held [8]uint64
	for i := range held {
		held[i] = id + uint64(frames*i)
	}
	if frames > 0 {
		below(asks, id, frames-1)
		return held[7]
	}
	sum := uint64(0)
	for _, v := range held {
		sum += v
	}
	for answer := range asks {
		answer <- sum
	}
	return sum
}

// sum checks all contents, and returns a hash of them.
func (h *Heap) sum() string {
	f := fnv.New64a()
	for _, id := range slices.Sorted(maps.Keys(h.blocks)) {
		want := make([]byte, len(h.blocks[id]))
		fill(want, id)
		if !slices.Equal(want, h.blocks[id]) {
			panic(fmt.Sprint("block ", id, " has changed"))
		}
		fmt.Fprintln(f, id, len(want))
	}
	for _, k := range slices.Sorted(maps.Keys(h.texts)) {
		if !strings.HasPrefix(*h.texts[k], k) {
			panic("a text has changed")
		}
		fmt.Fprintln(f, *h.texts[k])
	}
	fmt.Fprintln(f, h.lists)
	h.root.walk(func(n *node) { fmt.Fprintln(f, n.key, n.name) })
	for range len(h.queue) {
		q := <-h.queue
		if slices.Max(append(q, 0)) != 0 {
			panic("what was made is not zero")
		}
		fmt.Fprintln(f, len(q))
		h.queue <- q
	}
	for _, id := range slices.Sorted(maps.Keys(h.stacks)) {
		answer := make(chan uint64)
		h.stacks[id] <- answer
		if got := <-answer; got != 8*id {
			panic(fmt.Sprint("the stack of ", id, " has changed: ", got))
		}
	}
	return fmt.Sprintf("%x", f.Sum64())
}

func (n *node) walk(f func(*node)) {
	if n != nil {
		n.left.walk(f)
		f(n)
		n.right.walk(f)
	}
}
