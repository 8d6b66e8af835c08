package draw

import (
	"fmt"

	"contend/model"
	"contend/model/world"
)

// A BarKind is the kind of a [Bar].
type BarKind int

// The kinds of bars. All but Cut belong to a node.
const (
	Operation BarKind = iota // from invocation to return
	Section                  // the critical section: from the return of an operation with a release to the release
	Down                     // from a crash to the restart, if there is one
	Alarm                    // from its setting until it fires or is canceled
	Hold                     // from its setting to its end or, in an untimed run, to the query that finds it over
	Cut                      // a network partition; Lane is -1
)

func (k BarKind) String() string {
	return [...]string{"operation", "critical section", "down", "alarm", "hold", "network cut in two"}[k]
}

// A Bar is something that lasts from row From to row To, numbered as in an [Arrow]. Open reports that it has
// not ended when the run does.
type Bar struct {
	Kind     BarKind
	Lane     int
	From, To int
	Label    string
	Open     bool
	// Until is the time in ticks at which the bar ends, if it ends between row To and a later next row; 0 if it
	// ends in row To.
	Until float64
}

// stepBars starts and ends the bars of a step.
func (b *builder) stepBars(row int, r world.Record) {
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
		for key := range b.open {
			if h, ok := key.(holdOf); ok && h.node == id {
				b.endHold(h, row)
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

// hold starts the bar of a hold. In a timed run it also sets its end.
func (b *builder) hold(row int, id model.NodeID, h world.Countdown) {
	key := holdOf{id, b.holdName(h.Key)}
	b.endHold(key, row)
	bar := Bar{Kind: Hold, Lane: int(id), From: row, Label: key.key + ", which may last"}
	if b.d.Timed {
		phrase := "through"
		if h.Length.Open {
			phrase = "for less than"
		}
		bar.Label = fmt.Sprintf("%s, %s %d ticks", key.key, phrase, h.Length.At)
		bar.Until = float64(int64(h.Since)+int64(h.Length.At)*b.run.Parts) / float64(b.run.Parts) // the same arithmetic as for rows, so that equal instants compare equal
	}
	b.start(key, bar)
}

// holdName names a hold. Under clock drift a hold is two countdowns, and each has a bar.
func (b *builder) holdName(key any) string {
	switch key := key.(type) {
	case model.Soonest:
		return b.value(key.Hold) + " at least"
	case model.Latest:
		return b.value(key.Hold) + " at most"
	}
	return b.value(key)
}

// endHold ends the bar of a hold, unless it has ended at its time.
func (b *builder) endHold(key holdOf, row int) {
	i, ok := b.open[key]
	if !ok {
		return
	}
	if bar := &b.d.Bars[i]; bar.Until > 0 && bar.Until <= b.d.Rows[row].At {
		b.lapse(bar)
		delete(b.open, key)
		return
	}
	b.d.Bars[i].Until = 0
	b.stop(key, row)
}

// lapse ends a bar at its time, between the rows around it.
func (b *builder) lapse(bar *Bar) {
	for bar.To = bar.From; bar.To+1 < len(b.d.Rows) && b.d.Rows[bar.To+1].At <= bar.Until; {
		bar.To++
	}
	if bar.To == len(b.d.Rows)-1 {
		bar.Until, bar.Open = 0, true
	}
}

func (b *builder) start(key any, bar Bar) {
	b.open[key] = len(b.d.Bars)
	b.d.Bars = append(b.d.Bars, bar)
}

// stop ends a bar, if it has started.
func (b *builder) stop(key any, row int) {
	if i, ok := b.open[key]; ok {
		b.d.Bars[i].To = row
		delete(b.open, key)
	}
}
