//go:build !v35

package main

import (
	"fmt"
	"net/url"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/storage/wal"
)

func shrink(c *embed.Config) {
	wal.SegmentSizeBytes = 16 << 10
	c.SnapshotCatchUpEntries = 2
}

func setURLs(c *embed.Config, peers, peer, clients, client []url.URL) {
	c.ListenPeerUrls, c.AdvertisePeerUrls, c.ListenClientUrls, c.AdvertiseClientUrls = peers, peer, clients, client
}

// hash returns the revision of the store, that of the last compaction, and the hash of the store.
func hash(e *embed.Etcd) (string, error) {
	storage := e.Server.KV().HashStorage()
	if hashes {
		_, _, _ = storage.Hash()
	}
	h, _, err := storage.HashByRev(0)
	return fmt.Sprint(h.Revision, " ", h.CompactRevision, " ", h.Hash), err
}
