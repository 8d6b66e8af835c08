package foreign_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/model"
	"contend/model/foreign"
)

// A watch is the core of a library, below its goroutines. It reports nodes that have not sent a heartbeat in
// time.
type watch struct {
	beats  chan string
	limit  time.Duration
	of     map[string]*beaten
	onDead func(name string)
}

type beaten struct {
	count int
	timer *time.Timer
}

// newWatch is the library's constructor. It starts a goroutine that does not end, so no search can use it.
func newWatch(limit time.Duration, onDead func(name string)) *watch {
	w := &watch{make(chan string), limit, map[string]*beaten{}, onDead}
	go func() {
		for name := range w.beats {
			w.beat(name)
		}
	}()
	return w
}

func (w *watch) beat(name string) {
	b := w.of[name]
	if b == nil {
		b = &beaten{}
		w.of[name] = b
	} else {
		b.timer.Stop() // perhaps too late: then expire is called all the same
	}
	b.count++
	b.timer = time.AfterFunc(w.limit, func() { w.expire(name) })
}

func (w *watch) expire(name string) {
	delete(w.of, name)
	w.onDead(name)
}

// A watcher drives a watch.
type watcher struct{ Watch *watch }

// An expiry is the key of the alarm for a timer, with the number of its heartbeat.
type expiry struct {
	Name  string
	Count int
}

// A verdict is a report of a dead node: its number of heartbeats, and the heartbeat that set the timer.
type verdict struct{ Beats, Timer int }

// newWatcher does what newWatch does, without the channel and the goroutine. No timer fires by itself.
func newWatcher() *watcher {
	w := &watcher{Watch: &watch{}}
	foreign.Set(w.Watch, "limit", math.MaxInt64)
	foreign.Set(w.Watch, "of", map[string]*beaten{})
	foreign.Set(w.Watch, "onDead", func(string) {})
	return w
}

// Receive makes the goroutine's call. An alarm replaces the timer. It is not canceled when the timer is
// stopped, since a real timer may already have fired.
func (w *watcher) Receive(env model.Env, _ model.NodeID, m any) {
	name := m.(string)
	w.Watch.beat(name)
	at := "Watch.of[" + strconv.Quote(name) + "]."
	(*foreign.Field[*time.Timer](w, at+"timer")).Stop()
	env.After(expiry{name, *foreign.Field[int](w, at+"count")}, model.Anytime())
}

// Timeout calls the function of a timer.
func (w *watcher) Timeout(env model.Env, key any) {
	e := key.(expiry)
	if b := w.Watch.of[e.Name]; b != nil {
		env.Note(verdict{b.count, e.Count})
	}
	w.Watch.expire(e.Name)
}

// A heart beats twice.
type heart struct{}

func (heart) Start(env model.Env) {
	env.Send(0, "ann")
	env.Send(0, "ann")
}

// A library with goroutines and timers is searched below them. Its struct is created without its constructor,
// handlers make the calls of its goroutines, and alarms replace its timers. The search finds that a timer
// that is stopped too late reports a node that has just sent a heartbeat.
func ExampleSet() {
	rows, err := checker.Check(watched(newWatcher), model.Check{}, checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rows[0].Claims[0].Verdict)
	for _, s := range rows[0].Claims[0].Counterexample.Steps {
		fmt.Println(s)
	}
	// Output:
	// violated
	// deliver ann→watcher string #1
	// deliver ann→watcher string #2
	// timeout watcher foreign_test.expiry #1
}

// With the library's own constructor the search is refused.
func TestAboveGoroutines(t *testing.T) {
	_, err := checker.Check(watched(func() *watcher { return &watcher{Watch: newWatch(time.Hour, func(string) {})} }), model.Check{}, checker.Options{})
	assert.ErrorContains(t, err, "Start leaves a goroutine behind (foreign/below_test.go:34)")
}

// watched returns a protocol of a watcher and a heart.
func watched(by func() *watcher) *model.Protocol {
	return &model.Protocol{Name: "watch", Title: "who is dead", Build: func(c model.Config) (*model.System, error) {
		library := &foreign.Library[*watcher, struct{}]{New: by, Omit: []string{"Watch.of[].timer"}}
		return &model.System{Config: c, Types: []any{"", expiry{}, verdict{}}, Network: model.Network{Delay: model.Anytime()},
			Nodes: []model.NodeSpec{{Name: "watcher", Role: model.Server, New: library.Node}, {Name: "ann", New: func() model.Node { return &heart{} }}}}, nil
	}, Claims: []model.Claim{{Name: "in time", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &inTime{} }}}}
}

// inTime claims that no node is reported by the timer of an earlier heartbeat.
type inTime struct{}

func (*inTime) Observe(w model.Watch, o model.Observation) {
	if v, ok := o.Value.(verdict); ok && v.Timer < v.Beats {
		w.Violate("the timer of beat %d expires after beat %d", v.Timer, v.Beats)
	}
}
