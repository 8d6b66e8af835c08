package sample

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/foreign"
	"contend/model/purity"
)

// A guest is a program whose steps cost next to nothing: what a schedule of guests costs is the checker's. The
// messages, alarms, notes and names are as large as those of a replicated log.
type guest struct {
	self  model.NodeID
	name  [sha256.Size]byte // of its history
	also  func(g *guest, env model.Env)
	term  int
	calls int
	disk  [sha256.Size]byte
	busy  bool // a call has not returned
}

type (
	guestAlarm struct{}
	// A guestPacket is a message of a connection.
	guestPacket struct {
		Conn uint64
		Mine bool
		Seq  uint32
		Data string
	}
	// A guestView is what claims read.
	guestView struct {
		Shown string
		Ended bool
	}
)

const guests = 3

// step names the history after an input.
func (g *guest) step(env model.Env, input string) {
	h := sha256.New()
	h.Write(g.name[:])
	h.Write([]byte(input))
	h.Sum(g.name[:0])
	g.term++
	if g.term%4 == 0 {
		env.Note(fmt.Sprintf("store %d 2 %d", g.term, g.calls))
		g.disk = g.name
	}
	if g.also != nil {
		g.also(g, env)
	}
}

func (g *guest) Start(env model.Env) {
	g.self = env.Self()
	g.step(env, "start")
	env.After(guestAlarm{}, model.Exactly(model.Ticks(50+env.Draw(20))))
}

func (g *guest) send(env model.Env, to model.NodeID, what string) {
	env.Send(to, guestPacket{uint64(g.self)<<32 | uint64(to), g.self < to, uint32(g.term), what + strings.Repeat("x", 120)})
}

func (g *guest) Timeout(env model.Env, _ any) {
	g.step(env, "alarm")
	g.returns(env, "no answer")
	for to := range model.NodeID(guests) {
		if to != g.self {
			g.send(env, to, "beat")
		}
	}
	env.After(guestAlarm{}, model.Exactly(50))
}

func (g *guest) Receive(env model.Env, from model.NodeID, m any) {
	p := m.(guestPacket)
	g.step(env, p.Data)
	switch {
	case strings.HasPrefix(p.Data, "call"):
		g.send(env, from, "done")
	case strings.HasPrefix(p.Data, "beat"):
		g.send(env, from, "hear")
	case strings.HasPrefix(p.Data, "done"):
		g.returns(env, "ok")
	}
	env.After(guestAlarm{}, model.Exactly(60))
}

func (g *guest) returns(env model.Env, result string) {
	if g.busy {
		g.busy = false
		env.Return(result)
	}
}

func (g *guest) Invoke(env model.Env, op any) {
	g.calls, g.busy = g.calls+1, true
	g.step(env, op.(string))
	g.send(env, (g.self+1)%guests, "call"+op.(string))
}

// A guestWatch claims that guests store less than Most times.
type guestWatch struct {
	Of         map[string]model.NodeID
	Seen, Most int
}

func (w *guestWatch) Observe(x model.Watch, o model.Observation) {
	text, is := o.Value.(string)
	if o.Kind != model.Noted || !is {
		return
	}
	words := strings.SplitN(text, " ", 4)
	w.Seen++
	w.Of[words[1]] = o.Node
	if x.Witness(); w.Seen == w.Most {
		x.Violate("%d", w.Seen)
	}
}

// guestSystem returns three guests with three calls each, and claims like those of a replicated log: that guests
// store less than most times, and so on. Also, unless nil, is called in each step.
func guestSystem(faults model.Faults, most int, also func(g *guest, env model.Env)) (*model.System, []model.Claim) {
	lib := &foreign.Library[*guest, guestView]{
		New:      func() *guest { return &guest{also: also} },
		Recover:  func(crashed *guest) *guest { return &guest{disk: crashed.disk, also: also} },
		Stable:   func(g *guest) any { return g.disk[:] },
		View:     func(g *guest) guestView { return guestView{Shown: fmt.Sprint("term ", g.term)} },
		Show:     func(g *guest) string { return fmt.Sprint("calls: ", g.calls) },
		Snapshot: func(g *guest) []byte { return binary.AppendUvarint(g.name[:], uint64(g.term)) },
		Lone:     true,
		Fork:     func(g *guest) *guest { own := *g; return &own },
	}
	s := &model.System{Types: []any{guestPacket{}, guestAlarm{}}, Faults: faults, Network: model.Network{Delay: model.By(10), Once: true}}
	for i := range guests {
		spec := model.NodeSpec{Name: fmt.Sprint("g", i), Role: model.Server, New: lib.Node}
		for k := range 3 {
			spec.Script = append(spec.Script, model.Op{Call: fmt.Sprint("append ", k), After: model.Exactly(model.Ticks(100 * (k + 1)))})
		}
		s.Nodes = append(s.Nodes, spec)
	}
	var claims []model.Claim
	for k := range 8 {
		claims = append(claims, model.Claim{Name: fmt.Sprint("claim ", k), Kind: model.Always,
			Monitor: func(*model.System) model.Monitor { return &guestWatch{Most: most + 20*k} }})
	}
	return s, claims
}

// Guests do the same live and in the interpreter alone, with the same violations.
func TestLiveGuestsAreTheInterpreters(t *testing.T) {
	for share := range 2 {
		s, claims := guestSystem(model.Faults{Restarts: 1}, 50, nil)
		s.Opening = func(o model.Observation) bool { return o.Kind == model.Returned }
		opt := Options{Schedules: 20, Seed: 3, Workers: 2, Timed: true, Share: 10 * share}
		_, off := sampled(t, s, claims, opt, false)
		sm, on := sampled(t, s, claims, opt, true)
		assert.NotNil(t, sm.setting)
		assert.Equal(t, outline(s, off), outline(s, on), "share %d", share)
		assert.NotEmpty(t, on.Violations)
	}
}

// A guest that is no function of its history is refused, at once or within the schedules that run twice.
func TestImpureGuestsAreRefused(t *testing.T) {
	steps, calls := 0, 0
	// fails returns a handler that fails in the given one of two runs.
	fails := func(run int) func(*guest, model.Env) {
		return func(g *guest, _ model.Env) {
			if g.term > 20 {
				if calls++; calls%2 == run {
					panic("now")
				}
			}
		}
	}
	for name, also := range map[string]func(g *guest, env model.Env){
		"a note":  func(_ *guest, env model.Env) { env.Note(rand.IntN(1 << 30)) },
		"a state": func(g *guest, _ model.Env) { g.term += rand.IntN(2) },
		"another state in a later schedule": func(g *guest, _ model.Env) {
			steps++
			g.term += steps / 5000 % 2
		},
		"a choice": func(_ *guest, env model.Env) { env.Choose(2 + rand.IntN(2)) },
		"late and seldom": func(_ *guest, env model.Env) {
			if steps++; steps > 20_000 && steps%200 == 0 {
				env.Note(steps)
			}
		},
		"a failure that does not come again": fails(1),
		"a failure of the second run":        fails(0),
	} {
		t.Run(name, func(t *testing.T) {
			calls = 0
			s, _ := guestSystem(model.Faults{Restarts: 1}, 50, also)
			_, err := Sample(s, nil, Options{Schedules: 1000, Seed: 1, Timed: true, Workers: 1})
			assert.ErrorAs(t, err, new(purity.Impure))
		})
	}
}
