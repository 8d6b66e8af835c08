// Package outside confirms the findings of the search with the library alone. A test sends a leader's
// requests to a server by hand, over the library's own transport in memory. This package does not use the
// search.
package outside

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hashicorp/raft"
)

// A log is a log that cannot have gaps, like raft-wal or an append-only file.
type log struct{ *raft.InmemStore }

func (log) IsMonotonic() bool { return true }

// A machine does nothing.
type machine struct{}

func (machine) Apply(*raft.Log) any                 { return nil }
func (machine) Snapshot() (raft.FSMSnapshot, error) { return nil, raft.ErrNothingNewToSnapshot }
func (machine) Restore(r io.ReadCloser) error       { return r.Close() }

// A leader is the hand that sends requests to the server.
type leader struct {
	*testing.T
	at     *raft.InmemTransport
	server *raft.Raft
	kept   log
	header raft.RPCHeader
	voters raft.Configuration
}

// lead starts a server of a group of two. The other server leads term 2. The server stores entries 2 to 4,
// and entries up to 3 are committed.
func lead(t *testing.T) *leader {
	here, at := raft.NewInmemTransport("leader")
	there, its := raft.NewInmemTransport("server")
	at.Connect(there, its)
	l := &leader{T: t, at: at, kept: log{raft.NewInmemStore()}, header: raft.RPCHeader{ProtocolVersion: raft.ProtocolVersionMax, ID: []byte("leader"), Addr: []byte(here)}}
	l.voters.Servers = []raft.Server{{ID: "leader", Address: here}, {ID: "server", Address: there}}
	c := raft.DefaultConfig()
	c.LocalID, c.LogOutput = "server", t.Output()
	snapshots := raft.NewInmemSnapshotStore()
	if err := raft.BootstrapCluster(c, l.kept, l.kept, snapshots, its, l.voters); err != nil {
		t.Fatal(err)
	}
	var err error
	if l.server, err = raft.NewRaft(c, machine{}, l.kept, l.kept, snapshots, its); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.server.Shutdown() })
	entries := []*raft.Log{{Index: 2, Term: 2}, {Index: 3, Term: 2}, {Index: 4, Term: 2}}
	if !l.append(1, 1, 3, entries...) {
		t.Fatal("the server refuses the first entries")
	}
	return l
}

// append sends entries with the index and term of their predecessor. It reports whether the server has
// accepted them.
func (l *leader) append(after, term, committed uint64, entries ...*raft.Log) bool {
	l.Helper()
	var answer raft.AppendEntriesResponse
	request := &raft.AppendEntriesRequest{RPCHeader: l.header, Term: 2, PrevLogEntry: after, PrevLogTerm: term, Entries: entries, LeaderCommitIndex: committed}
	if err := l.at.AppendEntries("server", "server", request, &answer); err != nil {
		l.Fatal(err)
	}
	return answer.Success
}

// install sends a snapshot of the first three entries.
func (l *leader) install() {
	l.Helper()
	var answer raft.InstallSnapshotResponse
	request := &raft.InstallSnapshotRequest{RPCHeader: l.header, SnapshotVersion: 1, Term: 2, LastLogIndex: 3, LastLogTerm: 2,
		Configuration: raft.EncodeConfiguration(l.voters), ConfigurationIndex: 1}
	if err := l.at.InstallSnapshot("server", "server", request, &answer, strings.NewReader("")); err != nil || !answer.Success {
		l.Fatal(answer.Success, err)
	}
}

// A server whose log is longer than an installed snapshot deletes its log, and continues as if it still had
// the entries. It refuses the entries after the snapshot.
func TestRefuses(t *testing.T) {
	l := lead(t)
	if !l.append(3, 2, 3) {
		t.Fatal("the server refuses an entry that it has")
	}
	l.install()
	if last, _ := l.kept.LastIndex(); last != 0 || l.server.LastIndex() != 4 {
		t.Errorf("the library has changed: the log ends at %d, and the server says %d", last, l.server.LastIndex())
	}
	if l.append(3, 2, 3) {
		t.Error("the library has changed: what follows the snapshot is taken")
	}
}

// It panics when a leader takes it at its word, and commits the entry that it has deleted.
func TestPanics(t *testing.T) {
	if os.Getenv("PANICS") != "" {
		l := lead(t)
		l.install()
		l.append(4, 2, 4)
		return
	}
	c := exec.Command(os.Args[0], "-test.run=^TestPanics$")
	c.Env = append(os.Environ(), "PANICS=1")
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "panic: log not found") {
		t.Errorf("the library has changed: no panic, but %v\n%s", err, out)
	}
}
