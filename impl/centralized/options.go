package centralized

import (
	"contend/model"
	"contend/model/variant"
)

var options = []model.Variant{
	{
		Name: "deny", Title: "problems: permission is denied explicitly, and the request is queued",
		Edit: deny, Show: two,
	},
	{
		Name: "deny-and-retry", Title: "problems: permission is denied explicitly, and the client asks again",
		Edit: denyAndRetry, Show: model.Check{Config: sized(2, 2)},
		Unclaimed: []string{"bounded overtaking", "happened-before order"},
		Waives:    map[string][]model.Assumption{"completeness": {model.NoCrash}},
	},
	{
		Name: "stable", Title: "the coordinator has stable storage and recognises duplicates",
		Edit: number, Show: again,
		Waives: map[string][]model.Assumption{
			"mutual exclusion": {model.NoMemoryLoss}, "lock": {model.NoMemoryLoss},
			"bounded overtaking": {model.NoMemoryLoss}, "a recovery is survived": {model.NoMemoryLoss},
		},
	},
	{
		Name: "no-other-fifo", Title: `"no other process" does not count the process that asks; channels are FIFO`,
		Edit: variant.All(variant.Channel(model.FIFO), page.Edit(`if !c.Inside.Known {`, `if !c.Inside.Known || c.Inside.Value == from {`)), Show: again,
	},
	{
		Name: "announces", Title: "the coordinator tells all clients whom it lets in",
		Edit: variant.All(announce, variant.Nodes(func(c Client) model.Node { return &choosyClient{c} })), Show: two,
	},
	{
		Name: "checks-holder", Title: "the coordinator ignores a Release of a client that it has not let in",
		Edit: page.Edit(`case Release:`, `case Release: if c.Inside != model.Some(from) { return }`), Show: again,
	},
	{
		Name: "marks-after-sending", Title: "the coordinator sends the OK before it marks the section as in use",
		Edit: page.Edit(`c.Inside = model.Some(to); env.Send(to, OK{})`, `env.Send(to, OK{}); c.Inside = model.Some(to)`), Show: again,
	},
	{
		Name: "any-of-queue", Title: "the coordinator serves any process of its queue",
		Edit: page.Edit(`next := c.Queue[0]; c.Queue = c.Queue[1:]`,
			`i := env.Choose(len(c.Queue)); next := c.Queue[i]; c.Queue = slices.Concat(c.Queue[:i], c.Queue[i+1:])`), Show: again,
		Unclaimed: []string{"bounded overtaking", "happened-before order"},
	},
}

// again is a check in which clients ask again.
var again = model.Check{Config: sized(3, 2)}

// Granted is the OK of a coordinator that tells everybody whom it lets in.
type Granted struct{ To model.NodeID }

// announce makes the coordinator tell everybody.
var announce = variant.All(variant.Types(Granted{}), page.Edit(`env.Send(to, OK{})`, `env.Broadcast(c.cfg.Clients, Granted{to})`))

type choosyClient struct{ Client }

// Receive takes an OK that is meant for this client.
func (c *choosyClient) Receive(env model.Env, from model.NodeID, m any) {
	if m.(Granted).To == env.Self() {
		c.Client.Receive(env, from, m)
	}
}
