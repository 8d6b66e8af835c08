package traced

import (
	"fmt"

	"contend/model"
)

// Exact is a page that decides where [Protocol] permits: its members do in one step what the library does in one call and
// the Readys after it. So runs of it can be taken by the library. The end of an election timeout, a tick, a proposal and a
// change of the members are acts of the application, at any time. Only a leader gets proposals, and only a member that does
// not lead campaigns. A change makes the leader the only member: the first enters a joint configuration, the next leaves it.
var Exact = &model.Protocol{
	Name:   "etcdraft-steps",
	Title:  "what go.etcd.io/raft/v3 does in each step",
	Source: "go.etcd.io/raft/v3 v3.6.0",
	Params: []model.Parameter{model.N.WithMeaning("members").WithRange(1, mostMembers).WithDefault(3), Candidates, Campaigns, Proposals, Ticks, Changes, PerMessage, Uneven},
	Build:  buildExact,
	Claims: claims,
	Checks: []model.Check{
		{Config: model.Config{N: 2, Faults: model.Faults{Restarts: 1}}.With(Candidates.Is(2), Proposals.Is(0))},
		{Config: model.Config{N: 3}.With(Proposals.Is(1))},
		{Config: model.Config{N: 3}.With(Proposals.Is(0), Uneven.Is(1))},
	},
}

// The parameters of [Exact].
var (
	Candidates = model.Param[int]{Name: "candidates", Meaning: "members that may campaign: the first", Least: 1, Most: mostMembers, Default: 1}
	Campaigns  = model.Param[int]{Name: "campaigns", Meaning: "election timeouts of the first candidate; the others have one", Least: 1, Most: 20, Default: 1}
	Proposals  = model.Param[int]{Name: "proposals", Meaning: "proposals to each candidate while it leads", Most: 20, Default: 1}
	Ticks      = model.Param[int]{Name: "ticks", Meaning: "ticks of each candidate while it leads", Most: 20}
	Changes    = model.Param[int]{Name: "changes", Meaning: "proposals to the first candidate to change the members", Most: 20}
	PerMessage = model.Param[int]{Name: "per-message", Meaning: "entries of a message; 0: without bound", Most: 1}
	Uneven     = model.Param[int]{Name: "uneven", Meaning: "1: the run begins after two leaders, of the terms 2 and 3, whose entries nobody else has", Most: 1}
)

func buildExact(c model.Config) (*model.System, error) {
	if Candidates.Of(c) > c.N {
		return nil, fmt.Errorf("candidates is %d, but must be at most n = %d", Candidates.Of(c), c.N)
	}
	if Uneven.Of(c) == 1 && c.N < 3 {
		return nil, fmt.Errorf("uneven is 1, but two leaders need n = 3 members")
	}
	s := &model.System{
		Config: c, Faults: c.Faults,
		Network: model.Network{Channel: model.Bag, Once: true, Delay: model.Anytime()},
		Types:   []any{Vote{}, VoteResp{}, App{}, AppResp{}, Beat{}, BeatResp{}, Act(""), Applies{}, Leads{}},
	}
	for i := range c.N {
		left := Budget{}
		if i < Candidates.Of(c) {
			left = Budget{1, Proposals.Of(c), Ticks.Of(c), 0}
		}
		if i == 0 {
			left.Campaigns, left.Changes = Campaigns.Of(c), Changes.Of(c)
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint(i + 1), Role: model.Server, New: func() model.Node {
			return &Stepper{Server: Server{size: c.N}, most: PerMessage.Of(c), begins: Beginning(c, i+1), Left: left}
		}})
	}
	return s, nil
}

// A Begin is what a member has written when the run begins.
type Begin struct {
	Term, Vote int
	Log        []Entry
}

// Beginning returns what a member has written when the run begins. The first entry is of term 1, and committed. After two
// leaders, the first member has led in term 3 with the votes of all but the second, which has led in term 2.
func Beginning(c model.Config, id int) Begin {
	if Uneven.Of(c) == 0 {
		return Begin{Term: 1, Log: []Entry{{Term: 1}}}
	}
	switch id {
	case 1:
		return Begin{3, 1, []Entry{{Term: 1}, {Term: 3}}}
	case 2:
		return Begin{2, 2, []Entry{{Term: 1}, {Term: 2}}}
	}
	return Begin{3, 1, []Entry{{Term: 1}}}
}

// A Stepper is a member of [Exact].
type Stepper struct {
	Server
	most   int // entries of a message; 0 is without bound
	begins Begin

	Left  Budget     `contend:"stable"`
	Done  int        // the index of the last entry that the application has
	Peers []Progress // by member; nil unless the member leads
}

// A Budget has the numbers of acts that are left.
type Budget struct{ Campaigns, Proposals, Ticks, Changes int }

// An Act is an alarm: what the application does.
type Act string

// The acts.
const (
	Campaigning Act = "campaign"
	Proposing   Act = "propose"
	Ticking     Act = "tick"
	Changing    Act = "change"
)

// The notes.
type (
	// Leads is a note: the member is elected.
	Leads struct{ Term int }
	// Applies is a note: the application gets an entry.
	Applies struct{ Index, Term int }
)

// A step is the environment of one step. Messages to oneself stay in it, and the notes of the log are left out.
type step struct {
	model.Env
	own []any
}

func (e *step) Send(to model.NodeID, m any) {
	if to == e.Self() {
		e.own = append(e.own, m)
		return
	}
	e.Env.Send(to, m)
}

func (e *step) Note(label any) {
	if shows, is := label.(Shows); is && shows.Event == "BecomeLeader" {
		e.Env.Note(Leads{shows.Term})
	}
}

// Start begins as the permitting page does. The log has the entry at index 1 already, and so has the application.
func (s *Stepper) Start(env model.Env) {
	s.Done = 1
	if s.Disk[1].Term == 0 {
		s.Term, s.Vote, s.Commit, s.Log = s.begins.Term, s.begins.Vote, 1, s.begins.Log
	} else {
		s.restore(env)
	}
	s.Applied = 1
	for id := 1; id <= s.size; id++ {
		s.Conf.Voters = s.Conf.Voters.with(id)
	}
	s.finish(&step{Env: env})
}

// Timeout implements the acts.
func (s *Stepper) Timeout(env model.Env, act any) {
	e := &step{Env: env}
	switch act {
	case Campaigning:
		s.Left.Campaigns--
		s.campaign(e)
	case Proposing:
		s.Left.Proposals--
		s.append(e, Entry{})
		s.toAll(e)
	case Ticking:
		s.Left.Ticks--
		s.beats(e)
	case Changing:
		s.Left.Changes--
		s.propose(e)
		s.toAll(e)
	}
	s.finish(e)
}

// Receive handles a message.
func (s *Stepper) Receive(env model.Env, from model.NodeID, m any) {
	e := &step{Env: env}
	s.handle(e, from, m)
	s.finish(e)
}

// finish handles the messages to oneself, once what they depend on is written, gives the application what is committed, and
// sets the alarms.
func (s *Stepper) finish(e *step) {
	for len(e.own) > 0 {
		m := e.own[0]
		e.own = e.own[1:]
		s.handle(e, e.Self(), m)
	}
	for s.Done < s.Commit {
		s.Done++
		e.Env.Note(Applies{s.Done, s.term(s.Done)})
		if s.Log[s.Done-1].Kind != Normal {
			s.switches(e)
		}
	}
	s.ready()
	s.ready() // all of it is written: a crash loses nothing
	s.may(e, Campaigning, s.Role != Leader && s.Left.Campaigns > 0)
	s.may(e, Proposing, s.Role == Leader && s.Left.Proposals > 0)
	s.may(e, Changing, s.Role == Leader && s.Left.Changes > 0)
	s.may(e, Ticking, s.Role == Leader && s.Left.Ticks > 0)
}

// propose proposes a change of the members. If another is not applied yet, an entry without a change is appended.
func (s *Stepper) propose(e *step) {
	change := Entry{Kind: Change, Add: Set(0).with(me(e))}
	change.Remove = s.Conf.Voters &^ change.Add
	if s.Conf.Outgoing != 0 {
		change = Entry{Kind: Leave}
	}
	if s.mayChange(e, true, "") {
		s.Pending = len(s.Log) + 1
	} else {
		change = Entry{}
	}
	s.append(e, change)
}

// may sets an alarm, or cancels it.
func (s *Stepper) may(e *step, act Act, may bool) {
	if may {
		e.After(act, model.Anytime())
	} else {
		e.Cancel(act)
	}
}
