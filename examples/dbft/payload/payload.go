// Package payload implements the types that the library leaves to its user: payloads, blocks, hashes and
// keys. They are plain values. A hash is the hashed text itself, and a signature is the signer's name with
// the signed text. Hence nobody can forge a signature, and two texts never have the same hash.
package payload

import (
	"fmt"

	"github.com/nspcc-dev/dbft"
)

// A Hash is the hashed text.
type Hash string

// String implements [dbft.Hash].
func (h Hash) String() string { return string(h) }

// A Payload is a consensus message, signed.
type Payload struct {
	From   uint16 // index of the validator that the payload names as its sender
	Signer uint16 // index of the validator that has signed it
	Block  uint32 // height
	View   byte
	Body   any // one of the types below
}

// The bodies, named as the library's payloads.
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
	// A Recovery is a RecoveryMessage: the signed payloads that its sender has received.
	Recovery struct{ Payloads []Payload }
)

var _ dbft.ConsensusPayload[Hash] = Payload{}

// Genuine reports whether the signer of the payload is the validator that it names.
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

// ViewNumber implements [dbft.ConsensusPayload].
func (p Payload) ViewNumber() byte { return p.View }

// ValidatorIndex implements [dbft.ConsensusPayload].
func (p Payload) ValidatorIndex() uint16 { return p.From }

// Height implements [dbft.ConsensusPayload].
func (p Payload) Height() uint32 { return p.Block }

// Payload implements [dbft.ConsensusPayload].
func (p Payload) Payload() any { return p.Body }

// Hash implements [dbft.ConsensusPayload].
func (p Payload) Hash() Hash { return Hash(fmt.Sprintf("%v of cn%d", p, p.From)) }

// SetValidatorIndex does nothing: a payload is created with the index of its validator.
func (p Payload) SetValidatorIndex(i uint16) {
	if i != p.From {
		panic(fmt.Sprintf("the payload is of validator %d, not %d", p.From, i))
	}
}

// GetChangeView implements [dbft.ConsensusPayload].
func (p Payload) GetChangeView() dbft.ChangeView { return p.Body.(Change) }

// GetPrepareRequest implements [dbft.ConsensusPayload].
func (p Payload) GetPrepareRequest() dbft.PrepareRequest[Hash] { return p.Body.(Request) }

// GetPrepareResponse implements [dbft.ConsensusPayload].
func (p Payload) GetPrepareResponse() dbft.PrepareResponse[Hash] {
	return p.Body.(Response)
}

// GetPreCommit implements [dbft.ConsensusPayload].
func (p Payload) GetPreCommit() dbft.PreCommit { return nil }

// GetCommit implements [dbft.ConsensusPayload].
func (p Payload) GetCommit() dbft.Commit { return p.Body.(Commitment) }

// GetRecoveryRequest implements [dbft.ConsensusPayload].
func (p Payload) GetRecoveryRequest() dbft.RecoveryRequest { return p.Body.(Query) }

// GetRecoveryMessage implements [dbft.ConsensusPayload].
func (p Payload) GetRecoveryMessage() dbft.RecoveryMessage[Hash] {
	r := p.Body.(Recovery)
	return &r
}

// Timestamp returns 0, since the clock does not advance.
func (Request) Timestamp() uint64 { return 0 }

// Nonce implements [dbft.PrepareRequest].
func (r Request) Nonce() uint64 { return r.Number }

// TransactionHashes implements [dbft.PrepareRequest].
func (Request) TransactionHashes() []Hash { return nil }

// PreparationHash implements [dbft.PrepareResponse].
func (r Response) PreparationHash() Hash { return r.To }

// Signature implements [dbft.Commit].
func (c Commitment) Signature() []byte { return []byte(c.Sign) }

// NewViewNumber implements [dbft.ChangeView].
func (c Change) NewViewNumber() byte { return c.New }

// Reason implements [dbft.ChangeView].
func (c Change) Reason() dbft.ChangeViewReason { return c.Why }

// Timestamp implements [dbft.RecoveryRequest].
func (Query) Timestamp() uint64 { return 0 }
