package program

import (
	"crypto/sha256"
	"encoding/binary"

	"contend/model"
	"contend/program/wire"
)

// Again is the key of the alarm at which a program starts again that a SIGTERM has ended.
type Again struct{}

// signals are what a program has to do with SIGTERMs. A call and a SIGTERM do not meet: the signal comes when the call has returned, and a call
// that comes after the signal waits for the next start. So each call has a result.
type signals struct {
	calling bool        // a call runs
	waiting model.Ticks // a SIGTERM that waits for the end of the call: the time within which the program starts again; 0 for none
	sent    model.Ticks // the same of a SIGTERM that the program was sent
	later   []byte      // the input for a call that waits for the next start, or nil
}

// terminate sends the program a SIGTERM. Within so many ticks after its end it starts again.
func (q *process) terminate(env model.Env, within model.Ticks) {
	switch {
	case q.ended != nil || q.sent > 0:
	case q.calling:
		q.waiting = within
		q.rename(binary.LittleEndian.AppendUint64([]byte{wire.Terminate}, uint64(within)))
	default:
		q.waiting, q.sent = 0, max(within, 1)
		q.step(env, binary.LittleEndian.AppendUint64([]byte{wire.Terminate}, uint64(within)))
	}
}

// call hands a call to the program, or keeps it for the next start.
func (q *process) call(env model.Env, input []byte) {
	if q.sent > 0 {
		q.later = input
		q.rename(input)
		return
	}
	q.calling = true
	q.step(env, input)
}

// rename takes an input into the name of the history that the program does not see yet.
func (q *process) rename(input []byte) {
	h := sha256.New()
	h.Write(q.name[:])
	h.Write(input)
	h.Sum(q.name[:0])
}

// again starts the program after a SIGTERM has ended it. The operating system has kept its disk.
func (q *process) again(env model.Env) {
	later, d := q.later, q.lost
	*q = process{of: q.of, self: q.self, boot: q.boot + 1, wall: q.wall + q.clock.now, clock: q.stopped()}
	q.begin(env, d)
	if later != nil {
		q.call(env, later)
	}
}
