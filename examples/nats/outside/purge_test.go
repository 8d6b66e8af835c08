// Package outside confirms the findings of the search with the library alone, on the disk of this machine.
package outside

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// start starts a server that syncs each write.
func start(t *testing.T, dir string) nats.JetStreamContext {
	s, err := server.NewServer(&server.Options{JetStream: true, StoreDir: dir, JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: 1 << 24,
		NoSigs: true, DontListen: true, SyncAlways: true})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	require.True(t, s.ReadyForConnections(time.Minute))
	nc, err := nats.Connect("", nats.InProcessServer(s))
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	js, err := nc.JetStream()
	require.NoError(t, err)
	return js
}

// publish publishes 12 messages to a stream with 4 messages in a file.
func publish(t *testing.T, js nats.JetStreamContext) {
	_, err := js.AddStream(&nats.StreamConfig{Name: "stream", Subjects: []string{"subject"}, MaxBytes: 120_000})
	require.NoError(t, err)
	for i := range uint64(12) {
		ack, err := js.Publish("subject", []byte(strings.Repeat("value ", 1200)))
		require.NoError(t, err)
		require.Equal(t, i+1, ack.Sequence)
	}
}

// messages returns the number of messages.
func messages(t *testing.T, js nats.JetStreamContext) uint64 {
	info, err := js.StreamInfo("stream")
	require.NoError(t, err)
	return info.State.Msgs
}

// Neither a purge up to the first message of a file nor a purge of all messages is synced. A loss of power brings the messages back, but for
// the last message after a purge of all, also on
// ext4. Other purges write a tombstone. Its sync commits the removal of files, too.
func TestPurge(t *testing.T) {
	for _, c := range []struct{ before, left, after uint64 }{{5, 8, 12}, {6, 7, 7}, {0, 0, 11}} {
		disk := newDisk(t)
		dir := mount(t, disk, "data=ordered")
		js := start(t, dir)
		publish(t, js)
		require.NoError(t, js.PurgeStream("stream", &nats.StreamPurgeRequest{Sequence: c.before}))
		require.Equal(t, c.left, messages(t, js))
		after := start(t, crashed(t, disk, "data=ordered"))
		assert.Equal(t, c.after, messages(t, after), "purged up to %d", c.before)
	}
}
