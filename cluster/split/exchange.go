// Package split carries what the parts of one search ask each other over NATS, keeps their checkpoints in its object
// store, and starts the parts as processes.
//
// A message is lost when the connection is, so a question is asked again until it is answered. It has a number, by which
// the part that is asked knows that it has answered it already, or is still at it: each is answered once in effect.
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

// The sorts of messages.
const (
	question = iota
	answer
	busy // the question has come, and is not answered yet
	sorts
)

// A header stands before every message. A question or an answer that is long goes in several.
type header struct {
	sort, kind byte
	from       uint16
	number     uint64 // of the question, by who asks
	settled    uint64 // all questions of the asker below this have been answered
	index, of  uint32 // of the pieces
}

const headerSize = 2 + 2 + 8 + 8 + 4 + 4

// pieceSize is how much of a question goes in one message. A server takes a megabyte unless it is told otherwise.
const pieceSize = 512 << 10

// mostPieces bounds a question, to a gibibyte.
const mostPieces = 1 << 11

func (h header) append(b []byte) []byte {
	b = append(b, h.sort, h.kind)
	b = binary.LittleEndian.AppendUint16(b, h.from)
	b = binary.LittleEndian.AppendUint64(b, h.number)
	b = binary.LittleEndian.AppendUint64(b, h.settled)
	b = binary.LittleEndian.AppendUint32(b, h.index)
	return binary.LittleEndian.AppendUint32(b, h.of)
}

var errMessage = errors.New("a message is none of a search in parts")

// parse reads the header of a message.
func parse(b []byte) (h header, piece []byte, err error) {
	if len(b) < headerSize {
		return h, nil, errMessage
	}
	h = header{
		sort: b[0], kind: b[1], from: binary.LittleEndian.Uint16(b[2:]), number: binary.LittleEndian.Uint64(b[4:]),
		settled: binary.LittleEndian.Uint64(b[12:]), index: binary.LittleEndian.Uint32(b[20:]), of: binary.LittleEndian.Uint32(b[24:]),
	}
	if h.sort >= sorts || h.of == 0 || h.of > mostPieces || h.index >= h.of || len(b)-headerSize > pieceSize {
		return h, nil, errMessage
	}
	return h, b[headerSize:], nil
}

// pieces puts together what came in several messages.
type pieces struct {
	all  [][]byte
	left uint32
}

// add adds a piece; whole is what all of them are together, once they are there.
func (p *pieces) add(h header, piece []byte) (whole []byte, ok bool) {
	if p.all == nil {
		p.all, p.left = make([][]byte, h.of), h.of
	}
	if int(h.of) != len(p.all) || p.left == 0 || p.all[h.index] != nil {
		return nil, false
	}
	p.all[h.index] = append([]byte{}, piece...)
	if p.left--; p.left > 0 {
		return nil, false
	}
	for _, one := range p.all {
		whole = append(whole, one...)
	}
	p.all = [][]byte{}
	return whole, true
}

// An Exchange is one part's end of the connections between all parts.
type Exchange struct {
	conn       *nats.Conn
	base       string // of the subjects
	number, of int
	sub        *nats.Subscription
	over       context.Context
	end        context.CancelCauseFunc

	mu    sync.Mutex // guards what follows
	by    func(from int, what parts.Kind, question []byte) []byte
	next  uint64
	asked map[uint64]*asked
	heard []map[uint64]*heard // by who asks
}

// asked is a question that is not answered yet.
type asked struct {
	answer chan []byte
	word   chan struct{} // it is known to be under way
	whole  pieces
}

// heard is a question of another part.
type heard struct {
	whole  pieces
	begun  bool
	done   bool
	answer []byte
}

// Patience is how long a part may say nothing before it is taken to be lost. Again is after how long it is asked again.
const (
	Patience = time.Minute
	again    = time.Second
)

// Join joins the parts of a search, as one of so many of them. The name tells the search, and how often it was begun,
// from others.
func Join(conn *nats.Conn, name string, number, of int) (*Exchange, error) {
	e := &Exchange{conn: conn, base: "contend.parts." + name, number: number, of: of, asked: map[uint64]*asked{}, next: 1}
	e.over, e.end = context.WithCancelCause(context.Background())
	for range of {
		e.heard = append(e.heard, map[uint64]*heard{})
	}
	var err error
	if e.sub, err = conn.Subscribe(e.subject(number), func(m *nats.Msg) { e.take(m.Data) }); err != nil {
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

// Close ends it: whoever waits for an answer gets the error.
func (e *Exchange) Close(why error) {
	e.end(why)
	_ = e.sub.Unsubscribe()
}

// Part is the number of this part, and how many there are.
func (e *Exchange) Part() (number, of int) { return e.number, e.of }

// Answer says who answers.
func (e *Exchange) Answer(by func(from int, what parts.Kind, question []byte) []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.by = by
}

// Ask asks a part, again and again, until it answers, or has said nothing for too long.
func (e *Exchange) Ask(to int, what parts.Kind, text []byte) ([]byte, error) {
	e.mu.Lock()
	n := e.next
	e.next++
	a := &asked{answer: make(chan []byte, 1), word: make(chan struct{}, 1)}
	e.asked[n] = a
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		delete(e.asked, n)
		e.mu.Unlock()
	}()
	h := header{sort: question, kind: byte(what), from: uint16(e.number), number: n}
	word := time.Now()
	tick := time.NewTicker(again)
	defer tick.Stop()
	known := false // it has come: asked again, only its first piece is sent
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
					return nil, fmt.Errorf("it has said nothing for %v", Patience)
				}
				break waiting
			}
		}
	}
}

// settled is the number below which all questions are answered.
func (e *Exchange) settled() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	least := e.next
	for n := range e.asked {
		least = min(least, n)
	}
	return least
}

// send sends a message in as many pieces as it takes, or only the first of them.
func (e *Exchange) send(to int, h header, text []byte, first bool) error {
	h.of = uint32(max((len(text)+pieceSize-1)/pieceSize, 1))
	if h.of > mostPieces {
		return fmt.Errorf("a message of %d bytes is too long", len(text))
	}
	for index := range h.of {
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

// take takes a message.
func (e *Exchange) take(b []byte) {
	h, piece, err := parse(b)
	if err != nil || int(h.from) >= e.of {
		return // it is nobody's who belongs here
	}
	if h.sort == question {
		e.hear(h, piece)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.asked[h.number]
	if a == nil {
		return // it was answered before
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

// hear takes a question, or says once more what came of it.
func (e *Exchange) hear(h header, piece []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	from := e.heard[h.from]
	for n := range from {
		if n < h.settled {
			delete(from, n)
		}
	}
	if h.number < h.settled || e.by == nil {
		return
	}
	q := from[h.number]
	if q == nil {
		q = &heard{}
		from[h.number] = q
	}
	reply := header{sort: busy, kind: h.kind, from: uint16(e.number), number: h.number}
	switch {
	case q.done:
		reply.sort = answer
		_ = e.send(int(h.from), reply, q.answer, false) // what is lost is asked for again
	case q.begun:
		_ = e.send(int(h.from), reply, nil, false)
	default:
		whole, ok := q.whole.add(h, piece)
		if !ok {
			return
		}
		q.begun = true
		by := e.by
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
