package payload

import (
	"errors"
	"fmt"

	"github.com/nspcc-dev/dbft"
)

// A Block is a block without transactions.
type Block struct {
	Height  uint32
	Number  uint64 // nonce
	Primary uint   // index of the validator that has proposed it
	Sig     string
}

var _ dbft.Block[Hash] = &Block{}

// A Key is the private and the public key of the validator with that index.
type Key uint16

// Sign returns the signature of a validator for a block.
func Sign(by Key, block Hash) string { return fmt.Sprintf("cn%d signs %s", by, block) }

// Name returns the hash of the block with the nonce that the validator with the index proposes.
func Name(primary uint, number uint64) Hash {
	return Hash(fmt.Sprintf("block %d of cn%d", number, primary))
}

// Hash and the methods after it implement [dbft.Block].
func (b *Block) Hash() Hash { return Name(b.Primary, b.Number) }

// PrevHash implements [dbft.Block].
func (b *Block) PrevHash() Hash { return "" }

// MerkleRoot implements [dbft.Block].
func (b *Block) MerkleRoot() Hash { return "" }

// Index implements [dbft.Block].
func (b *Block) Index() uint32 { return b.Height }

// Signature implements [dbft.Block].
func (b *Block) Signature() []byte { return []byte(b.Sig) }

// Transactions implements [dbft.Block].
func (b *Block) Transactions() []dbft.Transaction[Hash] { return nil }

// SetTransactions implements [dbft.Block].
func (b *Block) SetTransactions([]dbft.Transaction[Hash]) {}

// Sign implements [dbft.Block].
func (b *Block) Sign(key dbft.PrivateKey) error {
	b.Sig = Sign(key.(Key), b.Hash())
	return nil
}

// Verify implements [dbft.Block].
func (b *Block) Verify(key dbft.PublicKey, sign []byte) error {
	if string(sign) != Sign(key.(Key), b.Hash()) {
		return errors.New("it is no signature of the block by that validator")
	}
	return nil
}
