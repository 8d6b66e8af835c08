package oracle_test

import (
	"contend/lab/oracle"
	"contend/model"
)

// ask is one operation.
var ask = model.Op{Call: "ask"}

// twofold sends two requests. The server answers the second if it remembers the first.
func twofold() *model.System {
	s := system(node("c", model.Client, puppet{
		invoke: func(_ *puppet, env model.Env, _ any) { env.Send(1, 1); env.Send(1, 2) },
		receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) {
			if p.S == 0 {
				p.S = 1
				env.Return(nil)
			}
		},
	}, ask), node("s", model.Server, puppet{
		receive: func(p *puppet, env model.Env, from model.NodeID, m any) {
			if m == 1 {
				p.S = 1
			} else if p.S == 1 {
				p.S = 2
				env.Send(from, 3)
			}
		},
	}))
	s.Network.Channel = model.FIFO
	return s
}

// insists repeats its request if the server has restarted before the acknowledgment. The server answers after
// a sleep. A restart ends the sleep, so that the request must be sent once more.
func insists() *model.System {
	s := system(node("c", model.Client, puppet{
		invoke: func(p *puppet, env model.Env, _ any) { p.S = 1; env.Send(1, "ask") },
		receive: func(p *puppet, env model.Env, _ model.NodeID, m any) {
			switch {
			case m == "started" && p.S == 1:
				env.Send(1, "ask")
			case m == "acknowledged" && p.S == 1:
				p.S = 2
			case m == "answer" && p.S < 3:
				p.S = 3
				env.Return(nil)
			}
		},
	}, ask), node("s", model.Server, puppet{
		start: func(_ *puppet, env model.Env) { env.Send(0, "started") },
		receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) {
			env.Send(0, "acknowledged")
			env.After("ring", model.Between(0, 1))
		},
		timeout: func(_ *puppet, env model.Env, _ any) { env.Send(0, "answer") },
	}))
	s.Network.Channel = model.Set
	return with(s, model.Faults{Restarts: 1})
}

// anew sends a message, and later an equal message. The server counts messages, and notes 9 when it starts.
func anew() *model.System {
	s := system(node("c", model.Client, puppet{
		invoke: func(p *puppet, env model.Env, _ any) {
			if p.S++; p.S == 2 {
				env.Note(10)
			}
			env.Send(1, "same")
			env.Return(nil)
		},
	}, ask, ask), node("s", model.Server, puppet{
		start:   func(_ *puppet, env model.Env) { env.Note(9) },
		receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) { p.S++; env.Note(p.S) },
	}))
	s.Network.Channel = model.Set
	return with(s, model.Faults{Restarts: 1})
}

// late returns a server that ignores a message, unless the message arrives after a restart.
func late() *model.System {
	return with(system(node("s", model.Server, puppet{
		start: func(p *puppet, env model.Env) { p.S = 1; env.After("ring", model.Anytime()) },
		timeout: func(p *puppet, env model.Env, _ any) {
			p.S = 2
			env.Send(0, 0)
		},
		receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) {
			if p.S == 1 {
				env.Note(1)
			}
		},
	})), model.Faults{Restarts: 1})
}

func with(s *model.System, f model.Faults) *model.System {
	s.Faults = f
	return s
}

// slowFirst sends over a FIFO channel 1, which has no effect, and 2, which is noted. An alarm is noted as 3
// after a tick.
func slowFirst(first, second model.Window) *model.System {
	s := system(node("a", model.Peer, puppet{
		start:   func(_ *puppet, env model.Env) { env.Send(1, 1); env.Send(1, 2); env.After("ring", model.Exactly(1)) },
		timeout: func(_ *puppet, env model.Env, _ any) { env.Note(3) },
	}), node("b", model.Server, puppet{
		receive: func(_ *puppet, env model.Env, _ model.NodeID, m any) {
			if m == 2 {
				env.Note(2)
			}
		},
	}))
	s.Network.Channel = model.FIFO
	s.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
		if m == 1 {
			return first
		}
		return second
	}
	return s
}

// Channels and faults.
func faultCases() []obvious {
	locked := slowFirst(model.Exactly(2), model.Exactly(0))
	lockedAndDown := with(slowFirst(model.Exactly(2), model.Exactly(0)), model.Faults{Restarts: 1})
	crash := system(node("s", model.Server, puppet{
		start:   func(_ *puppet, env model.Env) { env.After("ring", model.Exactly(1)) },
		timeout: func(_ *puppet, env model.Env, _ any) { env.Note(1) },
	}))
	crash.Faults.Restarts = 1
	startAsks := system(node("s", model.Server, puppet{start: func(_ *puppet, env model.Env) {
		if !env.Held("lease") {
			env.Note(1)
		}
	}}))
	startAsks.Faults.Restarts = 1
	return []obvious{
		{"nothing is lost", twofold(), done(model.Always), in(oracle.Holds, model.Untimed, model.Grid)},
		{"something is", with(twofold(), model.Faults{Loss: 1}), done(model.Always), in(oracle.Violated, model.Untimed, model.Grid)},
		{"of two once more only one may come", with(twofold(), model.Faults{Restarts: 1}), done(model.Always), in(oracle.Violated, model.Untimed, model.Grid)},
		{"what may come once more need not", insists(), done(model.Always), in(oracle.Violated, model.Untimed)},
		{"nor has it to in the end", insists(), done(model.Eventually), in(oracle.Violated, model.Untimed)},
		{"a server may stay down", crash, notes(model.Eventually, 1), in(oracle.Violated, model.Untimed, model.Grid)},
		{"but can come back", crash, notes(model.PossibleFromEverywhere, 1), in(oracle.Holds, model.Untimed, model.Grid)},
		{"what may come once more does not stand for what is sent anew", anew(), notes(model.Sometimes, 1, 9, 10, 1, 2), in(oracle.Holds, model.Untimed)},
		{"what does nothing now does something after a restart", late(), notes(model.Sometimes, 1), in(oracle.Holds, model.Untimed, model.Grid)},
		{"one that starts asks", startAsks, notes(model.Always, 1, 1), in(oracle.Violated, model.Untimed, model.Grid)},
		{"the slow one stands before the other", slowFirst(model.Exactly(2), model.Between(0, 2)), notes(model.Sometimes, 2, 3), timed(oracle.Violated)},
		{"it is in time", slowFirst(model.Exactly(1), model.Between(0, 2)), notes(model.Sometimes, 2, 3), timed(oracle.Holds)},
		{"where time is locked nothing stops", locked, done(model.Always), timed(oracle.Holds)},
		{"nor is there a run that ends", locked, notes(model.Eventually, 2), timed(oracle.Holds)},
		{"not even where a server is down that may come back", lockedAndDown, notes(model.Eventually, 2), in(oracle.Holds, model.Grid)},
	}
}

// beats sends itself messages for ever, and notes 1 when its alarm rings. Each message may reset the alarm.
func beats(anew bool) *model.System {
	return system(node("a", model.Peer, puppet{
		start: func(_ *puppet, env model.Env) { env.Send(0, 1); env.After("ring", model.Anytime()) },
		receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) {
			env.Send(0, 1)
			if anew {
				env.After("ring", model.Anytime())
			}
		},
		timeout: func(p *puppet, env model.Env, _ any) { env.Note(1) },
	}))
}

// chooses makes a choice each time its alarm rings, until it notes 1. It may give up.
func chooses(of int, giveUp bool) *model.System {
	return system(node("a", model.Peer, puppet{
		start: func(_ *puppet, env model.Env) { env.After("ring", model.Exactly(1)) },
		timeout: func(_ *puppet, env model.Env, _ any) {
			switch is := env.Choose(of); {
			case is == 0:
				env.Note(1)
			case is == 1 || !giveUp:
				env.After("ring", model.Exactly(1))
			}
		},
	}))
}

func cutAt(s *model.System, most int) *model.System {
	s.Cuts = []model.Cut{{Name: "most", Beyond: func(n model.Node) bool { return n.(*puppet).S >= most }}}
	return s
}

// Fairness is about events. An event that a cut prevents is enabled.
func fairCases() []obvious {
	counts := func() *model.System {
		return system(node("a", model.Peer, puppet{
			start: func(_ *puppet, env model.Env) { env.Send(0, 1); env.After("ring", model.Anytime()) },
			receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) {
				env.Send(0, 1)
			},
			timeout: func(p *puppet, env model.Env, _ any) { p.S++; env.Note(1) },
		}))
	}
	empty := system(node("a", model.Peer, puppet{invoke: func(_ *puppet, env model.Env, _ any) { env.Return(items{[]int{}}) }}, ask))
	none := system(node("a", model.Peer, puppet{invoke: func(_ *puppet, env model.Env, _ any) { env.Return(items{}) }}, ask))
	object := model.Claim{Name: "object", Kind: model.Linearizable, Object: model.Object{
		Name: "empty", Init: 0, Step: func(any, model.NodeID, any) []model.Effect { return []model.Effect{{State: 0, Result: items{[]int{}}}} },
	}}
	all := []model.Reading{model.Untimed, model.Grid, model.Dense}
	return []obvious{
		{"an alarm rings", beats(false), notes(model.Eventually, 1), in(oracle.Holds, model.Untimed, model.Grid)},
		{"unless it is set anew", beats(true), notes(model.Eventually, 1), in(oracle.Violated, model.Untimed, model.Grid)},
		{"it is possible all the same", beats(true), notes(model.PossibleFromEverywhere, 1), in(oracle.Holds, model.Untimed, model.Grid)},
		{"a choice may put off for ever", chooses(2, false), notes(model.Eventually, 1), in(oracle.Violated, model.Untimed, model.Grid)},
		{"but not take away", chooses(2, false), notes(model.PossibleFromEverywhere, 1), in(oracle.Holds, model.Untimed, model.Grid)},
		{"unless it gives up", chooses(3, true), notes(model.PossibleFromEverywhere, 1), in(oracle.Violated, model.Untimed, model.Grid)},
		{"a cut keeps the alarm", cutAt(counts(), 1), notes(model.Eventually, 1), in(oracle.Open, model.Untimed, model.Grid)},
		{"and all that leads on", cutAt(counts(), 1), notes(model.PossibleFromEverywhere, 1), in(oracle.Open, model.Untimed, model.Grid)},
		{"and the witness", cutAt(counts(), 1), notes(model.Sometimes, 1), in(oracle.Open, all...)},
		{"scripts get done", twofold(), done(model.Sometimes), in(oracle.Holds, all...)},
		{"empty is empty", empty, object, in(oracle.Holds, all...)},
		{"and so is nil", none, object, in(oracle.Holds, all...)},
	}
}

// lied returns a client without answers. A liar's message may reach it, but only beyond the cut.
func lied() *model.System {
	s := cutAt(system(node("c", model.Client, puppet{
		receive: func(p *puppet, _ model.Env, _ model.NodeID, _ any) { p.S++ },
	}, ask), model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true}), 1)
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} }
	return s
}

// greets returns a system with a server that sends a greeting when it starts. The client sends it 1, or 2
// once it knows that 1 has arrived. The server answers 1 after a sleep, which a restart ends. It never
// answers 2. After 2, a second arrival of 1 is beyond the cut.
func greets() *model.System {
	s := system(node("c", model.Client, puppet{
		receive: func(p *puppet, env model.Env, _ model.NodeID, m any) {
			switch {
			case m == "hello":
				env.Send(1, 1+p.S)
			case m == "arrived":
				p.S = max(p.S, 1)
			case p.S < 2:
				p.S = 2
				env.Return(nil)
			}
		},
	}, model.Op{Call: "ask", AtBoot: true}), node("s", model.Server, puppet{
		start: func(_ *puppet, env model.Env) { env.Send(0, "hello") },
		receive: func(p *puppet, env model.Env, _ model.NodeID, m any) {
			switch {
			case p.S == 0 && m == 1:
				p.S = 1
				env.Send(0, "arrived")
				env.After("ring", model.Anytime())
			case p.S == 0 && m == 2:
				p.S = 2
			case p.S == 2:
				p.S = 3
			}
		},
		timeout: func(_ *puppet, env model.Env, _ any) { env.Send(0, "answer") },
	}))
	s.Network = model.Network{Channel: model.FIFO, Delay: model.Anytime()}
	s.Cuts = []model.Cut{{Name: "again", Beyond: func(n model.Node) bool { return n.(*puppet).S == 3 }}}
	return with(s, model.Faults{Restarts: 1})
}

// sleeps returns a server that notes 1 some time after a message has arrived, unless it restarts. The client
// sends the message whenever the server starts, until it has arrived once.
func sleeps() *model.System {
	s := system(node("c", model.Client, puppet{
		receive: func(p *puppet, env model.Env, _ model.NodeID, m any) {
			if m == "arrived" {
				p.S = 1
			} else if p.S == 0 {
				env.Send(1, "go")
			}
		},
	}), node("s", model.Server, puppet{
		start: func(_ *puppet, env model.Env) { env.Send(0, "hello") },
		receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) {
			env.Send(0, "arrived")
			env.After("ring", model.Anytime())
		},
		timeout: func(_ *puppet, env model.Env, _ any) { env.Note(1) },
	}))
	s.Network = model.Network{Channel: model.FIFO, Delay: model.Anytime()}
	return with(s, model.Faults{Restarts: 1})
}

// A lately is reached while the last number noted is the wanted one.
type lately struct {
	want int
	Is   int
}

func (l *lately) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		l.Is = o.Value.(int)
	}
}

func (l *lately) Reached() bool { return l.Is == l.want }

// last returns a claim of a kind that a number is the last noted number.
func last(kind model.Kind, want int) model.Claim {
	return model.Claim{Name: "last", Kind: kind, Monitor: func(*model.System) model.Monitor { return &lately{want: want} }}
}

// Events that are owed at the end.
func owedCases() []obvious {
	both := rings(model.Exactly(1), model.Exactly(2))
	return []obvious{
		{"what is reached and lost", both, last(model.Eventually, 1), in(oracle.Violated, model.Grid)},
		{"and reached in the end", both, last(model.Eventually, 2), in(oracle.Holds, model.Grid)},
		{"where what may come once more has to come", sleeps(), notes(model.PossibleFromEverywhere, 1), in(oracle.Holds, model.Untimed, model.Grid)},
	}
}

// An event that a cut prevents need not happen: a forged message, or a message that may arrive again.
func keptCases() []obvious {
	return []obvious{
		{"a lie beyond the cut keeps nothing going", lied(), done(model.Always), in(oracle.Violated, model.Untimed, model.Grid, model.Dense)},
		{"nor does it help", lied(), done(model.PossibleFromEverywhere), in(oracle.Violated, model.Untimed, model.Grid)},
		{"nor happens at last", lied(), done(model.Eventually), in(oracle.Violated, model.Untimed, model.Grid)},
		{"nor what may come once more beyond it", greets(), done(model.Always), in(oracle.Violated, model.Untimed, model.Grid)},
	}
}

// stopped: runs that end.
func stoppedCases() []obvious {
	ends := system(node("a", model.Peer, puppet{invoke: func(*puppet, model.Env, any) {}}, ask))
	return []obvious{
		{"an operation that never returns", ends, done(model.Always), in(oracle.Violated, model.Untimed, model.Grid, model.Dense)},
		{"is never done", ends, done(model.Eventually), in(oracle.Violated, model.Untimed, model.Grid)},
		{"nor can be", ends, done(model.PossibleFromEverywhere), in(oracle.Violated, model.Untimed, model.Grid)},
		{"nor surely is", ends, done(model.AlmostSurely), in(oracle.Violated, model.Grid)},
	}
}
