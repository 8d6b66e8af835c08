package outside

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// add starts a server that encrypts its files, adds the stream, and ends the server.
func add(t *testing.T, dir string) error {
	s, err := server.NewServer(&server.Options{JetStream: true, StoreDir: dir, JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: 1 << 24,
		NoSigs: true, DontListen: true, SyncAlways: true, JetStreamKey: "key"})
	require.NoError(t, err)
	s.Start()
	defer s.Shutdown()
	require.True(t, s.ReadyForConnections(time.Minute))
	nc, err := nats.Connect("", nats.InProcessServer(s))
	require.NoError(t, err)
	defer nc.Close()
	js, err := nc.JetStream()
	require.NoError(t, err)
	_, err = js.AddStream(&nats.StreamConfig{Name: "stream", Subjects: []string{"subject"}})
	return err
}

// The server makes the first file of an encrypted stream before the file of its key, and the files meta.* last. A server that is killed after the
// first step leaves an empty file. Then the stream cannot be added, once.
func TestAddEncrypted(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, add(t, dir))
	stream := filepath.Join(dir, "jetstream", "$G", "streams", "stream")
	for _, name := range []string{"meta.inf", "meta.sum", "meta.key", "msgs/index.db", "msgs/1.key"} {
		require.NoError(t, os.Remove(filepath.Join(stream, name)))
	}
	info, err := os.Stat(filepath.Join(stream, "msgs", "1.blk"))
	require.NoError(t, err)
	require.Zero(t, info.Size())
	assert.ErrorContains(t, add(t, dir), "error creating store for stream")
	assert.NoError(t, add(t, dir))
}
