package centralized

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// A client that waits for an OK cannot tell a section in use from a coordinator that crashed. The
// workaround, "deny permission explicitly", has each request answered at once. Where messages
// arrive within δ, no answer within 2δ then says that the coordinator has crashed.

// Denied is the answer to a request while the section is in use.
type Denied struct{}

// Again is a request that was denied, made once more.
type Again struct{}

// Silent is what a client notes when it decides that the coordinator has crashed.
type Silent struct{}

// The alarms of a client.
type (
	silence struct{} // no answer has come
	pause   struct{} // until it asks again
)

// deny makes the coordinator deny permission and also queue the request.
var deny = variant.All(listen, page.Edit(`c.Queue = append(c.Queue, from)`, `env.Send(from, Denied{}); c.Queue = append(c.Queue, from)`))

// denyAndRetry makes the coordinator deny permission and forget the request.
var denyAndRetry = variant.All(listen,
	variant.Nodes(func(c ListeningClient) model.Node { return &retryingClient{c} }),
	variant.Nodes(func(c Coordinator) model.Node { return &refusingCoordinator{c} }),
)

// listen makes clients expect an answer at once.
var listen = variant.All(
	variant.Types(Denied{}, Again{}, Silent{}, silence{}, pause{}),
	variant.Nodes(func(c Client) model.Node { return &ListeningClient{c} }),
)

// A ListeningClient decides that the coordinator has crashed when no answer comes.
type ListeningClient struct{ Client }

// Invoke expects an answer to a request.
func (c *ListeningClient) Invoke(env model.Env, op any) {
	c.Client.Invoke(env, op)
	if _, asks := op.(mutex.Acquire); asks {
		env.After(silence{}, model.Exactly(c.cfg.Silence))
	}
}

// Receive takes an answer.
func (c *ListeningClient) Receive(env model.Env, from model.NodeID, m any) {
	env.Cancel(silence{})
	if _, granted := m.(OK); granted {
		c.Client.Receive(env, from, m)
	}
}

// Timeout ends the wait for an answer.
func (c *ListeningClient) Timeout(env model.Env, _ any) { env.Note(Silent{}) }

// A retryingClient asks again when it is denied.
type retryingClient struct{ ListeningClient }

// Receive takes an answer.
func (c *retryingClient) Receive(env model.Env, from model.NodeID, m any) {
	c.ListeningClient.Receive(env, from, m)
	if _, denied := m.(Denied); denied {
		env.After(pause{}, model.Exactly(1))
	}
}

// Timeout asks again, or ends the wait for an answer.
func (c *retryingClient) Timeout(env model.Env, key any) {
	if _, again := key.(pause); !again {
		c.ListeningClient.Timeout(env, key)
		return
	}
	env.Send(c.cfg.Coordinator, Again{})
	env.After(silence{}, model.Exactly(c.cfg.Silence))
}

type refusingCoordinator struct{ Coordinator }

// Receive grants a request or denies it.
func (c *refusingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	_, first := m.(Request)
	_, again := m.(Again)
	switch {
	case !first && !again:
		c.Coordinator.Receive(env, from, m)
	case !c.Inside.Known:
		c.grant(env, from)
	default:
		env.Send(from, Denied{})
		if first {
			env.Note(Queued{from}) // it waits from now on, though in no queue
		}
	}
}
