package program

import (
	"encoding/binary"

	"contend/program/wire"
)

// struck applies the host's part of a trouble, and returns the input for it. is reports whether the message is a
// trouble.
func (q *process) struck(message any) (input []byte, is bool) {
	switch m := message.(type) {
	case Cut:
		return []byte{wire.Cut, byte(m.Which)}, true
	case HalfOpen:
		return []byte{wire.HalfOpen, byte(m.Which)}, true
	case Refuse:
		return []byte{wire.Refuse}, true
	case Jump:
		if q.ended == nil {
			q.wall += m.By
			q.instance().Jump(m.By)
		}
		return binary.LittleEndian.AppendUint64([]byte{wire.Looked}, uint64(m.By)), true
	case SyncFails:
		if q.ended == nil {
			q.instance().Disk().Fail()
		}
		return []byte{wire.Looked, 2}, true
	case Full, Room:
		_, full := m.(Full)
		if q.ended == nil {
			q.instance().Disk().Fill(full)
		}
		how := byte(0)
		if full {
			how = 1
		}
		return []byte{wire.Looked, how}, true
	}
	return nil, false
}
