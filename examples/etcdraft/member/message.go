package member

import (
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
)

// A Message is a message of the library as it travels, marshalled: a plain value.
type Message string

func encode(m raftpb.Message) Message {
	b, err := m.Marshal()
	check(err)
	return Message(b)
}

func (m Message) decode() raftpb.Message {
	var is raftpb.Message
	check(is.Unmarshal([]byte(m)))
	return is
}

// String is the message as the library describes it.
func (m Message) String() string {
	var is raftpb.Message
	if err := is.Unmarshal([]byte(m)); err != nil {
		return "no message: " + err.Error()
	}
	return raft.DescribeMessage(is, nil)
}

// check panics with what storage or encoding refuses: it would be a mistake of this package,
// or of a mutant.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
