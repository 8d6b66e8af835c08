package committee

import "contend/examples/dbft/payload"

// Each kind of payload has its own message type, named as in the library. Hence the search can determine
// which messages never matter any more. See Stale absorption in docs/proofs/search.md.
type (
	PrepareRequest  struct{ payload.Payload }
	PrepareResponse struct{ payload.Payload }
	Commit          struct{ payload.Payload }
	ChangeView      struct{ payload.Payload }
	RecoveryRequest struct{ payload.Payload }
	RecoveryMessage struct{ payload.Payload }
)

// A carrier is a message with a payload.
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

// The notes of a validator to monitors. It proposes a block. It has sent a PrepareRequest or an answer to a
// PrepareRequest, a Commit, a ChangeView. It has received a Commit of the liar. It has entered another view.
// It has accepted the block.
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

// types are the types of messages, of their contents, of alarms and of notes.
var types = []any{
	PrepareRequest{}, PrepareResponse{}, Commit{}, ChangeView{}, RecoveryRequest{}, RecoveryMessage{},
	payload.Request{}, payload.Response{}, payload.Commitment{}, payload.Change{}, payload.Query{}, payload.Recovery{},
	payload.Hash(""), TimedOut{}, Proposed{}, Prepared{}, Heard{}, Committed{}, Asked{}, Entered{}, Accepted{},
}
