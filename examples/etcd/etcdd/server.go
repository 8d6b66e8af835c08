package main

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
	"go.etcd.io/etcd/server/v3/storage/wal"

	"contend/program/sim"
)

// A server is one of a group.
type server struct {
	snapshots uint64
	etcd      *embed.Etcd
}

// serve runs a server of a group, given the names of all its servers.
func (s *server) serve(names []string) error {
	wal.SegmentSizeBytes = 16 << 10
	c := embed.NewConfig()
	c.Name, c.Dir = sim.Host(), "/data"
	c.LogLevel, c.LogOutputs = "warn", []string{"stderr"}
	c.SnapshotCount, c.SnapshotCatchUpEntries = s.snapshots, 2
	c.QuotaBackendBytes = 200 << 10 // bbolt maps a file of 256 KiB
	c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{at("0.0.0.0", 2380)}, []url.URL{at(c.Name, 2380)}
	c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{at("0.0.0.0", 2379)}, []url.URL{at(c.Name, 2379)}
	var members []string
	for _, name := range names {
		members = append(members, fmt.Sprintf("%s=http://%s:2380", name, name))
	}
	c.InitialCluster = strings.Join(members, ",")
	e, err := embed.StartEtcd(c)
	if err != nil {
		return err
	}
	go calls(v3client.New(e.Server))
	return <-e.Err()
}

func at(host string, port int) url.URL {
	return url.URL{Scheme: "http", Host: fmt.Sprint(host, ":", port)}
}

// patience is how long a call may take.
const patience = 5 * time.Second
