package serve

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"contend/program/sim"
)

// serve runs a server of a group, given the names of all its servers. The sizes are so small that short runs write snapshots.
func (p *program) serve(names []string) error {
	c := embed.NewConfig()
	c.Name, c.Dir = sim.Host(), "/data"
	c.ZapLoggerBuilder = embed.NewZapLoggerBuilder(logger())
	c.SnapshotCount = 10
	c.QuotaBackendBytes = 200 << 10 // bbolt maps a file of 256 KiB
	c.PreVote = true
	p.configure(c, Addresses{at("0.0.0.0", 2380), at(c.Name, 2380), at("0.0.0.0", 2379), at(c.Name, 2379)})
	var members []string
	for _, name := range names {
		members = append(members, fmt.Sprintf("%s=http://%s:2380", name, name))
	}
	c.InitialCluster = strings.Join(members, ",")
	e, err := embed.StartEtcd(c)
	if err != nil {
		return err
	}
	go p.calls(v3client.New(e.Server))
	go p.noteHashes(e)
	return <-e.Err()
}

func at(host string, port int) []url.URL {
	return []url.URL{{Scheme: "http", Host: fmt.Sprint(host, ":", port)}}
}

// logger returns a logger that writes warnings to standard error, and notes when the server becomes the leader of a term.
func logger() *zap.Logger {
	encoder := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	all := zapcore.RegisterHooks(zapcore.NewCore(encoder, zapcore.AddSync(io.Discard), zap.InfoLevel), func(e zapcore.Entry) error {
		if _, term, is := strings.Cut(e.Message, " became leader at term "); is {
			sim.Note("leader " + term)
		}
		return nil
	})
	return zap.New(zapcore.NewTee(zapcore.NewCore(encoder, os.Stderr, zap.WarnLevel), all))
}

// noteHashes notes the hash of the store at each revision that it sees.
func (p *program) noteHashes(e *embed.Etcd) {
	var last Hash
	for ; ; time.Sleep(200 * time.Millisecond) {
		if is, err := p.hash(e, p.hashes); err == nil && is != last {
			sim.Note(fmt.Sprint("hash ", is.Revision, " ", is.Compacted, " ", is.Hash))
			last = is
		}
	}
}
