package search

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"contend/checker/search/storage"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// What a search with little memory takes up, heap with its garbage and table, stays within a tenth
// above its bound, and it finds the same with files.
func TestMemoryIsHeld(t *testing.T) {
	if !*full {
		t.Skip("searches a large state space twice")
	}
	s, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(4)), "mutual exclusion")
	components := make([]byte, 32<<20) // stands for those of a larger search
	runtime.GC()
	const most = 64 << 20
	peak := int64(0)
	in := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: live}}
	opt := Options{Workers: 2, MaxMemory: most, table: 2 << 20, chunks: 1 << 20, Progress: func(p Progress) {
		metrics.Read(in)
		table := p.Bytes - int64(in[2].Value.Uint64())
		peak = max(peak, int64(in[0].Value.Uint64())-int64(in[1].Value.Uint64())+table)
	}}
	r := explore(t, s, opt, claims...)
	runtime.KeepAlive(components)
	if r.DiskBytes == 0 || !r.Complete {
		t.Fatalf("nothing was spilled, or it stopped: %q, %d states", r.Limit, r.States)
	}
	if peak > most+most/10 || peak == 0 {
		t.Errorf("it took up %d KiB, with a bound of %d", peak>>10, most>>10)
	}
	t.Logf("%d states, %d KiB in memory, %d in files", r.States, peak>>10, r.DiskBytes>>10)
	whole := explore(t, s, Options{Workers: 2}, claims...)
	if a, b := fmt.Sprint(r.size(), r.Widths), fmt.Sprint(whole.size(), whole.Widths); a != b {
		t.Errorf("with little memory %s, else %s", a, b)
	}
}

// When what cannot go to files outgrows the memory, the search stops, and names the limit.
func TestMemoryRunsOut(t *testing.T) {
	s, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(4)), "mutual exclusion")
	heap := make([]byte, 24<<20) // stands for components
	r := explore(t, s, Options{MaxMemory: 32 << 20}, claims...)
	if r.Complete || r.Limit.String() != "memory: 32 MiB" {
		t.Errorf("complete %v, limit %q, %d states", r.Complete, r.Limit, r.States)
	}
	runtime.KeepAlive(heap)
}

// As memory becomes short the table and the chunks give way by half, once for each collection; when they are small, or may not go to
// files, the search stops.
func TestWhatGivesWay(t *testing.T) {
	const most = 160 << 20
	near := int64(most - most/16 - besides)
	for name, c := range map[string]struct {
		heap, forTable, table int64
		gaveWay               int64
		graph                 bool
		short                 bool
		left                  int64 // for the table
	}{
		"there is room":               {heap: near - 1, forTable: 32 << 20, left: 32 << 20},
		"there is none":               {heap: near, forTable: 32 << 20, left: 16 << 20},
		"it is not collected yet":     {heap: near, forTable: 32 << 20, gaveWay: near, left: 32 << 20},
		"the table is small":          {heap: near, forTable: leastTable, short: true, left: leastTable},
		"it is nearly small":          {heap: near, forTable: leastTable + 2, left: leastTable},
		"a graph numbers the states":  {heap: near, forTable: 32 << 20, graph: true, short: true, left: 32 << 20},
		"the table is as was ordered": {heap: near, forTable: 32 << 20, table: 32 << 20, short: true, left: 32 << 20},
	} {
		var claims []model.Claim
		if c.graph {
			claims = []model.Claim{reach(model.Eventually, 1)}
		}
		x := unsearched(t, claims...)
		x.traversal.open()
		t.Cleanup(x.set.Close)
		x.opt.MaxMemory, x.opt.table, x.forTable, x.gaveWay = most, c.table, c.forTable, c.gaveWay
		if !c.graph {
			x.set.SpillTo(storage.Temporary(storage.OS{}), c.forTable)
		}
		x.heap = c.heap - x.set.Bytes()
		if c.gaveWay > 0 {
			x.gaveWay = x.heap
		}
		if short := x.short(); short != c.short || x.forTable != c.left || c.left < c.forTable && (x.held.Most != c.left/2 || x.gaveWay != x.heap) {
			t.Errorf("%s: short %v, %d bytes for the table, %d for chunks", name, short, x.forTable, x.held.Most)
		}
	}
}

// Of the memory that a search may take up the table has the half of what the process leaves, and the chunks of layers a quarter; where a
// graph numbers the states nothing goes to files. The collector is told how much the heap may take up, until the search ends.
func TestMemoryIsShared(t *testing.T) {
	for _, c := range []struct {
		most, table, chunks int64
		claims              []model.Claim
	}{
		{besides + 400, 200, 100, nil}, {besides - 1, 0, 0, nil}, {besides + 400, 200, 0, []model.Claim{reach(model.Eventually, 1)}}, {0, 0, 0, nil},
	} {
		x := unsearched(t, c.claims...)
		x.opt.MaxMemory = c.most
		before := debug.SetMemoryLimit(-1)
		undo := x.shareMemory()
		within := debug.SetMemoryLimit(-1)
		undo()
		if c.most > 0 != (within <= 1<<20) || debug.SetMemoryLimit(-1) != before {
			t.Errorf("with %d bytes the heap is held within %d", c.most, within)
		}
		if x.forTable != c.table || x.held.Most != c.chunks {
			t.Errorf("of %d bytes %d are for the table, %d for chunks", c.most, x.forTable, x.held.Most)
		}
	}
}

// The collector is told what the table leaves, and what it may grow by.
func TestTheTableLeavesTheRest(t *testing.T) {
	const most = 1 << 30
	for _, graph := range []bool{false, true} {
		var claims []model.Claim
		if graph {
			claims = []model.Claim{reach(model.Eventually, 1)}
		}
		x := unsearched(t, claims...)
		x.traversal.open()
		x.opt.MaxMemory = most
		x.files = storage.Temporary(storage.OS{})
		undo := x.shareMemory()
		table := 2 * x.set.Bytes()
		if graph {
			table /= 2
		}
		if within := debug.SetMemoryLimit(-1); table == 0 || table > x.forTable || within != most-besides-table {
			t.Errorf("with a graph %v the heap is held within %d, of %d; the table has %d", graph, within, most, x.set.Bytes())
		}
		undo()
		x.set.Close()
	}
}

// Where a graph numbers the states none of them goes to files, however small the table is to be.
func TestGraphsStayInMemory(t *testing.T) {
	claims := []model.Claim{reach(model.Eventually, 1), reach(model.PossibleFromEverywhere, 1)}
	want := explore(t, turning(), Options{}, claims...)
	got := explore(t, turning(), Options{MaxMemory: 1 << 40, table: 1, chunks: 1000}, claims...)
	if got.DiskBytes > 0 || verdicts(claims, got) != verdicts(claims, want) || got.size() != want.size() {
		t.Errorf("%d bytes are in files; %s, %+v, not %s, %+v", got.DiskBytes, verdicts(claims, got), got.size(), verdicts(claims, want), want.size())
	}
}
