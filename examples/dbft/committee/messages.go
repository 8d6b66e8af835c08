package committee

import "contend/examples/dbft/payload"

// Payloads travel under types of their own, by what the library calls them, so that the search
// may tell which of them never matter any more: see Stale absorption in docs/proofs/search.md.
type (
	PrepareRequest  struct{ payload.Payload }
	PrepareResponse struct{ payload.Payload }
	Commit          struct{ payload.Payload }
	ChangeView      struct{ payload.Payload }
	RecoveryRequest struct{ payload.Payload }
	RecoveryMessage struct{ payload.Payload }
)

// A carrier is one of them.
type carrier interface{ carried() payload.Payload }

func (m PrepareRequest) carried() payload.Payload  { return m.Payload }
func (m PrepareResponse) carried() payload.Payload { return m.Payload }
func (m Commit) carried() payload.Payload          { return m.Payload }
func (m ChangeView) carried() payload.Payload      { return m.Payload }
func (m RecoveryRequest) carried() payload.Payload { return m.Payload }
func (m RecoveryMessage) carried() payload.Payload { return m.Payload }

func wrap(p payload.Payload) any {
	switch p.Body.(type) {
	case payload.Request:
		return PrepareRequest{p}
	case payload.Response:
		return PrepareResponse{p}
	case payload.Commitment:
		return Commit{p}
	case payload.Change:
		return ChangeView{p}
	case payload.Query:
		return RecoveryRequest{p}
	}
	return RecoveryMessage{p}
}

// What monitors are told of a validator: it proposes a block; it has sent a PrepareRequest or an answer to one, a Commit, a
// ChangeView; it has taken a Commit of the liar; it is in another view; it has accepted the block.
type (
	Proposed struct {
		View  byte
		Block payload.Hash
	}
	Prepared struct {
		View           byte
		Block, Request payload.Hash
	}
	Committed struct {
		View           byte
		Block, Request payload.Hash
	}
	Heard    struct{ View byte }
	Asked    struct{ View byte }
	Entered  struct{ View byte }
	Accepted struct {
		View  byte
		Block payload.Hash
	}
)

// types are those of messages, of what they hold, of alarms and of notes.
var types = []any{
	PrepareRequest{}, PrepareResponse{}, Commit{}, ChangeView{}, RecoveryRequest{}, RecoveryMessage{},
	payload.Request{}, payload.Response{}, payload.Commitment{}, payload.Change{}, payload.Query{}, payload.Recovery{},
	payload.Hash(""), TimedOut{}, Proposed{}, Prepared{}, Heard{}, Committed{}, Asked{}, Entered{}, Accepted{},
}
