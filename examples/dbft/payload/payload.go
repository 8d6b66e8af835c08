// Package payload has what the library leaves to its user: payloads, blocks, hashes and keys, as
// plain values. A hash is the text of what it is of, and a signature names its signer and what is signed:
// nobody can make one of another's, and no two things have one hash.
package payload

import (
	"fmt"

	"github.com/nspcc-dev/dbft"
)

// A Hash is the text of what it is the hash of.
type Hash string

// String is what the interface of the library asks for.
func (h Hash) String() string { return string(h) }

// A Payload is a consensus message, signed.
type Payload struct {
	From   uint16 // index of the validator that it says it is of
	Signer uint16 // index of the validator that has signed it
	Block  uint32 // height
	View   byte
	Body   any // one of the types below
}

// The bodies, by what the library calls their payloads.
type (
	// A Request is a PrepareRequest: it proposes the block with this nonce.
	Request struct{ Number uint64 }
	// A Response is a PrepareResponse to the PrepareRequest with this hash.
	Response struct{ To Hash }
	// A Commitment is a Commit: a signature of the block.
	Commitment struct{ Sign string }
	// A Change is a ChangeView.
	Change struct {
		New byte
		Why dbft.ChangeViewReason
	}
	// A Query is a RecoveryRequest.
	Query struct{}
	// A Recovery is a RecoveryMessage: what its sender has received, as it was signed.
	Recovery struct{ Payloads []Payload }
)

var _ dbft.ConsensusPayload[Hash] = Payload{}

// Genuine reports whether the payload is signed by the validator that it says it is of.
func (p Payload) Genuine() bool { return p.From == p.Signer }

// Type and the methods after it implement [dbft.ConsensusPayload].
func (p Payload) Type() dbft.MessageType {
	switch p.Body.(type) {
	case Request:
		return dbft.PrepareRequestType
	case Response:
		return dbft.PrepareResponseType
	case Commitment:
		return dbft.CommitType
	case Change:
		return dbft.ChangeViewType
	case Query:
		return dbft.RecoveryRequestType
	}
	return dbft.RecoveryMessageType
}

// ViewNumber is what the interface of the library asks for.
func (p Payload) ViewNumber() byte { return p.View }

// ValidatorIndex is what the interface of the library asks for.
func (p Payload) ValidatorIndex() uint16 { return p.From }

// Height is what the interface of the library asks for.
func (p Payload) Height() uint32 { return p.Block }

// Payload is what the interface of the library asks for.
func (p Payload) Payload() any { return p.Body }

// Hash is what the interface of the library asks for.
func (p Payload) Hash() Hash { return Hash(fmt.Sprintf("%v of cn%d", p, p.From)) }

// SetValidatorIndex has nothing to do: a payload is made with the index of its validator.
func (p Payload) SetValidatorIndex(i uint16) {
	if i != p.From {
		panic(fmt.Sprintf("the payload is of validator %d, not %d", p.From, i))
	}
}

// GetChangeView is what the interface of the library asks for.
func (p Payload) GetChangeView() dbft.ChangeView { return p.Body.(Change) }

// GetPrepareRequest is what the interface of the library asks for.
func (p Payload) GetPrepareRequest() dbft.PrepareRequest[Hash] { return p.Body.(Request) }

// GetPrepareResponse is what the interface of the library asks for.
func (p Payload) GetPrepareResponse() dbft.PrepareResponse[Hash] {
	return p.Body.(Response)
}

// GetPreCommit is what the interface of the library asks for.
func (p Payload) GetPreCommit() dbft.PreCommit { return nil }

// GetCommit is what the interface of the library asks for.
func (p Payload) GetCommit() dbft.Commit { return p.Body.(Commitment) }

// GetRecoveryRequest is what the interface of the library asks for.
func (p Payload) GetRecoveryRequest() dbft.RecoveryRequest { return p.Body.(Query) }

// GetRecoveryMessage is what the interface of the library asks for.
func (p Payload) GetRecoveryMessage() dbft.RecoveryMessage[Hash] {
	r := p.Body.(Recovery)
	return &r
}

// Timestamp is always 0: the clock stands still.
func (Request) Timestamp() uint64 { return 0 }

// Nonce is what the interface of the library asks for.
func (r Request) Nonce() uint64 { return r.Number }

// TransactionHashes is what the interface of the library asks for.
func (Request) TransactionHashes() []Hash { return nil }

// PreparationHash is what the interface of the library asks for.
func (r Response) PreparationHash() Hash { return r.To }

// Signature is what the interface of the library asks for.
func (c Commitment) Signature() []byte { return []byte(c.Sign) }

// NewViewNumber is what the interface of the library asks for.
func (c Change) NewViewNumber() byte { return c.New }

// Reason is what the interface of the library asks for.
func (c Change) Reason() dbft.ChangeViewReason { return c.Why }

// Timestamp is what the interface of the library asks for.
func (Query) Timestamp() uint64 { return 0 }
