package nack

import "contend/model"

// A NACK, or the retransmission that answers it, may be lost. The lecture has no repetition. Here a process repeats its
// NACK, also if it was suppressed. The last message of a sender is never found missing. So a sender announces the
// number of its last message from time to time.

// Last is a message with the number of its sender's last message.
type Last struct{ Number int }

// session is the alarm at which a sender announces its last message.
type session struct{}

// A TellingProcess announces the number of its last message, repeatedly and forever.
type TellingProcess struct{ EditedProcess }

// Invoke multicasts a message.
func (p *TellingProcess) Invoke(env model.Env, op any) {
	p.EditedProcess.Invoke(env, op)
	p.wait(env)
}

// Receive handles any message.
func (p *TellingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if last, is := m.(Last); is {
		p.miss(env, from, last.Number+1)
		return
	}
	p.EditedProcess.Receive(env, from, m)
}

// Timeout announces the number of the last message, or sends a NACK.
func (p *TellingProcess) Timeout(env model.Env, key any) {
	if _, is := key.(session); !is {
		p.EditedProcess.Timeout(env, key)
		return
	}
	env.Broadcast(p.cfg.Group.Others(env.Self()), Last{p.S})
	p.wait(env)
}

func (p *TellingProcess) wait(env model.Env) {
	env.After(session{}, model.Exactly(2*p.cfg.Delay+1))
}
