package live

import (
	"bytes"
	"encoding/json"
	"fmt"

	"contend/model"
	"contend/model/value"
)

// A frame is a line between a node and the hub.
type frame struct {
	// Token and Node are the first frame of a node.
	Token string `json:"token,omitempty"`
	Node  int    `json:"node,omitempty"`
	// Begin is the hub's first frame: the start of the run, as a Unix time in nanoseconds.
	Begin int64 `json:"begin,omitempty"`
	// To, Sent and Message are a message from a node.
	To int `json:"to,omitempty"`
	// From, Sent and Message are a message to a node. A Lie has no Message: the receiver draws one among those that the
	// page permits then.
	From    int             `json:"from,omitempty"`
	Sent    int64           `json:"sent,omitempty"`
	Message json.RawMessage `json:"message,omitempty"`
	Lie     bool            `json:"lie,omitempty"`
	// ID is the number of a message to a node, from 1. The node returns it once the message is in the node's log.
	ID  int64 `json:"id,omitempty"`
	Ack int64 `json:"ack,omitempty"`
}

// readFrame decodes a frame between nodes of a system of the given size. The error is one sentence.
func readFrame(line []byte, nodes int) (f frame, err error) {
	if len(line) >= maxLine {
		return f, fmt.Errorf("a frame has %d bytes, but may have %d", len(line), maxLine-1)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil || d.More() {
		return frame{}, fmt.Errorf("%.60q is not a frame", line)
	}
	for _, x := range []struct {
		name string
		id   int
	}{{"node", f.Node}, {"to", f.To}, {"from", f.From}} {
		if x.id < 0 || x.id >= nodes {
			return frame{}, fmt.Errorf("%s is %d, but must be 0 to %d", x.name, x.id, nodes-1)
		}
	}
	for _, x := range []struct {
		name string
		v    int64
	}{{"begin", f.Begin}, {"sent", f.Sent}, {"id", f.ID}, {"ack", f.Ack}} {
		if x.v < 0 {
			return frame{}, fmt.Errorf("%s is %d, but must be 0 or more", x.name, x.v)
		}
	}
	return f, nil
}

// line returns the frame with its end.
func (f frame) line() ([]byte, error) {
	raw, err := json.Marshal(f)
	return append(raw, '\n'), err
}

// typed is the JSON of a value with its type.
type typed struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// shown returns a message for an entry.
func shown(codec *value.Codec, m any) (message, error) {
	raw, err := codec.JSON(m)
	if err != nil {
		return message{}, err
	}
	t := typed{Type: "nil"}
	if m != nil {
		err = json.Unmarshal(raw, &t)
	}
	return message{Type: t.Type, Value: t.Value}, err
}

// given returns the value of a message in an entry.
func (m *message) given(codec *value.Codec) (any, error) {
	if m.Type == "nil" {
		return nil, nil
	}
	raw, err := json.Marshal(typed{m.Type, m.Value})
	if err != nil {
		return nil, err
	}
	return codec.FromJSON(raw)
}

// nodeOf returns the node of a name.
func nodeOf(s *model.System, name string) model.NodeID {
	for i, n := range s.Nodes {
		if n.Name == name {
			return model.NodeID(i)
		}
	}
	return -1
}
