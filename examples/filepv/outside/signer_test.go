// Package outside confirms the findings of the search with the library alone, on the disk of this machine.
package outside

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cometbft/cometbft/crypto/tmhash"
	"github.com/cometbft/cometbft/privval"
	cmtproto "github.com/cometbft/cometbft/proto/tendermint/types"
	"github.com/cometbft/cometbft/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const chain = "chain"

func files(dir string) (key, state string) {
	return filepath.Join(dir, "key.json"), filepath.Join(dir, "state.json")
}

// vote signs a prevote of a height for a block.
func vote(pv *privval.FilePV, height int64, block string) (*cmtproto.Vote, error) {
	hash := tmhash.Sum([]byte(block))
	v := &cmtproto.Vote{Type: cmtproto.PrevoteType, Height: height, BlockID: cmtproto.BlockID{Hash: hash, PartSetHeader: cmtproto.PartSetHeader{Total: 1, Hash: hash}}}
	return v, pv.SignVote(chain, v)
}

// signTwice signs for two blocks in one step: for the second block with the files that a crash left after the first signature.
func signTwice(t *testing.T, pv *privval.FilePV, crash func() (dir string)) {
	_, err := vote(pv, 3, "A")
	require.NoError(t, err)
	a, err := vote(pv, 4, "A")
	require.NoError(t, err)
	_, err = vote(pv, 4, "B")
	require.ErrorContains(t, err, "conflicting data")
	pv = privval.LoadFilePV(files(crash()))
	assert.EqualValues(t, 3, pv.LastSignState.Height)
	b, err := vote(pv, 4, "B")
	require.NoError(t, err)
	for _, v := range []*cmtproto.Vote{a, b} {
		assert.True(t, pv.Key.PubKey.VerifySignature(types.VoteSignBytes(chain, v), v.Signature))
	}
	assert.NotEqual(t, a.BlockID, b.BlockID)
}

// On ext4 in its default, ordered mode, a loss of power after a signature loses the renaming of the state. So the signer signs twice.
func TestDoubleSignOnExt4(t *testing.T) {
	disk := newDisk(t)
	dir := mount(t, disk, "data=ordered")
	signTwice(t, privval.LoadOrGenFilePV(files(dir)), func() string { return crashed(t, disk, "data=ordered") })
	sync(t, dir)
	pv := privval.LoadFilePV(files(crashed(t, disk, "data=ordered")))
	assert.EqualValues(t, 4, pv.LastSignState.Height, "a sync of the directory is enough")
}

// The same with any file system: the state file before its last renaming is what a crash leaves that loses this renaming.
func TestDoubleSign(t *testing.T) {
	dir, after := t.TempDir(), t.TempDir()
	pv := privval.LoadOrGenFilePV(files(dir))
	_, err := vote(pv, 3, "A")
	require.NoError(t, err)
	require.NoError(t, os.CopyFS(after, os.DirFS(dir)))
	signTwice(t, pv, func() string { return after })
}

// A crash after the key was renamed, and before the state was, leaves a signer that does not start.
func TestKeyWithoutState(t *testing.T) {
	if dir := os.Getenv("DIR"); dir != "" {
		privval.LoadOrGenFilePV(files(dir))
		return
	}
	dir := t.TempDir()
	key, state := files(dir)
	privval.GenFilePV(key, state).Key.Save() // LoadOrGenFilePV saves the state next
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), "DIR="+dir)
	out, err := child.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "state.json: no such file or directory")
}
