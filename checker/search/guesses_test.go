package search

import (
	"reflect"
	"testing"
)

// A search that goes on assumes nothing that was found wrong before, of however many messages and groups.
func TestGuessesAreKept(t *testing.T) {
	was := newGuesses()
	if found := was.learn(refusals{}); found {
		t.Error("nothing was found, and is learned")
	}
	found := was.learn(refusals{
		matter: map[string]string{"ping": "did something later", "pong": "later fails: no", "ack": "did something later"},
		unlike: map[string][]string{"servers": {"b", "a"}, "clients": {"c"}},
	})
	want := []string{
		absorptionOff("ack", "did something later"), absorptionOff("ping", "did something later"), absorptionOff("pong", "later fails: no"),
		"symmetry of clients is refused: c", "symmetry of servers is refused: a",
	}
	if !found || !reflect.DeepEqual(was.notes, want) || len(was.spared) != 3 || len(was.unlike) != 2 {
		t.Errorf("%v are learned, want %q", was, want)
	}
	kept := saved{Spared: []string{"ack", "ping", "pong"}, Unlike: []string{"clients", "servers"}, Notes: was.notes}
	if got := kept.guesses(); !reflect.DeepEqual(got, was) {
		t.Errorf("kept are %v, and were %v", got, was)
	}
}
