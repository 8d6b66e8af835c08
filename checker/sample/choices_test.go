package sample_test

import (
	"slices"
	"testing"

	"contend/checker/sample"
)

// The bytes that are written for a choice are those from which it is read.
func TestChoicesAreWritten(t *testing.T) {
	type choice struct{ n, is int }
	made := []choice{{2, 1}, {1, 0}, {256, 255}, {257, 256}, {65536, 258}, {3, 0}, {1 << 40, 1<<40 - 2}, {5, 4}}
	var data []byte
	for _, c := range made {
		data = sample.AppendChoice(data, c.n, c.is)
	}
	b := sample.Bytes(data)
	for i, c := range made {
		if got := b.Choose(c.n); got != c.is {
			t.Errorf("choice %d: got %d, want %d of %d", i, got, c.is, c.n)
		}
	}
	if len(data) != 1+0+1+2+2+1+5+1 {
		t.Errorf("%d bytes are written", len(data))
	}
}

// Any bytes are choices, every choice is in range, and the bytes' end is the
// default choice.
func TestBytesAreTotal(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		of   []int
		want []int
	}{
		{"nothing", nil, []int{2, 300, 1}, []int{0, 0, 0}},
		{"one of one takes no byte", []byte{1}, []int{1, 1, 2}, []int{0, 0, 1}},
		{"one byte up to 256", []byte{255, 255}, []int{256, 3}, []int{255, 0}},
		{"two bytes up to 65536", []byte{1, 2, 1}, []int{65536, 2}, []int{258, 1}},
		{"modulo", []byte{7}, []int{5}, []int{2}},
		{"ended within a choice", []byte{1}, []int{257}, []int{256}},
		{"the largest range", []byte{255, 255, 255, 255, 255, 255, 255, 255}, []int{1<<62 + 1}, []int{1<<62 - 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := sample.Bytes(c.data)
			for i, n := range c.of {
				if got := b.Choose(n); got != c.want[i] {
					t.Errorf("choice %d, of %d: got %d, want %d", i, n, got, c.want[i])
				}
			}
		})
	}
}

func TestReplayGivesWhatWasRecorded(t *testing.T) {
	ranges := []int{2, 1, 70, 1000, 3}
	rec := &sample.Recorder{From: sample.Seeded(7)}
	var first, second []int
	for _, n := range ranges {
		first = append(first, rec.Choose(n))
	}
	again := sample.Replay(rec.Made)
	for _, n := range ranges {
		second = append(second, again.Choose(n))
	}
	if !slices.Equal(first, second) || len(rec.Made) != 4 {
		t.Errorf("made %v, recorded %v, replayed %v", first, rec.Made, second)
	}
	if again.Choose(9) != 0 {
		t.Error("a recording that has ended gives the default choice")
	}
	got := sample.Replay([]int{7, -1})
	if first, second := got.Choose(4), got.Choose(4); first != 3 || second != 3 {
		t.Error("a foreign recording is taken modulo the number of options")
	}
}
