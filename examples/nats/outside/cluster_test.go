package outside

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A cluster has three servers. Server i listens for routes at address i.
type cluster struct {
	t         *testing.T
	addresses []string
	always    bool // sync_interval is always
}

func newCluster(t *testing.T, always bool) *cluster {
	c := &cluster{t: t, always: always}
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		c.addresses = append(c.addresses, l.Addr().String())
	}
	return c
}

// start starts a server with its files in a folder.
func (c *cluster) start(i int, dir string) *server.Server {
	address, err := net.ResolveTCPAddr("tcp", c.addresses[i])
	require.NoError(c.t, err)
	s, err := server.NewServer(&server.Options{ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: -1, NoSigs: true, JetStream: true,
		StoreDir: dir, JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: 1 << 24, SyncAlways: c.always,
		Cluster: server.ClusterOpts{Name: "cluster", Host: "127.0.0.1", Port: address.Port},
		Routes:  server.RoutesFromStr("nats://" + strings.Join(c.addresses, ",nats://"))})
	require.NoError(c.t, err)
	s.Start()
	c.t.Cleanup(s.Shutdown)
	return s
}

// do does a step by way of a server, as soon as it succeeds.
func (c *cluster) do(s *server.Server, step func(nats.JetStreamContext) error) {
	nc, err := nats.Connect(s.ClientURL())
	require.NoError(c.t, err)
	defer nc.Close()
	js, err := nc.JetStream()
	require.NoError(c.t, err)
	c.eventually(func() bool { return step(js) == nil })
}

// publish publishes a message, and returns its sequence.
func (c *cluster) publish(s *server.Server, value string) (sequence uint64) {
	c.do(s, func(js nats.JetStreamContext) error {
		ack, err := js.Publish("subject", []byte(strings.Repeat(value, 1200)), nats.MsgId(value))
		if err == nil {
			sequence = ack.Sequence
		}
		return err
	})
	return sequence
}

// has returns the first and the last sequence that a server has in the stream.
func (c *cluster) has(s *server.Server) (sequences [2]uint64) {
	all, err := s.Jsz(&server.JSzOptions{Accounts: true, Streams: true})
	require.NoError(c.t, err)
	for _, account := range all.AccountDetails {
		for _, stream := range account.Streams {
			sequences = [2]uint64{stream.State.FirstSeq, stream.State.LastSeq}
		}
	}
	return sequences
}

func (c *cluster) eventually(is func() bool) {
	require.Eventually(c.t, is, time.Minute, 100*time.Millisecond)
}

// By default neither the stream nor the Raft log is synced, and the kernel writes them in any order. Two servers keep a message in the stream
// and lose its entry in the log. The third server, which was down, takes the next message without it, and never gets it. With sync_interval
// always, it gets the message.
func TestMessageWithoutEntry(t *testing.T) {
	for always, third := range map[bool][2]uint64{false: {2, 2}, true: {1, 2}} {
		c := newCluster(t, always)
		var disks, dirs []string
		var servers [3]*server.Server
		for i := range servers {
			disks = append(disks, newDisk(t))
			dirs = append(dirs, mount(t, disks[i], "data=ordered"))
			servers[i] = c.start(i, dirs[i])
		}
		c.do(servers[0], func(js nats.JetStreamContext) error {
			_, err := js.AddStream(&nats.StreamConfig{Name: "stream", Subjects: []string{"subject"}, Replicas: 3})
			return err
		})
		for i, s := range servers {
			c.eventually(func() bool { return s.JetStreamIsStreamCurrent("$G", "stream") })
			require.NoError(t, exec.Command("sync", "-f", dirs[i]).Run())
		}
		servers[2].Shutdown()
		require.EqualValues(t, 1, c.publish(servers[0], "one"))
		for i := range 2 {
			c.sync(filepath.Join(dirs[i], "jetstream", "$G", "streams", "stream", "msgs", "1.blk"))
			dirs[i] = crashed(t, disks[i], "data=ordered")
		}
		servers[0].Shutdown()
		servers[1].Shutdown()
		servers[0], servers[1] = c.start(0, dirs[0]), c.start(1, dirs[1])
		c.eventually(func() bool {
			return servers[0].JetStreamIsStreamLeader("$G", "stream") || servers[1].JetStreamIsStreamLeader("$G", "stream")
		})
		servers[2] = c.start(2, dirs[2])
		require.EqualValues(t, 2, c.publish(servers[0], "two"))
		for i, want := range [][2]uint64{{1, 2}, {1, 2}, third} {
			c.eventually(func() bool { return c.has(servers[i])[1] == 2 })
			assert.Equal(t, want, c.has(servers[i]), "server %d, always: %v", i, always)
		}
	}
}

// sync syncs a file as soon as it has contents, as the kernel does at some time.
func (c *cluster) sync(name string) {
	f, err := os.Open(name)
	require.NoError(c.t, err)
	defer f.Close()
	c.eventually(func() bool {
		info, err := f.Stat()
		return err == nil && info.Size() > 0
	})
	require.NoError(c.t, f.Sync())
}
