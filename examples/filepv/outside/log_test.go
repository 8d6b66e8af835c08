package outside

import (
	"os"
	"path/filepath"
	"testing"
	_ "unsafe" // for linkname

	"github.com/cometbft/cometbft/consensus"
	cmtos "github.com/cometbft/cometbft/libs/os"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:linkname repairWalFile github.com/cometbft/cometbft/consensus.repairWalFile
func repairWalFile(src, dst string) error

// torn makes a log that ends heights 1 and 2, each synced, and has a part of another message.
func torn(t *testing.T, dir string, part int) (file string) {
	file = filepath.Join(dir, "wal")
	wal := start(t, file)
	require.NoError(t, wal.WriteSync(consensus.EndHeightMessage{Height: 1}))
	require.NoError(t, wal.WriteSync(consensus.EndHeightMessage{Height: 2}))
	require.NoError(t, wal.Stop())
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(b, b[:part]...), 0o600))
	sync(t, file)
	return file
}

func start(t *testing.T, file string) *consensus.BaseWAL {
	wal, err := consensus.NewWAL(file)
	require.NoError(t, err)
	require.NoError(t, wal.Start())
	t.Cleanup(func() { _ = wal.Stop() })
	return wal
}

// ends reports whether a log ends a height, and returns what the decoder says at the end of the log.
func ends(t *testing.T, wal *consensus.BaseWAL, height int64) (found bool, end error) {
	r, found, err := wal.SearchForEndHeight(height, &consensus.WALSearchOptions{IgnoreDataCorruptionErrors: true})
	require.NoError(t, err)
	if !found {
		return false, nil
	}
	defer r.Close()
	for d := consensus.NewWALDecoder(r); end == nil; {
		_, end = d.Decode()
	}
	return true, end
}

// The decoder says that a torn header is corrupted, so that the consensus repairs the log. In v0.38.26 this test fails: the decoder says that the
// log ends there. So the consensus appends, and does not find what it has synced.
func TestTornHeader(t *testing.T) {
	wal := start(t, torn(t, t.TempDir(), 1))
	found, end := ends(t, wal, 2)
	assert.True(t, found)
	if !assert.True(t, consensus.IsDataCorruptionError(end), "%v", end) {
		require.NoError(t, wal.WriteSync(consensus.EndHeightMessage{Height: 3}))
		found, _ = ends(t, wal, 3)
		assert.True(t, found, "what was appended and synced is lost")
	}
}

// A log is made with the end of height 0. If a crash leaves a part of this first message, no height has ended. The consensus does not repair such a log: by its
// code it logs that the log does not contain the end, and goes on. What it appends and syncs is not found.
func TestTornFirstMessage(t *testing.T) {
	for part, want := range map[int]bool{0: true, 11: false} {
		file := filepath.Join(t.TempDir(), "wal")
		require.NoError(t, start(t, file).Stop())
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, b[:part], 0o600))
		wal := start(t, file)
		require.NoError(t, wal.WriteSync(consensus.EndHeightMessage{Height: 1}))
		found, _ := ends(t, wal, 1)
		assert.Equal(t, want, found, "%d bytes", part)
	}
}

// A crash after a log was repaired loses what was synced before, unless the file system treats a truncation with care. By default ext4 begins to write the
// file when it is closed, so that the log is nearly always kept.
func TestRepair(t *testing.T) {
	for _, options := range []string{"noauto_da_alloc", "auto_da_alloc"} {
		disk := newDisk(t)
		dir := mount(t, disk, options)
		file := torn(t, dir, 5)
		require.NoError(t, cmtos.CopyFile(file, file+".CORRUPTED"))
		require.NoError(t, repairWalFile(file+".CORRUPTED", file))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "other"), nil, 0o600))
		sync(t, filepath.Join(dir, "other")) // another program commits the journal
		found, _ := ends(t, start(t, filepath.Join(crashed(t, disk, options), "wal")), 2)
		t.Log(options, found)
		assert.False(t, found && options == "noauto_da_alloc")
	}
}
