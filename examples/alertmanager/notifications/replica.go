// Package notifications model-checks the notification log of Prometheus Alertmanager. It runs the library's
// own code.
//
// Several Alertmanagers receive the same alerts. Each replica has a log of the notifications that were sent,
// an [nflog.Log], so that nobody is notified twice. It gossips each new entry to the other replicas. A log is
// a map with one entry for each receiver and group of alerts. Of two entries the entry with the later time
// stamp wins.
//
// The glue between the library and the search is in replica.go. The workload is in protocol.go, the claims in
// claims.go, the options and mutants in variants.go.
package notifications

import (
	"bytes"
	"fmt"
	"time"

	"contend/model"

	"github.com/coder/quartz"
	"github.com/prometheus/alertmanager/nflog"
	"github.com/prometheus/alertmanager/nflog/nflogpb"
	"github.com/prometheus/client_golang/prometheus"

	"contend/model/foreign"
)

// A replica is the log of an Alertmanager, with its clock and its file.
type replica struct {
	cfg   *Config
	Log   *nflog.Log
	Clock *clock
	File  []byte    // the last snapshot
	Joins bool      // it has come up again
	env   model.Env // of the handler that runs
}

func newReplica(cfg *Config, file []byte, c *clock) *replica {
	r := &replica{cfg: cfg, Clock: c, File: file}
	r.open(file)
	return r
}

// open creates a log from the contents of a file.
func (r *replica) open(file []byte) {
	l, err := nflog.New(nflog.Options{
		SnapshotReader: bytes.NewReader(file), Retention: 120 * time.Hour, Metrics: prometheus.NewRegistry(),
	})
	model.Assert(err == nil, "a new log: %v", err)
	foreign.Set(l, "clock", quartz.Clock(r.Clock))
	r.Log = l
	r.gossip()
}

// gossip makes the log send its new entries to other replicas.
func (r *replica) gossip() {
	r.Log.SetBroadcast(func(entry []byte) { r.env.Broadcast(r.cfg.Gossips(r.env.Self()), Gossip(entry)) })
}

// restart returns a restarted replica. Like an Alertmanager, it reads the file of the previous process.
func restart(crashed *replica) *replica {
	r := newReplica(crashed.cfg, crashed.File, crashed.Clock)
	r.Joins = true
	return r
}

// Start makes a restarted replica join the others.
func (r *replica) Start(env model.Env) {
	if r.Joins {
		r.Joins = false
		if known := view(r); known != (entry{}) {
			env.Note(Knows{known})
		}
		r.cfg.Join(r, env)
	}
}

// Invoke logs that a notification was sent, or writes the file.
func (r *replica) Invoke(env model.Env, op any) {
	defer r.during(env)()
	switch op := op.(type) {
	case Notified:
		r.Clock.Reads = r.cfg.Reading(env, r.Clock.Reads)
		err := r.Log.Log(receiver, group, []uint64{uint64(op.Alerts)}, nil, nil, 0)
		model.Assert(err == nil, "Log: %v", err)
		env.Note(Logged{entry{r.Clock.Reads, op.Alerts}})
	case Maintain:
		var file bytes.Buffer
		_, err := r.Log.Snapshot(&file)
		model.Assert(err == nil, "Snapshot: %v", err)
		r.File = file.Bytes()
	}
	env.Return(nil)
}

// Receive merges what another replica has sent.
func (r *replica) Receive(env model.Env, from model.NodeID, m any) {
	defer r.during(env)()
	switch m := m.(type) {
	case Gossip:
		r.merge(string(m))
	case Join:
		r.merge(string(m))
		all, err := r.Log.MarshalBinary()
		model.Assert(err == nil, "MarshalBinary: %v", err)
		env.Send(from, Gossip(all))
	}
}

func (r *replica) merge(entries string) {
	err := r.cfg.Merge(r, []byte(entries))
	model.Assert(err == nil, "Merge: %v", err)
}

// during redirects the library's broadcasts to the handler's environment. The returned function notifies
// monitors if the log has changed.
func (r *replica) during(env model.Env) (done func()) {
	r.env = env
	before := view(r)
	return func() {
		r.env = nil
		if now := view(r); now != before {
			env.Note(Knows{now})
		}
	}
}

// snapshot returns the name of a replica's state: the encoded messages of the log. A dump of the protocol
// buffers would also contain data that the encoder caches.
func snapshot(r *replica) []byte {
	log, err := r.Log.MarshalBinary()
	model.Assert(err == nil, "MarshalBinary: %v", err)
	return fmt.Appendf(nil, "clock %d\nlog %q\nfile %q\njoins %t\n", r.Clock.Reads, log, r.File, r.Joins)
}

// view reads the log as Alertmanager does.
func view(r *replica) entry {
	found, err := r.Log.Query(nflog.QReceiver(receiver), nflog.QGroupKey(group))
	if err != nil {
		return entry{}
	}
	return asEntry(found[0])
}

func asEntry(e *nflogpb.Entry) entry {
	return entry{At: int(e.Timestamp.AsTime().Sub(epoch) / time.Second), Alerts: int(e.FiringAlerts[0])}
}

const group = "{}"

var (
	receiver = &nflogpb.Receiver{GroupName: "team", Integration: "email"}
	epoch    = time.Unix(1_800_000_000, 0)
)

// A clock is the replica's clock, in seconds after the epoch. Only the checker advances it: the time that
// passes between two readings is a choice.
type clock struct {
	quartz.Clock
	Reads int
}

func (c *clock) Now(...string) time.Time { return epoch.Add(time.Duration(c.Reads) * time.Second) }
