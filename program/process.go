package program

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"contend/model"
	"contend/model/disk"
	"contend/model/wrapped"
	"contend/program/guest"
	"contend/program/wire"
)

// A name identifies a history.
type name [32]byte

// A View is the part of a program's state that claims see.
type View struct {
	Shown  string // what sim.View returned last
	Exited bool
}

// A process is a program at rest in some state: an instance, or a snapshot of one, or both. It is the object of a foreign node.
type process struct {
	of   *Program
	self model.NodeID
	boot int
	name name
	clock
	shown string
	ended *guest.Exit
	signals
	wall  int64 // of the clock of earlier boots, that it goes on from
	lost  *disk.Disk
	live  guest.Instance  // nil if none is in this state
	frees runtime.Cleanup // frees it
	kept  guest.Snapshot  // nil if none was taken
}

// Start starts the program, or starts it again after a crash. What the crash took away is chosen then.
func (q *process) Start(env model.Env) {
	q.self = env.Self()
	d := q.lost
	switch {
	case d != nil:
		d = d.Clone()
		d.Crash(func(n int) int {
			if n == 1 {
				return 0
			}
			return env.Choose(n)
		})
	case q.of.config.Disk != nil:
		d = disk.New(*q.of.config.Disk)
	}
	q.begin(env, d)
}

// begin begins the program with a disk, or nil.
func (q *process) begin(env model.Env, d *disk.Disk) {
	q.startClock(env)
	seed := 0
	if q.of.config.Seeds > 1 {
		seed = env.Draw(q.of.config.Seeds)
	}
	begun, in := q.of.begin(q, d, uint64(seed))
	q.name, q.clock.now, q.lost = begun.name, begun.now, begun.disk
	if q.clock.exact {
		q.clock.showed = begun.now
		q.rename(binary.LittleEndian.AppendUint64(nil, uint64(q.clock.unit)))
	}
	if q.kept = begun.snapshot; in != nil {
		q.has(in)
	}
	q.tell(env, begun.outputs, begun.err, begun.timer)
}

// Invoke hands a call of the application to the program.
func (q *process) Invoke(env model.Env, op any) {
	call, is := op.(string)
	if !is {
		model.Misused("a program is called with a %T, but takes only strings", op)
	}
	q.look(env)
	q.call(env, append([]byte{wire.Called}, call...))
}

// Receive hands a message to the program.
func (q *process) Receive(env model.Env, from model.NodeID, message any) {
	q.look(env)
	if t, is := message.(Terminate); is {
		q.terminate(env, t.Within)
		return
	}
	if input, is := q.struck(message); is {
		if q.ended == nil {
			q.step(env, input)
		}
		return
	}
	q.step(env, wired(q.of.config.Hosts[from], message).Append([]byte{wire.Received}))
}

// Timeout lets the program's next timer be due, or starts the program again.
func (q *process) Timeout(env model.Env, key any) {
	if _, is := key.(Again); is {
		q.again(env)
		return
	}
	if q.ring(env) {
		q.step(env, nil)
	}
}

// step runs the program until it is at rest.
func (q *process) step(env model.Env, input []byte) {
	if q.ended != nil {
		q.refuses(env, input)
		return
	}
	in := q.instance()
	var inputs [][]byte
	if input != nil {
		inputs = [][]byte{input}
	}
	h := sha256.New()
	h.Write(q.name[:])
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(q.clock.now)))
	h.Write(input)
	in.Choose(q.of.choices(env, h))
	outputs, err := in.Step(q.clock.now, inputs...)
	in.Choose(nil) // it knows the run
	h.Sum(q.name[:0])
	q.kept = nil
	q.of.count(func(s *Stats) { s.Steps++ })
	q.tell(env, outputs, err, in.Timer())
}

// refuses answers for a program that has ended, as an operating system does.
func (q *process) refuses(env model.Env, input []byte) {
	if len(input) == 0 || input[0] != wire.Received {
		return
	}
	if m, err := wire.Decode(input[1:]); err == nil && slices.Contains([]wire.Kind{wire.Open, wire.Data, wire.Probe}, m.Kind) {
		env.Send(q.of.ids[m.Host], Reset{Conn{m.Conn, !m.Mine}})
	}
}

// tell turns the outputs of a step into calls of the handler's env.
func (q *process) tell(env model.Env, outputs []guest.Output, err error, timer int64) {
	for _, o := range outputs {
		switch o.Kind {
		case wire.Sent:
			q.send(env, o.Data)
		case wire.Returned:
			q.calling = false
			env.Return(string(o.Data))
		case wire.Ignored:
			q.sent = 0
		case wire.Noted:
			env.Note(string(o.Data))
		case wire.Viewed:
			q.shown = string(o.Data)
		}
	}
	var failure *guest.Failure
	var exit *guest.Exit
	switch {
	case errors.As(err, &failure):
		q.discard()
		panic(failed(failure))
	case errors.As(err, &exit) && q.sent > 0:
		q.terminated(env, exit)
		timer = guest.Never
	case errors.As(err, &exit) && !q.of.config.Exits:
		q.discard()
		model.Misused("%s", exited(exit))
	case errors.As(err, &exit):
		q.exits(exit)
		env.Note(Exited{exit.Code})
		timer = guest.Never
	case err != nil:
		model.Refuse("program: %v", err)
	}
	q.arm(env, timer)
}

// exits leaves what a program leaves that ends.
func (q *process) exits(exit *guest.Exit) {
	if d := q.disk(); d != nil {
		q.lost = d.Clone()
	}
	q.discard()
	q.ended = exit
}

// send sends a message. One to a host that is not there is lost.
func (q *process) send(env model.Env, encoded []byte) {
	m, err := wire.Decode(encoded)
	if err != nil {
		model.Refuse("program: %v", err)
	}
	if to, is := q.of.ids[m.Host]; is {
		env.Send(to, plain(m))
	}
}

// view returns the part of the state that claims see.
func (q *process) view() View { return View{q.shown, q.ended != nil} }

// stable returns the encoded state that outlives a crash.
func (q *process) stable() []byte {
	b := make([]byte, 0, 4*8+len("false")+sha256.Size)
	for _, n := range []int64{int64(q.self), int64(q.boot), q.wall + q.clock.now, q.clock.unit} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	b = fmt.Append(b, q.clock.loose)
	if d := q.disk(); d != nil {
		files := d.Name()
		b = append(b, files[:]...)
	}
	return b
}

// disk returns the program's disk, or nil.
func (q *process) disk() *disk.Disk {
	switch {
	case q.live != nil:
		return q.live.Disk()
	case q.kept != nil:
		return q.kept.Disk()
	}
	return q.lost
}

// crashed returns the program before it starts again, with its disk after the crash.
func (q *process) crashed() *process {
	after := &process{of: q.of, self: q.self, boot: q.boot + 1, wall: q.wall + q.clock.now, clock: q.stopped()}
	if d := q.disk(); d != nil {
		after.lost = d.Clone()
	}
	q.discard()
	return after
}

// named names the state.
func (q *process) named() []byte {
	if !q.of.config.Merge || q.shown == "" {
		return q.name[:]
	}
	h := sha256.New()
	wait := int64(-1)
	if q.clock.timer != guest.Never {
		wait = q.clock.timer - q.clock.now
	}
	h.Write(q.stable())
	fmt.Fprintf(h, "%d %v", wait, q.ended != nil)
	if q.sent > 0 {
		fmt.Fprintf(h, " %d %v %q ", q.sent, q.calling, q.later)
	}
	h.Write([]byte(q.shown))
	return h.Sum(nil)
}

// show returns what people see besides the view.
func (q *process) show() string {
	var b strings.Builder
	if q.ended != nil {
		fmt.Fprintf(&b, "%s: with code %d\n", wrapped.Exited, q.ended.Code)
	}
	fmt.Fprintf(&b, "clock: %s\n", seconds(q.wall+q.clock.now))
	if q.clock.timer != guest.Never {
		fmt.Fprintf(&b, "next timer: %s\n", seconds(q.wall+q.clock.timer))
	}
	if d := q.disk(); d != nil {
		for _, line := range d.Describe() {
			fmt.Fprintf(&b, "%s\n", line)
		}
	}
	written := strings.Split(strings.TrimRight(q.errors(), "\n"), "\n")
	for i, line := range slices.Backward(written[max(0, len(written)-5):]) {
		if line != "" {
			fmt.Fprintf(&b, "%s[-%d]: %s\n", wrapped.Stderr, len(written[max(0, len(written)-5):])-i, line)
		}
	}
	return b.String()
}

func (q *process) errors() string {
	switch {
	case q.ended != nil:
		return q.ended.Output
	case q.live != nil:
		return string(q.live.Errors())
	case q.kept != nil:
		return string(q.kept.Errors())
	}
	return ""
}

func seconds(ns int64) string { return fmt.Sprintf("%d.%03d s", ns/1e9, ns%1e9/1e6) }
