// Package raft is the library from v3.7 on, with the types of v3.6.0. In v3.6.0 messages, entries and states
// are values. From v3.7 on they are protobuf messages behind pointers. Both have the same encoding, and the
// package converts them by it.
package raft

import (
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"
	"google.golang.org/protobuf/proto"

	old "contend/examples/etcdraft/raftpb"
)

// The types that are equal in both.
type (
	Config    = raft.Config
	SoftState = raft.SoftState
	ReadState = raft.ReadState
	Entry     = raftpb.Entry
)

// The constants that are the same in both.
const (
	ReadOnlyLeaseBased = raft.ReadOnlyLeaseBased
	SnapshotFinish     = raft.SnapshotFinish
	StateLeader        = raft.StateLeader
	LocalAppendThread  = raft.LocalAppendThread
	LocalApplyThread   = raft.LocalApplyThread
)

// MemoryStorage is the library's.
type MemoryStorage struct{ *raft.MemoryStorage }

// NewMemoryStorage makes one.
func NewMemoryStorage() *MemoryStorage { return &MemoryStorage{raft.NewMemoryStorage()} }

func (s *MemoryStorage) InitialState() (old.HardState, old.ConfState, error) {
	h, c, err := s.MemoryStorage.InitialState()
	return down[old.HardState](h), down[old.ConfState](c), err
}

func (s *MemoryStorage) Entries(lo, hi, size uint64) ([]old.Entry, error) {
	e, err := s.MemoryStorage.Entries(lo, hi, size)
	return Entries(e), err
}

func (s *MemoryStorage) Snapshot() (old.Snapshot, error) {
	is, err := s.MemoryStorage.Snapshot()
	return down[old.Snapshot](is), err
}

func (s *MemoryStorage) SetHardState(h old.HardState) error {
	return s.MemoryStorage.SetHardState(up(&h, &raftpb.HardState{}))
}

func (s *MemoryStorage) ApplySnapshot(is old.Snapshot) error {
	return s.MemoryStorage.ApplySnapshot(up(&is, &raftpb.Snapshot{}))
}

func (s *MemoryStorage) CreateSnapshot(i uint64, c *old.ConfState, data []byte) (old.Snapshot, error) {
	is, err := s.MemoryStorage.CreateSnapshot(i, up(c, &raftpb.ConfState{}), data)
	return down[old.Snapshot](is), err
}

func (s *MemoryStorage) Append(entries []old.Entry) error {
	var all []*raftpb.Entry
	for i := range entries {
		all = append(all, up(&entries[i], &raftpb.Entry{}))
	}
	return s.MemoryStorage.Append(all)
}

// RawNode is the library's.
type RawNode struct{ *raft.RawNode }

// NewRawNode makes one.
func NewRawNode(c *Config) (*RawNode, error) {
	n, err := raft.NewRawNode(c)
	return &RawNode{n}, err
}

// Ready contains the work that the library requests.
type Ready struct {
	*SoftState
	old.HardState
	ReadStates                []ReadState
	Entries, CommittedEntries []old.Entry
	Snapshot                  old.Snapshot
	Messages                  []old.Message
}

func (n *RawNode) Ready() Ready {
	rd := n.RawNode.Ready()
	return Ready{
		SoftState: rd.SoftState, HardState: down[old.HardState](rd.HardState), ReadStates: rd.ReadStates,
		Entries: Entries(rd.Entries), CommittedEntries: Entries(rd.CommittedEntries),
		Snapshot: down[old.Snapshot](rd.Snapshot), Messages: all[old.Message](rd.Messages),
	}
}

// Advance makes no use of the Ready, and has not since v3.6.0.
func (n *RawNode) Advance(Ready) { n.RawNode.Advance(raft.Ready{}) }

func (n *RawNode) Step(m old.Message) error { return n.RawNode.Step(up(&m, &raftpb.Message{})) }

func (n *RawNode) ProposeConfChange(c old.ConfChangeI) error {
	return n.RawNode.ProposeConfChange(change(c))
}

func (n *RawNode) ApplyConfChange(c old.ConfChangeI) *old.ConfState {
	is := down[old.ConfState](n.RawNode.ApplyConfChange(change(c)))
	return &is
}

func change(c old.ConfChangeI) raftpb.ConfChangeI {
	if v1, ok := c.AsV1(); ok {
		return up(&v1, &raftpb.ConfChange{})
	}
	v2 := c.AsV2()
	return up(&v2, &raftpb.ConfChangeV2{})
}

// BasicStatus is a peer's status.
type BasicStatus struct {
	ID uint64
	old.HardState
	SoftState
	Applied, LeadTransferee uint64
}

// Status is a peer's status, with a leader's knowledge of the others.
type Status struct {
	BasicStatus
	Progress map[uint64]tracker.Progress
}

func (n *RawNode) BasicStatus() BasicStatus {
	s := n.RawNode.BasicStatus()
	return BasicStatus{s.ID, down[old.HardState](s.HardState), s.SoftState, s.Applied, s.LeadTransferee}
}

func (n *RawNode) Status() Status { return Status{n.BasicStatus(), n.RawNode.Status().Progress} }

func IsEmptySnap(s old.Snapshot) bool { return s.Metadata.Index == 0 }

func IsEmptyHardState(h old.HardState) bool { return h == old.HardState{} }

func DescribeMessage(m old.Message, f raft.EntryFormatter) string {
	return raft.DescribeMessage(up(&m, &raftpb.Message{}), f)
}

// Entries converts entries.
func Entries(e []*raftpb.Entry) []old.Entry { return all[old.Entry](e) }

func all[T any, P decodes[T], M proto.Message](of []M) (to []T) {
	for _, m := range of {
		to = append(to, down[T, P](m))
	}
	return to
}

type decodes[T any] interface {
	*T
	Unmarshal([]byte) error
}

// down converts a message of the library.
func down[T any, P decodes[T]](m proto.Message) (is T) {
	b, err := proto.Marshal(proto.Clone(m)) // Marshal stores the size in the message
	check(err)
	check(P(&is).Unmarshal(b))
	return is
}

// up converts to a message of the library.
func up[M proto.Message](is interface{ Marshal() ([]byte, error) }, m M) M {
	b, err := is.Marshal()
	check(err)
	check(proto.Unmarshal(b, m))
	return m
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
