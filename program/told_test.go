package program_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/describe"
	"contend/program"
	"contend/traces/replay"
	"contend/traces/why"
)

// Messages are told by what they do: HTTP by its first line, and other bytes as they are, at their beginning.
func TestMessages(t *testing.T) {
	c := program.Conn{Number: 1<<32 | 2, Mine: true}
	for want, message := range map[string]any{
		"POST /add (my 1.2)":        program.Data{Conn: c, Data: "POST /add HTTP/1.1\r\nHost: server\r\n\r\n"},
		"200 OK (its 0.7 #3)":       program.Data{Conn: program.Conn{Number: 7}, Seq: 3, Data: "HTTP/1.1 200 OK\r\n\r\n3"},
		`"POST /add" (my 1.2)`:      program.Data{Conn: c, Data: "POST /add"},
		`"HTTP/2 200\r\n" (my 1.2)`: program.Data{Conn: c, Data: "HTTP/2 200\r\n"},
		"Open port 80 (my 1.2)":     program.Open{Conn: c, From: 32768, To: 80},
		"Opened (its 0.0)":          program.Opened{},
		"Close (my 1.2)":            program.Close{Conn: c, Seq: 4},
		"Reset (my 1.2)":            program.Reset{Conn: c},
		"Abort (my 1.2)":            program.Abort{Conn: c, Seq: 4},
		"400 bytes read (my 1.2)":   program.Window{Conn: c, Read: 400},
		"Probe (my 1.2)":            program.Probe{Conn: c},
		`"ping" to port 9`:          program.Packet{From: 1, To: 9, Data: "ping"},
	} {
		assert.Equal(t, want, describe.Value(message, nil))
	}
}

// Why a program exited is among the first sentences about its run: its code, and what it wrote last.
func TestExitIsTold(t *testing.T) {
	p := countersOf(program.Config{Exits: true}, "exit")
	p.Claims = []model.Claim{program.NoExit()}
	rows, err := checker.Check(p, model.Check{}, checker.Options{})
	require.NoError(t, err)
	require.EqualValues(t, "violated", rows[0].Claims[0].Verdict)
	run, err := replay.Replay(p, rows[0].Claims[0].Counterexample, nil)
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^c[12] exits with code 3 at step 1, after it wrote to stderr: the first line / the second line / the third / exit: as it was asked to\.$`,
		strings.Join(why.Explain(run).Sentences, "\n"))
}

// A program that ends by itself breaks a claim that every protocol makes, whatever its code is, unless it may.
func TestExits(t *testing.T) {
	for call, want := range map[string]string{
		"exit":   `^Invoke of c[12] on "exit": the program exits with code 3, after it wrote: the second line / the third / exit: as it was asked to$`,
		"return": `^Invoke of c[12] on "return": the program exits with code 0$`,
	} {
		for _, may := range []bool{false, true} {
			rows, err := checker.Check(countersOf(program.Config{Exits: may}, call), model.Check{}, checker.Options{})
			require.NoError(t, err)
			c := rows[0].Claims[len(rows[0].Claims)-1]
			if may {
				assert.NotEqual(t, model.NoHandlerFails, c.Name, call)
				continue
			}
			assert.Equal(t, model.NoHandlerFails, c.Name, call)
			assert.EqualValues(t, "violated", c.Verdict, call)
			assert.Regexp(t, want, c.Text)
		}
	}
}
