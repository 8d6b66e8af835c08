package conform

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/twophase"
	"contend/model"
)

func vocabulary(t testing.TB) *Vocabulary {
	s, err := twophase.Protocol.System("", model.Config{N: 2})
	require.NoError(t, err)
	return NewVocabulary(s)
}

// FuzzAnswer reads bytes as the answer of a node, and compares it with a step of the page.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"send":[{"to":"tm","type":"Prepared","id":7}],"after":{"State":"prepared"},"alarms":[],"note":[{"type":"Became","value":{"State":1}}],"result":null}`,
		`{"send":{"to":1,"type":"Abort"},"alarms":{"type":"rmPrepare"}}`, `{"after":{"State":9}}`, `{"note":[null],"result":{"type":"int","value":3}}`, `{}`, `{"id":1}`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	v := vocabulary(f)
	page := Shown{Sends: []Sent{{To: 2, Value: twophase.Prepared{}}}, Notes: []any{twophase.Became{State: twophase.Ready}}, Alarms: []any{}}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return
		}
		a, err := v.Read(0, members)
		if err != nil {
			assert.NotContains(t, err.Error(), "\n")
			assert.Less(t, len(err.Error()), 1000)
			return
		}
		ids, d := v.Compare(a, page, &twophase.Resource{State: twophase.Ready}, func(any) bool { return false })
		assert.Equal(t, d == nil, ids != nil)
		assert.LessOrEqual(t, len([]rune(a.Text())), mostText+1)
	})
}

// Compare says what differs, and where.
func TestCompare(t *testing.T) {
	v := vocabulary(t)
	page := Shown{Sends: []Sent{{To: 0, Value: twophase.Commit{}}, {To: 1, Value: twophase.Commit{}}}, Notes: []any{twophase.Became{State: twophase.Committed}},
		Returned: true, Result: 3, Alarms: []any{nil}}
	node := &twophase.Manager{State: twophase.Committed}
	const sends = `"send":[{"to":"rm2","type":"Commit"},{"to":"rm1","type":"Commit"}],`
	for _, x := range []struct{ answer, want, field string }{
		{`{` + sends + `"result":{"type":"int","value":3}}`, "", ""},
		{`{` + sends + `"result":{"type":"int","value":3},"note":{"type":"Became"},"after":{"State":"committed"},"alarms":[null]}`, "", ""},
		{`{"send":{"to":"rm1","type":"Commit"}}`, "the implementation does not send Commit{} to rm2", ""},
		{`{"send":[{"to":"rm1","type":"Commit"},{"to":"rm2","type":"Abort"}]}`, "the page sends Commit{} to rm2", "type"},
		{`{"send":[{"to":"rm1","type":"Commit"},{"to":"rm1","type":"Commit"}]}`, "the page sends Commit{} to rm2", "to"},
		{`{"send":[{"to":"rm1","type":"Commit"},{"to":"rm2","type":"Commit"},{"to":"rm2","type":"Commit"}]}`, "the page sends no further twophase.Commit here", ""},
		{`{` + sends + `"result":{"type":"int","value":4}}`, "the page returns 3", ""},
		{`{` + sends + `"note":[]}`, "the implementation does not note Became{committed}", ""},
		{`{` + sends + `"note":{"type":"Became","value":{"State":"aborted"}}}`, "the page notes Became{committed}", "State"},
		{strings.TrimSuffix(`{`+sends, ",") + `}`, "the implementation does not return 3", ""},
		{`{` + sends + `"result":{"type":"int","value":3},"after":{"State":"aborted"}}`, `after it, State is "aborted" in the implementation, and committed on the page`, "State"},
		{`{` + sends + `"result":{"type":"int","value":3},"alarms":[]}`, "after it, the alarm nil is set on the page, and not in the implementation", ""},
		{`{` + sends + `"result":{"type":"int","value":3},"alarms":[null,{"type":"tmAbort"}]}`, "after it, an alarm twophase.tmAbort is set in the implementation, and not on the page", ""},
	} {
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(x.answer), &members))
		a, err := v.Read(2, members)
		require.NoError(t, err)
		_, d := v.Compare(a, page, node, func(any) bool { return false })
		if x.want == "" {
			assert.Nil(t, d, x.answer)
			continue
		}
		require.NotNil(t, d, x.answer)
		assert.Equal(t, x.want, d.Reason, x.answer)
		assert.Equal(t, x.field, d.Field, x.answer)
	}
	a, err := v.Read(2, map[string]json.RawMessage{})
	require.NoError(t, err)
	_, d := v.Compare(a, Shown{Sends: page.Sends}, node, func(any) bool { return true })
	assert.Nil(t, d, "these need not be sent")
}
