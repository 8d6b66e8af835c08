package draw

import (
	"fmt"

	"contend/model"
	"contend/model/world"
)

// A BarKind is something that lasts.
type BarKind int

// What lasts at a node, and the last at all.
const (
	Operation BarKind = iota // from the invocation to the return
	Section                  // from the return of an operation that has a release to that
	Down                     // from a crash to the return, if there is one
	Alarm                    // from when it is set to when it fires or is set no more
	Hold                     // from when it is set to its end; untimed to where it is found to be over
	Cut                      // the network is cut in two; Lane is -1
)

func (k BarKind) String() string {
	return [...]string{"operation", "critical section", "down", "alarm", "hold", "network cut in two"}[k]
}

// A Bar is something that lasts from a row to a row, as of an [Arrow]. Open says that the run ends
// before it does.
type Bar struct {
	Kind     BarKind
	Lane     int
	From, To int
	Label    string
	Open     bool
	// Until is the time, in ticks, at which it ends between To and the row after, which is later; 0 where it ends in
	// To.
	Until float64
}

// lasts takes in what begins and ends at a node, and at the network.
func (b *builder) lasts(row int, r world.Record) {
	id := r.Node
	switch m := r.Move; m.Kind {
	case model.Invoke:
		b.start(operationOf{id}, Bar{Kind: Operation, Lane: int(id), From: row, Label: b.value(m.Event.Value)})
	case model.Return:
		b.stop(operationOf{id}, row)
		if b.run.World.System.Nodes[id].Script[m.Event.Op].Release != nil {
			b.start(sectionOf{id}, Bar{Kind: Section, Lane: int(id), From: row, Label: "critical section"})
		}
	case model.Release:
		b.stop(sectionOf{id}, row)
	case model.Timeout:
		b.stop(m.Event, row)
	case model.Crash, model.Stop:
		b.stop(operationOf{id}, row)
		b.stop(sectionOf{id}, row)
		for of := range b.open {
			if h, is := of.(holdOf); is && h.node == id {
				b.over(h, row)
			}
		}
		b.start(downOf{id}, Bar{Kind: Down, Lane: int(id), From: row, Label: "down"})
	case model.Restart:
		b.stop(downOf{id}, row)
	case model.Partition:
		b.start(cutOf{}, Bar{Kind: Cut, Lane: -1, From: row, Label: b.value(m.Value)})
	case model.Heal:
		b.stop(cutOf{}, row)
	}
}

// hold begins a bar that lasts, where time is kept, as long as the hold does.
func (b *builder) hold(row int, id model.NodeID, h world.Countdown) {
	of := holdOf{id, b.holdName(h.Key)}
	b.over(of, row)
	bar := Bar{Kind: Hold, Lane: int(id), From: row, Label: of.key + ", which may last"}
	if b.d.Timed {
		says := "through"
		if h.Length.Open {
			says = "for less than"
		}
		bar.Label = fmt.Sprintf("%s, %s %d ticks", of.key, says, h.Length.At)
		bar.Until = float64(int64(h.Since)+int64(h.Length.At)*b.run.Parts) / float64(b.run.Parts) // as rows have it, to the last bit
	}
	b.start(of, bar)
}

// holdName names a hold. On a clock that drifts it is two countdowns, and has a bar for each.
func (b *builder) holdName(key any) string {
	switch key := key.(type) {
	case model.Soonest:
		return b.value(key.Hold) + " at least"
	case model.Latest:
		return b.value(key.Hold) + " at most"
	}
	return b.value(key)
}

// over ends the bar of a hold, if it has begun and has not ended by itself.
func (b *builder) over(of holdOf, row int) {
	i, is := b.open[of]
	if !is {
		return
	}
	if bar := &b.d.Bars[i]; bar.Until > 0 && bar.Until <= b.d.Rows[row].At {
		b.lapse(bar)
		delete(b.open, of)
		return
	}
	b.d.Bars[i].Until = 0
	b.stop(of, row)
}

// lapse ends a bar behind the last row before its time has come.
func (b *builder) lapse(bar *Bar) {
	for bar.To = bar.From; bar.To+1 < len(b.d.Rows) && b.d.Rows[bar.To+1].At <= bar.Until; {
		bar.To++
	}
	if bar.To == len(b.d.Rows)-1 {
		bar.Until, bar.Open = 0, true
	}
}

func (b *builder) start(of any, bar Bar) {
	b.open[of] = len(b.d.Bars)
	b.d.Bars = append(b.d.Bars, bar)
}

// stop ends a bar, if it has begun.
func (b *builder) stop(of any, row int) {
	if i, is := b.open[of]; is {
		b.d.Bars[i].To = row
		delete(b.open, of)
	}
}
