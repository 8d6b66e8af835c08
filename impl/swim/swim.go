package swim

import (
	"maps"
	"slices"

	"contend/model"
)

// The messages. For is the member that requested the ping. News is the sender's membership list.
type (
	Ping    struct{ For model.NodeID }
	PingReq struct{ Target model.NodeID }
	Ack     struct{ For, Of model.NodeID }
)

// A Packet is a message with piggybacked news.
type Packet struct {
	Body any
	News map[model.NodeID]Entry
}

// The alarms: a period begins, and the time for a direct answer is over.
type (
	period struct{}
	direct struct{}
)

// A Member is a member of the group.
type Member struct {
	cfg         *Config
	Incarnation int
	Members     map[model.NodeID]Entry // the membership list; members without news are missing
	Unasked     map[model.NodeID]bool  // the members that it has not pinged in this round
	Target      model.Optional[model.NodeID]
	Answered    bool
}

// Start sets the alarm of the first period.
func (m *Member) Start(env model.Env) { env.After(period{}, model.Between(0, m.cfg.Spread)) }

// Timeout implements the steps of the failure detector, and ends a suspicion.
func (m *Member) Timeout(env model.Env, alarm any) {
	switch a := alarm.(type) {
	case period:
		m.judge(env)
		m.probe(env)
	case direct:
		m.ask(env)
	case suspicion:
		m.confirm(env, a.Of)
	}
}

// probe begins a period with a ping of the next member of the list. The order is random in each round.
func (m *Member) probe(env model.Env) {
	env.After(period{}, model.Exactly(m.cfg.Period))
	if m.Target = m.next(env); !m.Target.Known {
		return
	}
	m.Answered = false
	delete(m.Unasked, m.Target.Value)
	m.send(env, m.Target.Value, Ping{env.Self()})
	env.After(direct{}, model.Exactly(m.cfg.Timeout))
}

// next returns the next target, if any member is left.
func (m *Member) next(env model.Env) (none model.Optional[model.NodeID]) {
	left := m.alive(func(id model.NodeID) bool { return m.Unasked[id] })
	if len(left) == 0 {
		left = m.cfg.Rules.Round(m, env)
		for _, id := range left {
			m.Unasked[id] = true
		}
	}
	if len(left) == 0 {
		return none
	}
	return model.Some(left[env.Choose(len(left))])
}

// alive returns the members that are not confirmed as failed and that satisfy a condition.
func (m *Member) alive(is func(model.NodeID) bool) (ids []model.NodeID) {
	for id := range model.NodeID(m.cfg.N) {
		if m.Members[id].State != Failed && is(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// ask sends ping-reqs to k other members if the target has not answered.
func (m *Member) ask(env model.Env) {
	if m.Answered {
		return
	}
	target := m.Target.Value
	helpers := m.alive(func(id model.NodeID) bool { return id != env.Self() && id != target })
	for range min(m.cfg.Helpers, len(helpers)) {
		i := env.Choose(len(helpers))
		m.send(env, helpers[i], PingReq{target})
		helpers = slices.Delete(helpers, i, i+1)
	}
}

// judge ends a period. A target without a direct or indirect answer is unanswered.
func (m *Member) judge(env model.Env) {
	if m.Target.Known && !m.Answered {
		m.cfg.Rules.Unanswered(m, env, m.Target.Value)
	}
	m.Target = model.Optional[model.NodeID]{}
}

// Receive adopts the piggybacked news, and then handles the message.
func (m *Member) Receive(env model.Env, from model.NodeID, packet any) {
	p := packet.(Packet)
	m.learn(env, p.News)
	switch body := p.Body.(type) {
	case Ping:
		m.send(env, from, Ack{body.For, env.Self()})
	case PingReq:
		m.send(env, body.Target, Ping{from})
	case Ack:
		if body.For != env.Self() {
			m.send(env, body.For, body)
		} else if m.Target == model.Some(body.Of) {
			m.Answered = true
			env.Note(Heard{body.Of})
		}
	}
}

func (m *Member) send(env model.Env, to model.NodeID, body any) {
	news := maps.Clone(m.Members)
	if m.Incarnation > 0 {
		if news == nil {
			news = map[model.NodeID]Entry{}
		}
		news[env.Self()] = Entry{Alive, m.Incarnation}
	}
	env.Send(to, Packet{body, news})
}
