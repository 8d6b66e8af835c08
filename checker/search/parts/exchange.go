// Package parts has what the parts of one search say to each other.
//
// One search may be split over several processes, its parts. Every part has its share of the visited set, and
// expands its share of each layer. Part 0 leads. A part asks another a question and waits for its answer; it
// is nothing more that they need of what carries it, so a barrier is a question to everyone whose answers are
// awaited. What the questions are about, package search knows.
package parts

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"contend/checker/search/fingerprint"
)

// A Kind says what a question asks for.
type Kind byte

// What is asked of an owner of fingerprints, of a part by its leader, and of a part by another that has more
// states than it.
const (
	New     Kind = iota // which of some fingerprints are new
	Claim               // which of what was found in a layer runs of earlier layers hold
	Take                // to take states over
	Begin               // to begin a search, or a search again
	Expand              // to expand its share of the present layer
	Far                 // how far it has come, and whether it has to stop
	Winnow              // to ask owners with runs what is new
	Settle              // to end the layer, and say what it found
	Send                // to send states to another part
	Next                // to make what was found the present layer
	Keep                // to write a checkpoint
	Note                // the note of a fingerprint
	Named               // the fingerprints that go by a name
	Doubt               // to ask handlers again
	End                 // to forget its files
	Abandon             // not to wait any more for what a part claims that failed: nothing more comes of the search
)

// An Exchange carries questions between the parts of one search. Its methods may be called by several
// goroutines at once.
type Exchange interface {
	// Part is the number of this part, and how many there are.
	Part() (number, of int)
	// Ask asks another part, and waits for the answer for as long as that part is there. An error says that
	// the part, or the way to it, is lost.
	Ask(to int, what Kind, question []byte) ([]byte, error)
	// Answer says who answers what this part is asked. Each question is answered once, and by a goroutine of
	// its own.
	Answer(by func(from int, what Kind, question []byte) []byte)
}

// Lost says that a part of a search is lost, or the way to it.
type Lost struct{ Err error }

func (l Lost) Error() string { return "a part of the search is lost: " + l.Err.Error() }

func (l Lost) Unwrap() error { return l.Err }

// Owner is the part, of so many, that owns a fingerprint: each owns a range of the last 32 bits of the first
// half. The table of an owner is ordered by the first bits, which are spread over all values in every range.
func Owner(p fingerprint.Print, of int) int {
	hi, _ := bits.Mul64(p.A<<32, uint64(of))
	return int(hi)
}

// A Question asks an owner which of some fingerprints are new to it.
type Question struct {
	out   []byte
	wide  bool
	tag   uint32
	count int // where the number of fingerprints with the present tag is written
	n     uint32
}

// Ask begins a question, in a buffer; exact says that of several parents the least is to be kept.
func Ask(buffer []byte, wide, exact bool) Question {
	head := byte(0)
	if wide {
		head |= 1
	}
	if exact {
		head |= 2
	}
	return Question{out: append(buffer[:0], head), wide: wide}
}

// Add adds a fingerprint whose parent goes by a name. Those of one parent that follow each other share it.
func (q *Question) Add(p fingerprint.Print, tag uint32) {
	if q.n == 0 || q.tag != tag || q.out[q.count] == 255 {
		q.out = append(binary.LittleEndian.AppendUint32(q.out, tag), 0)
		q.tag, q.count = tag, len(q.out)-1
	}
	q.out[q.count]++
	q.n++
	q.out = binary.LittleEndian.AppendUint64(q.out, p.A)
	if q.wide {
		q.out = binary.LittleEndian.AppendUint64(q.out, p.B)
	}
}

// Bytes are the question as it is sent.
func (q *Question) Bytes() []byte { return q.out }

// Asked reads a question; each is told of every fingerprint.
func Asked(in []byte, each func(p fingerprint.Print, tag uint32, exact bool)) error {
	if len(in) == 0 || in[0] > 3 {
		return fmt.Errorf("a question for what is new does not begin as one")
	}
	size := 8
	if in[0]&1 != 0 {
		size = 16
	}
	exact := in[0]&2 != 0
	for in = in[1:]; len(in) > 0; {
		if len(in) < 5 || len(in) < 5+size*int(in[4]) || in[4] == 0 {
			return fmt.Errorf("a question for what is new ends too soon")
		}
		tag, n := binary.LittleEndian.Uint32(in), int(in[4])
		for in = in[5:]; n > 0; n-- {
			p := fingerprint.Print{A: binary.LittleEndian.Uint64(in)}
			if size == 16 {
				p.B = binary.LittleEndian.Uint64(in[8:])
			}
			each(p, tag, exact)
			in = in[size:]
		}
	}
	return nil
}

// Bits are answers of yes and no.
type Bits []byte

// NewBits has room for n answers, all no.
func NewBits(n int) Bits { return make(Bits, (n+7)/8) }

// Set makes the i-th a yes.
func (b Bits) Set(i int) { b[i/8] |= 1 << (i % 8) }

// Is reports whether the i-th is a yes.
func (b Bits) Is(i int) bool { return b[i/8]>>(i%8)&1 != 0 }

// Prints writes fingerprints one behind the other, and ReadPrints reads them.
func Prints(out []byte, all []fingerprint.Print) []byte {
	for _, p := range all {
		out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, p.A), p.B)
	}
	return out
}

// ReadPrints reads what [Prints] wrote.
func ReadPrints(in []byte) (all []fingerprint.Print, err error) {
	if len(in)%16 != 0 {
		return nil, fmt.Errorf("a list of fingerprints ends too soon")
	}
	for ; len(in) > 0; in = in[16:] {
		all = append(all, fingerprint.Print{A: binary.LittleEndian.Uint64(in), B: binary.LittleEndian.Uint64(in[8:])})
	}
	return all, nil
}
