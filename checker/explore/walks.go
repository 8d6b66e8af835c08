package explore

import (
	"container/list"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/zeebo/xxh3"

	"contend/model"
	"contend/traces"
	"contend/traces/walk"
)

// A walks caches walks to recent places and to some places on the way. So a walk needs only the steps after
// the last cached place. Cached walks do not change: callers get forks.
type walks struct {
	protocol *model.Protocol
	header   *traces.Trace
	claims   []model.Claim

	mu      sync.Mutex
	entries map[key]*list.Element
	recent  *list.List // of entry, most recently used first
	weight  int
}

// A key is a hash of a place and of the fractions of a tick.
type key xxh3.Uint128

// An entry is a cached walk.
type entry struct {
	key    key
	walk   *walk.Walk
	weight int
}

// Bounds of the cache. A walk has weight 1, and 1 more for each stepsWeigh steps: a branch may copy its steps. A
// long way has a cached walk every stepsPerEntry steps.
const (
	mostWeight    = 2000
	stepsWeigh    = 200
	stepsPerEntry = 250
)

func newWalks(p *model.Protocol, header *traces.Trace, claims []model.Claim) *walks {
	return &walks{protocol: p, header: header, claims: claims, entries: map[key]*list.Element{}, recent: list.New()}
}

// get returns a walk at a place. The errors are those of [walk.BeginAt].
func (c *walks) get(place walk.Place) (*walk.Walk, error) {
	parts, err := place.Parts()
	if err != nil {
		return nil, fmt.Errorf("place: %w", err)
	}
	keys := keysOf(parts, place)
	w, from := c.longest(keys)
	if w == nil {
		if w, err = walk.BeginIn(c.protocol, c.header, c.claims, parts); err != nil {
			return nil, err
		}
	}
	for i := from; i < len(place); i++ {
		if i > from && i%stepsPerEntry == 0 {
			c.store(keys[i], w.Fork())
		}
		if err := w.Go(place[i]); err != nil {
			return nil, fmt.Errorf("place: choice %d: %w", i+1, err)
		}
	}
	c.store(keys[len(place)], w.Fork())
	return w, nil
}

// keysOf returns the keys of a place and of all places on the way, the beginning first.
func keysOf(parts int64, place walk.Place) []key {
	text := binary.LittleEndian.AppendUint64(nil, uint64(parts))
	keys := []key{key(xxh3.Hash128(text))}
	for i, c := range place {
		text = binary.LittleEndian.AppendUint64(text[:0], keys[i].Lo)
		text = binary.LittleEndian.AppendUint64(text, keys[i].Hi)
		keys = append(keys, key(xxh3.Hash128(append(text, c.String()...))))
	}
	return keys
}

// longest returns a fork of the walk at the last cached place and the place's index; nil if none is cached.
func (c *walks) longest(keys []key) (*walk.Walk, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(keys) - 1; i >= 0; i-- {
		if e, ok := c.entries[keys[i]]; ok {
			c.recent.MoveToFront(e)
			return e.Value.(entry).walk.Fork(), i
		}
	}
	return nil, 0
}

// add caches a walk from elsewhere.
func (c *walks) add(w *walk.Walk) {
	place := w.Place()
	if parts, err := place.Parts(); err == nil {
		keys := keysOf(parts, place)
		c.store(keys[len(place)], w.Fork())
	}
}

// store caches a walk, and evicts the least recently used ones.
func (c *walks) store(k key, w *walk.Walk) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[k]; ok {
		return
	}
	e := entry{k, w, 1 + w.Steps()/stepsWeigh}
	c.entries[k] = c.recent.PushFront(e)
	for c.weight += e.weight; c.weight > mostWeight && c.recent.Len() > 1; {
		oldest := c.recent.Remove(c.recent.Back()).(entry)
		delete(c.entries, oldest.key)
		c.weight -= oldest.weight
	}
}
