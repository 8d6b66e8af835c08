package program

import (
	"crypto/sha256"
	"encoding/binary"

	"contend/model"
	"contend/program/guest"
	"contend/program/wire"
)

// Again is the key of the alarm at which a program starts again that a SIGTERM has ended.
type Again struct{}

// signals are what a program has to do with SIGTERMs.
type signals struct {
	calling bool        // a call runs
	sent    model.Ticks // of a SIGTERM that the program was sent: the time within which the program starts again; 0 for none
	later   []byte      // the input for a call that came after the end, and waits for the next start, or nil
}

// terminate sends the program a SIGTERM. Within so many ticks after its end it starts again.
func (q *process) terminate(env model.Env, within model.Ticks) {
	if q.ended == nil && q.sent == 0 {
		q.sent = max(within, 1)
		q.step(env, binary.LittleEndian.AppendUint64([]byte{wire.Terminate}, uint64(within)))
	}
}

// terminated ends a program that was sent a SIGTERM, and its call.
func (q *process) terminated(env model.Env, exit *guest.Exit) {
	q.exits(exit)
	if q.calling {
		q.calling = false
		env.Return(model.NoResult{})
	}
	env.Note(Terminated{exit.Code})
	env.After(Again{}, model.By(q.sent))
}

// call hands a call to the program, or keeps it for the next start.
func (q *process) call(env model.Env, input []byte) {
	if q.ended != nil && q.sent > 0 {
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
