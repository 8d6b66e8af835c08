// Package outside shows the findings with the library alone: it imports no checker. Each test makes
// validators execute the steps of a stored run.
package outside

import (
	"testing"
	"time"

	"contend/examples/dbft/payload"

	"github.com/nspcc-dev/dbft"
)

// height is a height at which cn0 is the primary of view 0, and cn3 the primary of view 1.
const height = 4

// A node is a validator. Its broadcasts are recorded.
type node struct {
	*dbft.DBFT[payload.Hash]
	sent  []payload.Payload
	block payload.Hash // that it has accepted
}

type clock struct{}

func (clock) Now() time.Time                    { return time.Time{} }
func (clock) Reset(uint32, byte, time.Duration) {}
func (clock) Extend(time.Duration)              {}
func (clock) Height() uint32                    { return height }
func (clock) View() byte                        { return 0 }
func (clock) C() <-chan time.Time               { return nil }

type (
	hash    = payload.Hash
	context = dbft.Context[hash]
)

// start starts the validator cn0, cn1, … with that index.
func start(t *testing.T, index int) *node {
	n := &node{}
	core, err := dbft.New(
		dbft.WithTimer[hash](clock{}),
		dbft.WithGetKeyPair[hash](func([]dbft.PublicKey) (int, dbft.PrivateKey, dbft.PublicKey) {
			return index, payload.Key(index), payload.Key(index)
		}),
		dbft.WithGetValidators[hash](func(...dbft.Transaction[hash]) []dbft.PublicKey {
			return []dbft.PublicKey{payload.Key(0), payload.Key(1), payload.Key(2), payload.Key(3)}
		}),
		dbft.WithCurrentHeight[hash](func() uint32 { return height - 1 }),
		dbft.WithCurrentBlockHash[hash](func() hash { return "" }),
		dbft.WithBroadcast[hash](func(p dbft.ConsensusPayload[hash]) { n.sent = append(n.sent, p.(payload.Payload)) }),
		dbft.WithProcessBlock[hash](func(b dbft.Block[hash]) error { n.block = b.Hash(); return nil }),
		dbft.WithNewBlockFromContext[hash](func(c *context) dbft.Block[hash] {
			return &payload.Block{Height: c.BlockIndex, Number: c.Nonce, Primary: c.PrimaryIndex}
		}),
		dbft.WithNewConsensusPayload[hash](func(c *context, _ dbft.MessageType, body any) dbft.ConsensusPayload[hash] {
			if r, is := body.(*payload.Recovery); is {
				body = *r
			}
			return signed(index, c.ViewNumber, body)
		}),
		dbft.WithNewPrepareRequest[hash](func(_, nonce uint64, _ []hash) dbft.PrepareRequest[hash] { return payload.Request{Number: nonce} }),
		dbft.WithNewPrepareResponse[hash](func(to hash) dbft.PrepareResponse[hash] { return payload.Response{To: to} }),
		dbft.WithNewChangeView[hash](func(to byte, why dbft.ChangeViewReason, _ uint64) dbft.ChangeView {
			return payload.Change{New: to, Why: why}
		}),
		dbft.WithNewCommit[hash](func(sign []byte) dbft.Commit { return payload.Commitment{Sign: string(sign)} }),
		dbft.WithNewRecoveryRequest[hash](func(uint64) dbft.RecoveryRequest { return payload.Query{} }),
		dbft.WithNewRecoveryMessage[hash](func() dbft.RecoveryMessage[hash] { return &payload.Recovery{} }),
	)
	if err != nil {
		t.Fatal(err)
	}
	n.DBFT = core
	n.Start(0)
	return n
}

// signed returns a payload of a validator.
func signed(by int, view byte, body any) payload.Payload {
	return payload.Payload{From: uint16(by), Signer: uint16(by), Block: height, View: view, Body: body}
}

// commit returns the Commit of cn0 to a block that it proposes in view 0.
func commit(number uint64) payload.Payload {
	return signed(0, 0, payload.Commitment{Sign: payload.Sign(0, payload.Name(0, number))})
}

// last returns the payload of a type that a node has broadcast last.
func (n *node) last(t *testing.T, of dbft.MessageType) payload.Payload {
	for i := len(n.sent) - 1; i >= 0; i-- {
		if n.sent[i].Type() == of {
			return n.sent[i]
		}
	}
	t.Fatalf("cn%d has sent no %v", n.MyIndex, of)
	return payload.Payload{}
}

// take delivers payloads, in order.
func (n *node) take(all ...payload.Payload) {
	for _, p := range all {
		n.OnReceive(p)
	}
}

// Unverified Commits: cn0, the primary, lies. The three other validators are correct. cn3 receives the
// Commits of cn1 and cn2 before any PrepareRequest, and stores them. The library never verifies them. They
// count for the other block that cn0 proposes to cn3.
func TestCommitsBeforeTheRequestAreNotVerified(t *testing.T) {
	cn1, cn2, cn3 := start(t, 1), start(t, 2), start(t, 3)
	one, two := signed(0, 0, payload.Request{Number: 1}), signed(0, 0, payload.Request{Number: 2})
	cn2.take(one)
	cn1.take(one, cn2.last(t, dbft.PrepareResponseType))
	cn2.take(cn1.last(t, dbft.PrepareResponseType), commit(1), cn1.last(t, dbft.CommitType))
	cn3.take(cn1.last(t, dbft.CommitType), cn2.last(t, dbft.CommitType), two, commit(2))
	if cn2.block != payload.Name(0, 1) || cn3.block != payload.Name(0, 2) {
		t.Errorf("cn2 has accepted %q and cn3 %q: they do not disagree any more", cn2.block, cn3.block)
	}
	valid := 0
	for i, p := range cn3.CommitPayloads {
		if p != nil && string(p.GetCommit().Signature()) == payload.Sign(payload.Key(i), cn3.block) {
			valid++
		}
	}
	if valid != 1 {
		t.Errorf("%d of the Commits that cn3 has are of its block, not 1 of M = 3", valid)
	}
}

// A ChangeView, then a Commit in the same view. The primary cn0 lies and then is silent. cn2 requests view 1,
// and still commits in view 0. Its ChangeView moves cn1 to view 1. Of the three correct validators, no three
// can commit in the same view.
func TestCommitAfterChangeView(t *testing.T) {
	cn1, cn2, cn3 := start(t, 1), start(t, 2), start(t, 3)
	request, change := signed(0, 0, payload.Request{Number: 1}), signed(0, 0, payload.Change{New: 1})
	cn1.take(request)
	cn2.take(change, cn1.last(t, dbft.PrepareResponseType))
	cn2.OnTimeout(height, 0)
	cn1.take(cn2.last(t, dbft.ChangeViewType))
	cn1.OnTimeout(height, 0)
	cn2.take(request)
	cn1.take(change)
	if !cn2.CommitSent() || cn2.ViewNumber != 0 || cn1.ViewNumber != 1 {
		t.Fatalf("cn2 is in view %d, and has committed: %t; cn1 is in view %d", cn2.ViewNumber, cn2.CommitSent(), cn1.ViewNumber)
	}
	goOn(t, cn1, cn2, cn3)
}

// The same lock without a liar, a crash or a lost message: all validators are correct. cn2 requests view 1
// and commits in view 0, and so does cn0. The ChangeView of cn2 moves cn1 and cn3 to view 1. Each view has
// two validators, and a block needs three.
func TestFourCorrectValidatorsLockThemselves(t *testing.T) {
	cn0, cn1, cn2, cn3 := start(t, 0), start(t, 1), start(t, 2), start(t, 3)
	request := cn0.last(t, dbft.PrepareRequestType)
	cn1.take(request)
	cn3.take(request)
	response1, response3 := cn1.last(t, dbft.PrepareResponseType), cn3.last(t, dbft.PrepareResponseType)
	cn2.take(response1, response3)
	cn2.OnTimeout(height, 0)
	for _, n := range []*node{cn1, cn3} {
		n.take(cn2.last(t, dbft.ChangeViewType))
		n.OnTimeout(height, 0)
	}
	cn2.take(request)
	cn0.take(response1, response3)
	cn1.take(cn3.last(t, dbft.ChangeViewType))
	cn3.take(cn1.last(t, dbft.ChangeViewType))
	for i, n := range []*node{cn0, cn1, cn2, cn3} {
		if commits := i%2 == 0; n.CommitSent() != commits || (n.ViewNumber == 0) != commits {
			t.Fatalf("cn%d is in view %d, and has committed: %t", i, n.ViewNumber, n.CommitSent())
		}
	}
	goOn(t, cn0, cn1, cn2, cn3)
}

// goOn delivers all messages and fires all timers, again and again. No block is accepted.
func goOn(t *testing.T, all ...*node) {
	for range 20 {
		for _, n := range all {
			n.OnTimeout(height, n.ViewNumber)
		}
		for _, n := range all {
			sent := n.sent
			for _, to := range all {
				if to != n {
					to.take(sent...)
				}
			}
		}
	}
	for _, n := range all {
		if n.block != "" {
			t.Errorf("cn%d has accepted %s: they are not locked any more", n.MyIndex, n.block)
		}
	}
}
