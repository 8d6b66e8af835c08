// Etcdd is a server of etcd, go.etcd.io/etcd/server/v3, or a client of such servers.
//
//	etcdd [flags] serve NAME...
//	etcdd [flags] client NAME...
package main

import (
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/storage/wal"

	"contend/examples/etcd/serve"
)

func main() {
	wal.SegmentSizeBytes = 16 << 10
	serve.Main(func(c *embed.Config, a serve.Addresses) {
		c.SnapshotCatchUpEntries = 2
		c.ListenPeerUrls, c.AdvertisePeerUrls = a.ListenPeer, a.Peer
		c.ListenClientUrls, c.AdvertiseClientUrls = a.ListenClient, a.Client
	}, func(e *embed.Etcd, commits bool) (is serve.Hash, err error) {
		storage := e.Server.KV().HashStorage()
		if commits {
			_, _, _ = storage.Hash()
		}
		h, _, err := storage.HashByRev(0)
		return serve.Hash{Revision: h.Revision, Compacted: h.CompactRevision, Hash: h.Hash}, err
	})
}
