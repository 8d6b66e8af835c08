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

// walks keep the walks to places where one has been of late, and to some on the way to them, so that to
// be at a place takes only the steps from the last place on its way that is kept. None is walked with once
// it is here: who asks gets a fork.
type walks struct {
	protocol *model.Protocol
	header   *traces.Trace
	claims   []model.Claim

	mu     sync.Mutex
	known  map[key]*list.Element
	recent *list.List // of kept, the latest first
	weight int
}

// A key stands for a place, and the parts of a tick in which times are counted on the way to it.
type key xxh3.Uint128

// kept is a walk that is kept.
type kept struct {
	key    key
	walk   *walk.Walk
	weight int
}

// How much is kept. A walk weighs one, and one more for so many steps, of which a branch may have a
// copy; on a long way a walk is kept each so many steps.
const (
	mostWeight = 2000
	stepsWeigh = 200
	keptOnWay  = 250
)

func newWalks(p *model.Protocol, header *traces.Trace, claims []model.Claim) *walks {
	return &walks{protocol: p, header: header, claims: claims, known: map[key]*list.Element{}, recent: list.New()}
}

// at returns a walk that is at a place. The error is as that of [walk.BeginAt].
func (c *walks) at(place walk.Place) (*walk.Walk, error) {
	parts, err := place.Parts()
	if err != nil {
		return nil, fmt.Errorf("place: %w", err)
	}
	keys := keysOf(parts, place)
	w, from := c.last(keys)
	if w == nil {
		if w, err = walk.BeginIn(c.protocol, c.header, c.claims, parts); err != nil {
			return nil, err
		}
	}
	for i := from; i < len(place); i++ {
		if i > from && i%keptOnWay == 0 {
			c.keep(keys[i], w.Fork())
		}
		if err := w.Go(place[i]); err != nil {
			return nil, fmt.Errorf("place: choice %d: %w", i+1, err)
		}
	}
	c.keep(keys[len(place)], w.Fork())
	return w, nil
}

// keysOf are the keys of a place and of all places on the way to it, the beginning first.
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

// last returns a fork of the walk to the last of the places that is kept, and its number; nil if there is
// none.
func (c *walks) last(keys []key) (*walk.Walk, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(keys) - 1; i >= 0; i-- {
		if e, ok := c.known[keys[i]]; ok {
			c.recent.MoveToFront(e)
			return e.Value.(kept).walk.Fork(), i
		}
	}
	return nil, 0
}

// put keeps a walk that was made elsewhere.
func (c *walks) put(w *walk.Walk) {
	place := w.Place()
	if parts, err := place.Parts(); err == nil {
		keys := keysOf(parts, place)
		c.keep(keys[len(place)], w.Fork())
	}
}

// keep keeps a walk, in place of those that were not asked for the longest.
func (c *walks) keep(k key, w *walk.Walk) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.known[k]; ok {
		return
	}
	e := kept{k, w, 1 + w.Steps()/stepsWeigh}
	c.known[k] = c.recent.PushFront(e)
	for c.weight += e.weight; c.weight > mostWeight && c.recent.Len() > 1; {
		oldest := c.recent.Remove(c.recent.Back()).(kept)
		delete(c.known, oldest.key)
		c.weight -= oldest.weight
	}
}
