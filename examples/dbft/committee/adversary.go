package committee

import (
	"contend/examples/dbft/payload"
	"contend/model"

	"github.com/nspcc-dev/dbft"
)

// forge returns the payloads that a correct validator may receive from the Byzantine one, at any time and any
// number of times. Each receiver may get different payloads. They are all payloads that the Byzantine
// validator can sign, within the bound on views, with one of two blocks for each view.
//
// Three kinds of payloads are omitted, since they add no behavior:
//
//   - a payload of a later view: the library stores it until the receiver enters the view, and the liar may send it then
//   - a payload of an earlier view, except a Commit: the library ignores it
//   - a RecoveryMessage with genuine payloads: the network delivers the payloads of correct validators in any order, and the liar may send its own payloads directly
func (c *Config) forge(receiver model.Node, _, _ model.NodeID) []any {
	at := seen(receiver)
	if at.Block != "" {
		return nil
	}
	all := c.prepares(at.View)
	for view := 0; view <= at.View; view++ {
		all = append(all, c.commits(view)...)
	}
	for to := at.View + 1; to < c.Views; to++ {
		all = append(all, c.lies(to-1, payload.Change{New: byte(to), Why: dbft.CVTimeout}))
	}
	stolen := c.stolen(at.View)
	for _, p := range stolen {
		all = append(all, wrap(p))
	}
	if !c.Unhelped {
		all = append(all, c.lies(at.View, payload.Query{}), c.lies(at.View, payload.Recovery{Payloads: stolen}))
	}
	return all
}

// stolen returns answers to a PrepareRequest that name other validators as senders, but are signed by the
// liar. They have no effect if signatures are verified.
func (c *Config) stolen(view int) []payload.Payload {
	var all []payload.Payload
	for i := range c.Validators {
		if i != c.Liar && i != int(c.primary(view)) {
			all = append(all, payload.Payload{
				From: uint16(i), Signer: uint16(c.Liar), Block: height, View: byte(view), Body: payload.Response{To: c.request(view, number(view, 1)).Hash()},
			})
		}
	}
	return all
}

// prepares returns the liar's PrepareRequests, or its answers to the PrepareRequests that the primary may
// have sent.
func (c *Config) prepares(view int) []any {
	var all []any
	for _, n := range numbers(view) {
		if int(c.primary(view)) == c.Liar {
			all = append(all, c.lies(view, payload.Request{Number: n}))
		} else {
			all = append(all, c.lies(view, payload.Response{To: c.request(view, n).Hash()}))
		}
	}
	return all
}

// commits returns the liar's Commits in a view.
func (c *Config) commits(view int) []any {
	var all []any
	for _, n := range numbers(view) {
		all = append(all, c.lies(view, payload.Commitment{Sign: payload.Sign(payload.Key(c.Liar), payload.Name(c.primary(view), n))}))
	}
	return all
}

// numbers returns the nonces of the blocks that may be proposed in a view.
func numbers(view int) []uint64 { return []uint64{number(view, 1), number(view, 2)} }

// request returns the PrepareRequest of the primary of a view.
func (c *Config) request(view int, number uint64) payload.Payload {
	primary := uint16(c.primary(view))
	return payload.Payload{From: primary, Signer: primary, Block: height, View: byte(view), Body: payload.Request{Number: number}}
}

// lies returns a payload of the liar.
func (c *Config) lies(view int, body any) any {
	me := uint16(c.Liar)
	return wrap(payload.Payload{From: me, Signer: me, Block: height, View: byte(view), Body: body})
}

// primary returns the index of the primary of a view.
func (c *Config) primary(view int) uint {
	n := c.Validators
	return uint(((height-view)%n + n) % n)
}
