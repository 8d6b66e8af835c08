// Package notifications puts the notification log of Prometheus Alertmanager, the library's own
// code, under the search.
//
// Several Alertmanagers receive the same alerts. So that people are told once, each replica keeps a
// log of what was sent to whom, an [nflog.Log], and gossips each new entry to the others: a map with
// one entry for each receiver and group of alerts, of which the one with the later time stamp wins.
// replica.go is all that stands between the library and the search; protocol.go is the workload,
// claims.go what is claimed, variants.go are options and mutants.
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

// A replica is one Alertmanager's log, with the clock that it reads and the file that it keeps.
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

// open makes a log of what a file has.
func (r *replica) open(file []byte) {
	l, err := nflog.New(nflog.Options{
		SnapshotReader: bytes.NewReader(file), Retention: 120 * time.Hour, Metrics: prometheus.NewRegistry(),
	})
	model.Assert(err == nil, "a new log: %v", err)
	foreign.Set(l, "clock", quartz.Clock(r.Clock))
	r.Log = l
	r.gossip()
}

// gossip has the log tell others of entries that are new to it.
func (r *replica) gossip() {
	r.Log.SetBroadcast(func(entry []byte) { r.env.Broadcast(r.cfg.Gossips(r.env.Self()), Gossip(entry)) })
}

// restart is what an Alertmanager does that comes up again: it reads the file of the last one.
func restart(crashed *replica) *replica {
	r := newReplica(crashed.cfg, crashed.File, crashed.Clock)
	r.Joins = true
	return r
}

// Start of one that has come up again joins the others.
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

// during has what the library broadcasts go to the handler's environment, and tells monitors when
// the log has changed.
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

// snapshot names the state of a replica. The messages in the log are protocol buffers, whose dump would
// have what the encoder remembers of them; what counts is what they encode.
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

// A clock is what the replica's clock shows, in seconds after the epoch. It goes only when the
// checker lets it: what may pass between two readings of real clocks is a choice.
type clock struct {
	quartz.Clock
	Reads int
}

func (c *clock) Now(...string) time.Time { return epoch.Add(time.Duration(c.Reads) * time.Second) }
