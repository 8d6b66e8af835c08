package oracle_test

import (
	"contend/lab/oracle"
	"contend/model"
)

func surely(against model.Adversary) model.Claim {
	c := notes(model.AlmostSurely, 1)
	c.Against = against
	return c
}

// draws draws again each tick, until it notes 1.
func draws() *model.System {
	return system(node("a", model.Peer, puppet{
		start: func(_ *puppet, env model.Env) { env.After("ring", model.Exactly(1)) },
		timeout: func(_ *puppet, env model.Env, _ any) {
			if env.Draw(2) == 0 {
				env.Note(1)
			} else {
				env.After("ring", model.Exactly(1))
			}
		},
	}))
}

// guesses sleeps a while that is drawn, again and again, until the adversary has guessed
// wrong whether it is short or long; one in between the adversary may call either.
func guesses() *model.System {
	round := func(p *puppet, env model.Env) {
		p.S = 0
		env.Send(0, 0)
		env.After("sleep", model.Uniform(1, 3))
		env.After("middle", model.Exactly(2))
	}
	s := system(node("a", model.Peer, puppet{
		start:   round,
		receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) { p.S = 1 + env.Choose(2) },
		timeout: func(p *puppet, env model.Env, key any) {
			switch {
			case key == "middle":
				p.S += 2
			case p.S == 2 || p.S == 3: // short though it was guessed long, or long though short
				env.Note(1)
				env.Cancel("middle")
				p.S = 9
			default:
				round(p, env)
			}
		},
	}))
	s.Network.Delay = model.Exactly(0)
	return s
}

// races sends two messages, again and again, until the first comes first.
func races() *model.System {
	round := func(p *puppet, env model.Env) {
		p.S = 0
		env.Send(0, 1)
		env.Send(0, 2)
	}
	return system(node("a", model.Peer, puppet{
		start: round,
		receive: func(p *puppet, env model.Env, _ model.NodeID, m any) {
			switch {
			case p.S == 0:
				p.S = m.(int)
			case p.S == 1:
				env.Note(1)
				p.S = 9
			case p.S == 2:
				env.After("again", model.Exactly(1))
			}
		},
		timeout: func(p *puppet, env model.Env, _ any) { round(p, env) },
	}))
}

// Coins, and nodes that know some of their results.
func surelyCases() []obvious {
	grid := func(v oracle.Verdict) map[model.Reading]oracle.Verdict { return in(v, model.Grid) }
	return []obvious{
		{"a draw comes out some time", draws(), surely(model.Adaptive), grid(oracle.Holds)},
		{"a choice need not", chooses(2, false), surely(model.Adaptive), grid(oracle.Violated)},
		{"nor against nonadaptive adversaries", chooses(2, false), surely(model.Nonadaptive), grid(oracle.Violated)},
		{"who does not foresee guesses wrong", guesses(), surely(model.Adaptive), grid(oracle.Holds)},
		{"who foresees never does", guesses(), surely(model.Foreseeing), grid(oracle.Violated)},
		{"who adapts wins each race", races(), surely(model.Adaptive), grid(oracle.Violated)},
		{"who does not loses some time", races(), surely(model.Nonadaptive), grid(oracle.Holds)},
		{"a cut leaves it open", cutAt(system(node("a", model.Peer, puppet{
			start:   func(_ *puppet, env model.Env) { env.After("ring", model.Exactly(1)) },
			timeout: func(p *puppet, env model.Env, _ any) { p.S++; env.Note(1) },
		})), 1), surely(model.Adaptive), grid(oracle.Open)},
	}
}
