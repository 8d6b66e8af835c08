// Package split carries the questions of a search's parts over NATS, stores their checkpoints in its object
// store, and starts the parts as processes.
//
// A lost connection loses messages, so a question is repeated until it is answered. By its number the
// receiver recognizes a repetition. So each question takes effect once.
package split

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"contend/checker/search/parts"
)

// Kinds of messages.
const (
	question = iota
	answer
	busy // the question has arrived, and is not yet answered
	sorts
)

// A header is the header of a message. A long question or answer has several messages.
type header struct {
	sort, kind    byte
	from          uint16
	number        uint64 // of the asker's question
	settled       uint64 // the asker has the answers to all questions below this
	index, pieces uint32 // of the pieces
}

const headerSize = 2 + 2 + 8 + 8 + 4 + 4

// pieceSize is the maximum payload of a message. A server's default limit is a megabyte.
const pieceSize = 512 << 10

// mostPieces bounds a question to a gibibyte.
const mostPieces = 1 << 11

func (h header) append(b []byte) []byte {
	b = append(b, h.sort, h.kind)
	b = binary.LittleEndian.AppendUint16(b, h.from)
	b = binary.LittleEndian.AppendUint64(b, h.number)
	b = binary.LittleEndian.AppendUint64(b, h.settled)
	b = binary.LittleEndian.AppendUint32(b, h.index)
	return binary.LittleEndian.AppendUint32(b, h.pieces)
}

var errMessage = errors.New("a message belongs to no search in parts")

// parse parses the header of a message.
func parse(b []byte) (h header, piece []byte, err error) {
	if len(b) < headerSize {
		return h, nil, errMessage
	}
	h = header{
		sort: b[0], kind: b[1], from: binary.LittleEndian.Uint16(b[2:]), number: binary.LittleEndian.Uint64(b[4:]),
		settled: binary.LittleEndian.Uint64(b[12:]), index: binary.LittleEndian.Uint32(b[20:]), pieces: binary.LittleEndian.Uint32(b[24:]),
	}
	if h.sort >= sorts || h.pieces == 0 || h.pieces > mostPieces || h.index >= h.pieces || len(b)-headerSize > pieceSize {
		return h, nil, errMessage
	}
	return h, b[headerSize:], nil
}

// A pieces assembles a message from its pieces.
type pieces struct {
	all     [][]byte
	missing uint32
}

// add adds a piece. It returns the whole message after the last one.
func (p *pieces) add(h header, piece []byte) (whole []byte, ok bool) {
	if p.all == nil {
		p.all, p.missing = make([][]byte, h.pieces), h.pieces
	}
	if int(h.pieces) != len(p.all) || p.missing == 0 || p.all[h.index] != nil {
		return nil, false
	}
	p.all[h.index] = append([]byte{}, piece...)
	if p.missing--; p.missing > 0 {
		return nil, false
	}
	for _, one := range p.all {
		whole = append(whole, one...)
	}
	p.all = [][]byte{}
	return whole, true
}

// An Exchange connects one part with all others. It implements [parts.Exchange].
type Exchange struct {
	conn          *nats.Conn
	base          string // prefix of subjects
	number, count int
	sub           *nats.Subscription
	over          context.Context
	end           context.CancelCauseFunc

	mu       sync.Mutex // guards the following
	answerer func(from int, what parts.Kind, question []byte) []byte
	next     uint64
	pending  map[uint64]*pendingQuestion
	received []map[uint64]*receivedQuestion // by asker
}

// A pendingQuestion is an unanswered question of this part.
type pendingQuestion struct {
	answer chan []byte
	word   chan struct{} // receives a value when the question is known to be in progress
	whole  pieces
}

// A receivedQuestion is a question of another part.
type receivedQuestion struct {
	whole  pieces
	begun  bool
	done   bool
	answer []byte
}

// Patience is the maximum silence of a part before it counts as lost. again is the period of repetitions.
const (
	Patience = time.Minute
	again    = time.Second
)

// Join connects a part with the others of a search. The name must identify the start of the search.
func Join(conn *nats.Conn, name string, number, count int) (*Exchange, error) {
	e := &Exchange{conn: conn, base: "contend.parts." + name, number: number, count: count, pending: map[uint64]*pendingQuestion{}, next: 1}
	e.over, e.end = context.WithCancelCause(context.Background())
	for range count {
		e.received = append(e.received, map[uint64]*receivedQuestion{})
	}
	var err error
	if e.sub, err = conn.Subscribe(e.subject(number), func(m *nats.Msg) { e.receive(m.Data) }); err != nil {
		return nil, err
	}
	_ = e.sub.SetPendingLimits(-1, -1)
	if err := conn.FlushTimeout(Patience); err != nil {
		_ = e.sub.Unsubscribe()
		return nil, err
	}
	return e, nil
}

func (e *Exchange) subject(part int) string { return fmt.Sprintf("%s.%d", e.base, part) }

// Close ends the exchange. Pending calls of Ask return the error.
func (e *Exchange) Close(why error) {
	e.end(why)
	_ = e.sub.Unsubscribe()
}

// Part returns the number of this part, and the number of parts.
func (e *Exchange) Part() (number, count int) { return e.number, e.count }

// Answer sets the function that answers questions. The exchange calls it once for each question, in a
// goroutine of its own.
func (e *Exchange) Answer(by func(from int, what parts.Kind, question []byte) []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answerer = by
}

// Ask sends a question repeatedly until the part answers. It fails if the part is silent for [Patience].
func (e *Exchange) Ask(to int, what parts.Kind, text []byte) ([]byte, error) {
	e.mu.Lock()
	n := e.next
	e.next++
	a := &pendingQuestion{answer: make(chan []byte, 1), word: make(chan struct{}, 1)}
	e.pending[n] = a
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		delete(e.pending, n)
		e.mu.Unlock()
	}()
	h := header{sort: question, kind: byte(what), from: uint16(e.number), number: n}
	word := time.Now()
	tick := time.NewTicker(again)
	defer tick.Stop()
	known := false // the question has arrived: repetitions consist of the first piece
	for {
		h.settled = e.settled()
		if err := e.send(to, h, text, known); err != nil && time.Since(word) > Patience {
			return nil, err
		}
	waiting:
		for {
			select {
			case b := <-a.answer:
				return b, nil
			case <-a.word:
				word, known = time.Now(), true
			case <-e.over.Done():
				return nil, context.Cause(e.over)
			case <-tick.C:
				if time.Since(word) > Patience {
					return nil, fmt.Errorf("it has sent nothing for %v", Patience)
				}
				break waiting
			}
		}
	}
}

// settled returns the number below which all questions are answered.
func (e *Exchange) settled() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	least := e.next
	for n := range e.pending {
		least = min(least, n)
	}
	return least
}

// send sends a message in pieces; only the first piece if first is set.
func (e *Exchange) send(to int, h header, text []byte, first bool) error {
	h.pieces = uint32(max((len(text)+pieceSize-1)/pieceSize, 1))
	if h.pieces > mostPieces {
		return fmt.Errorf("a message of %d bytes is too long", len(text))
	}
	for index := range h.pieces {
		h.index = index
		piece := text[min(int(h.index)*pieceSize, len(text)):min(int(h.index+1)*pieceSize, len(text))]
		b := append(h.append(make([]byte, 0, headerSize+len(piece))), piece...)
		if err := e.conn.Publish(e.subject(to), b); err != nil {
			return err
		}
		if first {
			break
		}
	}
	return nil
}

// receive handles a message.
func (e *Exchange) receive(b []byte) {
	h, piece, err := parse(b)
	if err != nil || int(h.from) >= e.count {
		return // not from a part of this search
	}
	if h.sort == question {
		e.receiveQuestion(h, piece)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.pending[h.number]
	if a == nil {
		return // answered before
	}
	if h.sort == busy {
		select {
		case a.word <- struct{}{}:
		default:
		}
	} else if whole, ok := a.whole.add(h, piece); ok {
		a.answer <- whole
	}
}

// receiveQuestion handles a piece of a question, or repeats the answer.
func (e *Exchange) receiveQuestion(h header, piece []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	from := e.received[h.from]
	for n := range from {
		if n < h.settled {
			delete(from, n)
		}
	}
	if h.number < h.settled || e.answerer == nil {
		return
	}
	q := from[h.number]
	if q == nil {
		q = &receivedQuestion{}
		from[h.number] = q
	}
	reply := header{sort: busy, kind: h.kind, from: uint16(e.number), number: h.number}
	switch {
	case q.done:
		reply.sort = answer
		_ = e.send(int(h.from), reply, q.answer, false) // lost answers are requested again
	case q.begun:
		_ = e.send(int(h.from), reply, nil, false)
	default:
		whole, ok := q.whole.add(h, piece)
		if !ok {
			return
		}
		q.begun = true
		by := e.answerer
		go func() {
			text := by(int(h.from), parts.Kind(h.kind), whole)
			e.mu.Lock()
			q.done, q.answer = true, text
			e.mu.Unlock()
			reply.sort = answer
			_ = e.send(int(h.from), reply, text, false)
		}()
	}
}
