package member

import (
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
)

// A Message is a message of the library as it travels, marshalled: a plain value.
type Message string

// Each kind of message has its own type, named as in the library. Hence the search can determine which
// messages never matter any more. See Stale absorption in docs/proofs/search.md.
type (
	MsgApp           struct{ Message }
	MsgAppResp       struct{ Message }
	MsgAppReject     struct{ Message } // a MsgAppResp that rejects
	MsgVote          struct{ Message }
	MsgVoteResp      struct{ Message }
	MsgPreVote       struct{ Message }
	MsgPreVoteResp   struct{ Message }
	MsgHeartbeat     struct{ Message }
	MsgHeartbeatResp struct{ Message }
	MsgSnap          struct{ Message }
	MsgProp          struct{ Message }
	MsgReadIndex     struct{ Message }
	MsgReadIndexResp struct{ Message }
)

// messages lists the types.
var messages = []any{
	Message(""), MsgApp{}, MsgAppResp{}, MsgAppReject{}, MsgVote{}, MsgVoteResp{}, MsgPreVote{}, MsgPreVoteResp{},
	MsgHeartbeat{}, MsgHeartbeatResp{}, MsgSnap{}, MsgProp{}, MsgReadIndex{}, MsgReadIndexResp{},
}

// encode marshals a message.
func encode(m raftpb.Message) any {
	b, err := m.Marshal()
	check(err)
	return typed(m, Message(b))
}

func typed(m raftpb.Message, is Message) any {
	switch m.Type {
	case raftpb.MsgApp:
		return MsgApp{is}
	case raftpb.MsgAppResp:
		if m.Reject {
			return MsgAppReject{is}
		}
		return MsgAppResp{is}
	case raftpb.MsgVote:
		return MsgVote{is}
	case raftpb.MsgVoteResp:
		return MsgVoteResp{is}
	case raftpb.MsgPreVote:
		return MsgPreVote{is}
	case raftpb.MsgPreVoteResp:
		return MsgPreVoteResp{is}
	case raftpb.MsgHeartbeat:
		return MsgHeartbeat{is}
	case raftpb.MsgHeartbeatResp:
		return MsgHeartbeatResp{is}
	case raftpb.MsgSnap:
		return MsgSnap{is}
	case raftpb.MsgProp:
		return MsgProp{is}
	case raftpb.MsgReadIndex:
		return MsgReadIndex{is}
	case raftpb.MsgReadIndexResp:
		return MsgReadIndexResp{is}
	}
	return is
}

// decode returns the library's message.
func decode(m any) raftpb.Message { return m.(interface{ decode() raftpb.Message }).decode() }

func (m Message) decode() raftpb.Message {
	var is raftpb.Message
	check(is.Unmarshal([]byte(m)))
	return is
}

// String returns the library's description of the message.
func (m Message) String() string {
	var is raftpb.Message
	if err := is.Unmarshal([]byte(m)); err != nil {
		return "no message: " + err.Error()
	}
	return raft.DescribeMessage(is, nil)
}

// check panics if storage or encoding returns an error. Such an error is a mistake of this package, or of a
// mutant.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
