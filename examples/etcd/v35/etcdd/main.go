// Etcdd is the program of the folder of this name above, for the releases v3.5.
package main

import (
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/wal"

	"contend/examples/etcd/serve"
)

func main() {
	wal.SegmentSizeBytes = 16 << 10
	serve.Main(func(c *embed.Config, a serve.Addresses) {
		c.SnapshotCatchUpEntries = 2
		c.LPUrls, c.APUrls, c.LCUrls, c.ACUrls = a.ListenPeer, a.Peer, a.ListenClient, a.Client
	}, func(e *embed.Etcd, commits bool) (is serve.Hash, err error) {
		if commits {
			_, _, _ = e.Server.KV().Hash()
		}
		is.Hash, is.Revision, is.Compacted, err = e.Server.KV().HashByRev(0)
		return is, err
	})
}
