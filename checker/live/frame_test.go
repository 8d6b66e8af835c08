package live

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/model"
	"contend/model/value"
)

// FuzzFrame reads frames and the messages in them. What is accepted is written so that it reads the same.
func FuzzFrame(f *testing.F) {
	s, err := backoff.Protocol.System("", model.Config{N: 1})
	require.NoError(f, err)
	codec, err := value.For(s, nil)
	require.NoError(f, err)
	f.Add([]byte(`{"token":"x","node":1}`))
	f.Add([]byte(`{"to":2,"sent":5,"message":{"type":"backoff.Try","value":{"Contend":1,"Retry":0}}}`))
	f.Add([]byte(`{"from":1,"lie":true,"id":3}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		x, err := readFrame(line, len(s.Nodes))
		if err != nil {
			return
		}
		again, err := x.line()
		require.NoError(t, err)
		y, err := readFrame(again, len(s.Nodes))
		require.NoError(t, err)
		z, err := y.line()
		require.NoError(t, err)
		assert.Equal(t, again, z)
		if m, err := codec.FromJSON(x.Message); err == nil {
			_, err := shown(codec, m)
			assert.NoError(t, err)
		}
	})
}

// A frame that no node writes is refused in a sentence.
func TestFrames(t *testing.T) {
	for line, want := range map[string]string{
		`{"to":3}`:                      "to is 3, but must be 0 to 2",
		`{"from":-1}`:                   "from is -1, but must be 0 to 2",
		`{"node":9}`:                    "node is 9, but must be 0 to 2",
		`{"ack":-1}`:                    "ack is -1, but must be 0 or more",
		`{"unknown":1}`:                 `"{\"unknown\":1}" is not a frame`,
		`{}{}`:                          `"{}{}" is not a frame`,
		string(make([]byte, maxLine)):   "a frame has 1048576 bytes, but may have 1048575",
		`{"message":{"type":"x"}}`:      "",
		`{"begin":1700000000,"from":2}`: "",
	} {
		_, err := readFrame([]byte(line), 3)
		if want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, want)
	}
}
