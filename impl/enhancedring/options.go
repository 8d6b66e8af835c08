package enhancedring

import (
	"slices"

	"contend/impl/election"
	"contend/model"
)

// options are the other readings of the text, and edits that look like bugs but are not.
var options = []model.Variant{
	{
		Name: "detector", Title: "reading: a perfect failure detector tells who responds; delays have no bound",
		Unclaimed: noMembers,
		Edit:      detect(model.Perfect), Show: model.Check{Config: sized(3, 1, 1), Claims: whole}, Waives: withoutTime(),
	},
	{
		Name: "lockstep", Title: "every message takes δ exactly",
		Unclaimed: noMembers,
		Edit:      lockstep, Show: timed(sized(3, 2, 1)), Joins: true,
	},
	{
		Name: "tells-members", Title: "step e: all are told who the members are when the election is over",
		Edit: func(s *model.System) {
			s.Types = append(s.Types, Members{})
			replace(func(p Process) model.Node { return &tellingProcess{p} })(s)
		},
		Show: model.Check{Config: sized(3, 1, 1), Reading: model.Grid},
	},
	{
		Name: "watchdog", Title: "each report of a crash initiates an election, and so does a process that has waited too long for the end of one",
		Unclaimed: noMembers,
		Edit: func(s *model.System) {
			s.Types = append(s.Types, overdue{})
			replace(func(p Process) model.Node { return &WatchingProcess{Process: p} })(s)
		},
		Show: dead(1, model.Faults{Crashes: 1}), Joins: true,
		Waives: map[string][]model.Assumption{"liveness": {model.NoCrash, model.NoMemoryLoss}},
	},
	{
		Name: "decides-on-return", Title: "reading: the initiator decides when the Coordinator message returns",
		Unclaimed: noMembers,
		Edit:      replace(func(p Process) model.Node { return &lateProcess{p} }), Show: again, Joins: true,
	},
	{
		Name: "responds-last", Title: "a process responds after it has forwarded the message",
		Unclaimed: noMembers,
		Edit:      replace(func(p Process) model.Node { return &rudeProcess{p} }), Show: again,
	},
	{
		Name: "patient", Title: "a process waits longer for a response than a response can take",
		Unclaimed: noMembers,
		Edit:      tune(func(c *Config) { c.Patience += 2 }), Show: again, Joins: true,
	},
	{
		Name: "unchecked", Title: "step e without its check: a failure detector reports a coordinator that is down",
		Unclaimed: noMembers,
		Edit:      replace(func(p Process) model.Node { return &trustingProcess{p} }),
		Show:      model.Check{Config: failing(sized(3, 1, 1), model.Faults{Crashes: 1}), Reading: model.Grid, Claims: []string{"failures supported", "one coordinator"}},
	},
}

// noMembers is what fails as in the protocol as printed.
var noMembers = []string{"members known"}

// whole are the claims but "members known", which is false as printed.
var whole = []string{
	"safety", "one coordinator", "liveness", "agreement", "largest in the end", "elections conclude", "failures supported",
}

// again is a check of two elections of one process.
var again = timed(sized(2, 1, 2))

func timed(c model.Config) model.Check {
	return model.Check{Config: c, Reading: model.Grid, Claims: whole}
}

// dead is a check with three processes, some of which are down from the beginning.
func dead(down int, f model.Faults) model.Check {
	return model.Check{
		Config: failing(sized(3, 1, 1), f).With(election.Down.Is(down)), Reading: model.Grid, Claims: []string{"failures supported"},
	}
}

func withoutTime() map[string][]model.Assumption {
	waived := map[string][]model.Assumption{}
	for _, claim := range whole {
		waived[claim] = []model.Assumption{model.Synchronous}
	}
	return waived
}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

func tune(f func(*Config)) func(*model.System) { return func(s *model.System) { f(setup(s)) } }

func lockstep(s *model.System) { s.Network.Delay = model.Exactly(model.Delay.Of(s.Config)) }

// replace replaces the processes that are up.
func replace(f func(Process) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range election.Up(s.Config) {
			s.Nodes[i].New = func() model.Node { return f(process(s.Config, setup(s))) }
		}
	}
}

// Members tells "who the members of the new ring are".
type Members struct{ List []model.NodeID }

// body is what a message is about.
func body(m any) any {
	if message, is := m.(Message); is {
		return message.Body
	}
	return m
}

type tellingProcess struct{ Process }

// Receive takes a message. Who finds that the election is over tells the members.
func (p *tellingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if told, is := m.(Members); is {
		env.Note(Ring{told.List})
		return
	}
	p.Process.Receive(env, from, m)
	if c, is := body(m).(Coordinator); is && slices.Contains(c.List, env.Self()) && slices.Contains(c.List, c.ID) {
		env.Broadcast(c.List, Members{c.List})
	}
}

// overdue is the alarm of a process that waits for the end of an election.
type overdue struct{}

// A WatchingProcess initiates an election when it has waited for long for the end of one.
type WatchingProcess struct {
	Process
	Waits bool // it takes part in an election, and has not decided since
}

// Start may initiate an election.
func (p *WatchingProcess) Start(env model.Env) { p.Process.Start(watching{env, p}) }

// Invoke initiates an election.
func (p *WatchingProcess) Invoke(env model.Env, op any) { p.Process.Invoke(watching{env, p}, op) }

// Receive takes a message.
func (p *WatchingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(watching{env, p}, from, m)
}

// Suspect is told that a process does not respond: what that one had is lost.
func (p *WatchingProcess) Suspect(env model.Env, node model.NodeID) {
	p.Process.Suspect(watching{env, p}, node)
	p.initiate(watching{env, p})
}

// Timeout polls the next successor, or initiates an election.
func (p *WatchingProcess) Timeout(env model.Env, key any) {
	if _, late := key.(overdue); !late {
		p.Process.Timeout(env, key)
		return
	}
	p.Initiated = false
	p.initiate(watching{env, p})
}

// watching is the environment of a process that watches the elections that it takes part in.
type watching struct {
	model.Env
	p *WatchingProcess
}

// Note sets the alarm for each Election message, and cancels it when the process has decided and what it
// has initiated is over.
func (e watching) Note(label any) {
	switch label.(type) {
	case election.Undecided:
		e.p.Waits = true
		turns := 2 * model.Ticks(e.p.cfg.All) // two, of so many polls each
		e.After(overdue{}, model.Exactly(turns*e.p.cfg.Patience))
	case election.Decided:
		e.p.Waits = false
	}
	if !e.p.Waits && !e.p.Initiated {
		e.Cancel(overdue{})
	}
	e.Env.Note(label)
}

type lateProcess struct{ Process }

// Receive takes a message. What the initiator decides is noted when the message is back.
func (p *lateProcess) Receive(env model.Env, from model.NodeID, m any) {
	switch is := body(m).(type) {
	case Election:
		if slices.Contains(is.List, env.Self()) {
			env.Send(from, Response{m.(Message).Number})
			p.send(env, Coordinator{p.cfg.Highest(is.List), with(nil, env.Self())})
			return
		}
	case Coordinator:
		if slices.Contains(is.List, env.Self()) && slices.Contains(is.List, is.ID) {
			p.decide(env, is.ID)
		}
	}
	p.Process.Receive(env, from, m)
}

type rudeProcess struct{ Process }

// Receive takes a message, and responds at last. A handler runs to its end, so nothing can come
// between.
func (p *rudeProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(mute{env}, from, m)
	if message, is := m.(Message); is {
		env.Send(from, Response{message.Number})
	}
}

// mute is the environment of a process that does not respond.
type mute struct{ model.Env }

// Send sends what is no response.
func (e mute) Send(to model.NodeID, m any) {
	if _, responds := m.(Response); !responds {
		e.Env.Send(to, m)
	}
}

type trustingProcess struct{ Process }

// Receive takes a message, and a returning Coordinator message as if the elected process were in its list.
func (p *trustingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if c, is := body(m).(Coordinator); is && slices.Contains(c.List, env.Self()) {
		c.List = with(c.List, c.ID)
		m = Message{m.(Message).Number, c}
	}
	p.Process.Receive(env, from, m)
}
