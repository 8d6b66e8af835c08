package inert

import (
	"bytes"
	"fmt"

	"contend/model"

	"github.com/hashicorp/go-msgpack/v2/codec"
	"github.com/hashicorp/memberlist"
)

// messages splits a packet into the messages that it is made of.
func messages(packet []byte) [][]byte {
	if Kind(packet[0]) == crcKind {
		packet = packet[5:]
	}
	if Kind(packet[0]) != compoundKind {
		return [][]byte{packet}
	}
	_, parts, err := decodeCompoundMessage(packet[1:])
	model.Assert(err == nil, "a packet of several messages: %v", err)
	return parts
}

// News is a message's content about a node. A node that leaves announces it itself.
type News struct {
	Name        string
	State       memberlist.NodeStateType
	Incarnation int
}

func (n News) String() string { return fmt.Sprintf("%s %s %d", n.Name, Word(n.State), n.Incarnation) }

// Said returns the content of a gossip message.
func Said(text string) []News {
	switch Kind(text[0]) {
	case AliveKind:
		a := decoded[Alive](text)
		return []News{{a.Node, memberlist.StateAlive, int(a.Incarnation)}}
	case SuspectKind:
		s := decoded[Suspect](text)
		return []News{{s.Node, memberlist.StateSuspect, int(s.Incarnation)}}
	default:
		d := decoded[Dead](text)
		if d.Node == d.From {
			return []News{{d.Node, memberlist.StateLeft, int(d.Incarnation)}}
		}
		return []News{{d.Node, memberlist.StateDead, int(d.Incarnation)}}
	}
}

func decoded[M any](text string) (m M) {
	err := decode([]byte(text[1:]), &m)
	model.Assert(err == nil, "decode: %v", err)
	return m
}

// Exchanged returns the content of one side's message in an exchange of lists.
func Exchanged(text string) []News {
	d := codec.NewDecoder(bytes.NewReader([]byte(text[1:])), &codec.MsgpackHandle{})
	var h header
	err := d.Decode(&h)
	all := make([]News, h.Nodes)
	for i := 0; i < len(all) && err == nil; i++ {
		var p Pushed
		err = d.Decode(&p)
		all[i] = News{p.Name, p.State, int(p.Incarnation)}
	}
	model.Assert(err == nil, "an exchange of lists: %v", err)
	return all
}

// Word returns a state of a node as a word.
func Word(s memberlist.NodeStateType) string {
	return [...]string{"alive", "suspect", "dead", "left"}[s]
}
