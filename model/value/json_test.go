package value_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
)

func TestJSON(t *testing.T) {
	c := codec(t)
	for _, tc := range []struct {
		value any
		want  string
	}{
		{nil, `null`},
		{true, `{"type":"bool","value":true}`},
		{-5, `{"type":"int","value":-5}`},
		{int64(1<<53 - 1), `{"type":"int64","value":9007199254740991}`},
		{int64(1 << 53), `{"type":"int64","value":"9007199254740992"}`},
		{int64(math.MinInt64), `{"type":"int64","value":"-9223372036854775808"}`},
		{uint64(math.MaxUint64), `{"type":"uint64","value":"18446744073709551615"}`},
		{model.NodeID(2), `{"type":"model.NodeID","value":2}`},
		{color("a<b"), `{"type":"value_test.color","value":"a\u003cb"}`},
		{color("\xff"), `{"type":"value_test.color","value":{"base64":"/w=="}}`},
		{[]int(nil), `{"type":"[]int","value":[]}`},
		{[]byte{1, 255}, `{"type":"[]uint8","value":[1,255]}`},
		{[2]bool{true}, `{"type":"[2]bool","value":[true,false]}`},
		{map[string]int{"b": 1, "a": 2}, `{"type":"map[string]int","value":[["a",2],["b",1]]}`},
		{map[any]int{model.NodeID(1): 2}, `{"type":"map[interface {}]int","value":[[{"type":"model.NodeID","value":1},2]]}`},
		{pair{1, 2}, `{"type":"value_test.pair","value":{"From":1,"To":2}}`},
		{[]any{nil, 1}, `{"type":"[]interface {}","value":[null,{"type":"int","value":1}]}`},
		{model.Inner{Tag: "t", Value: pair{}}, `{"type":"model.Inner","value":{"Tag":"t","Value":{"type":"value_test.pair","value":{"From":0,"To":0}}}}`},
	} {
		got, err := c.JSON(tc.value)
		require.NoError(t, err)
		assert.Equal(t, tc.want, string(got))
	}
}

func TestJSONRoundTrip(t *testing.T) {
	c := codec(t)
	for _, class := range alike {
		for _, v := range class.values {
			text, err := c.JSON(v)
			require.NoError(t, err, class.name)
			back, err := c.FromJSON(text)
			require.NoError(t, err, class.name)
			assert.Equal(t, c.Any(v, nil), c.Any(back, nil), class.name)
		}
	}
}

// Any JSON with the same meaning can be read.
func TestForeignJSONAccepted(t *testing.T) {
	c := codec(t)
	for _, tc := range []struct {
		text string
		want any
	}{
		{` {"value": "5", "type": "int"} `, 5},
		{`{"type":"value_test.pair","value":{"To":2}}`, pair{To: 2}},
		{`{"type":"[]int","value":null}`, []int{}},
	} {
		got, err := c.FromJSON(json.RawMessage(tc.text))
		require.NoError(t, err, tc.text)
		assert.Equal(t, tc.want, got)
	}
}

func TestForeignJSONRefused(t *testing.T) {
	c := codec(t)
	bomb := strings.Repeat(`{"type":"[]interface {}","value":[`, 100) + strings.Repeat(`]}`, 100)
	for _, tc := range []struct{ name, text, want string }{
		{"unknown type", `{"type":"os.File","value":{}}`, `type "os.File" is not one of the protocol's`},
		{"no type", `{"value":{}}`, `the members type and value`},
		{"a type that is not listed", `{"type":"value_test.again","value":{}}`, `type "value_test.again" is not one of the protocol's`},
		{"unknown field", `{"type":"value_test.pair","value":{"Form":1}}`, `value_test.pair: value_test.pair has no field "Form"`},
		{"a field in other letters", `{"type":"value_test.pair","value":{"from":1}}`, `value_test.pair: value_test.pair has no field "from"`},
		{"overflow", `{"type":"int8","value":128}`, `int8: 128 does not fit into int8`},
		{"underflow", `{"type":"int8","value":-129}`, `int8: -129 does not fit into int8`},
		{"a node id too large", `{"type":"model.NodeID","value":"2147483648"}`, `model.NodeID: 2147483648 does not fit into model.NodeID`},
		{"negative", `{"type":"uint64","value":-1}`, `uint64: -1 does not fit into uint64`},
		{"beyond 64 bits", `{"type":"uint64","value":"18446744073709551616"}`, `uint64: 18446744073709551616 does not fit into uint64`},
		{"a very long number", `{"type":"int","value":` + strings.Repeat("9", 1000) + `}`, `is not an integer of 64 bits`},
		{"a fraction", `{"type":"int","value":1.5}`, `int: "1.5" is not an integer`},
		{"an exponent", `{"type":"int","value":1e3}`, `int: "1e3" is not an integer`},
		{"no number", `{"type":"int","value":null}`, `int: "null" is not an integer`},
		{"no value", `{"type":"int"}`, `the members type and value`},
		{"too few elements", `{"type":"[2]bool","value":[true]}`, `[2]bool: [2]bool needs 2 elements, not 1`},
		{"a key that has no order", `{"type":"map[interface {}]int","value":[[{"type":"[]int","value":[]},1]]}`, `map[interface {}]int: a key of map[interface {}]int cannot be compared`},
		{"an object for a map", `{"type":"map[string]int","value":{"a":1}}`, `map[string]int: json: cannot unmarshal object`},
		{"half a pair", `{"type":"map[string]int","value":[["a"]]}`, `a pair of key and value, not 1 values`},
		{"a string with other members", `{"type":"value_test.color","value":{"base64":"/w==","hex":"ff"}}`, `value_test.color: a string that is not UTF-8 is an object with the member base64`},
		{"a string without its bytes", `{"type":"value_test.color","value":{}}`, `the member base64, and no others`},
		{"bytes that are not base64", `{"type":"value_test.color","value":{"base64":"ÿ"}}`, `the member base64, and no others`},
		{"text for a bool", `{"type":"bool","value":"true"}`, `bool: json: cannot unmarshal string`},
		{"where it stands", `{"type":"value_test.tree","value":{"Leaf":{"U8":256}}}`, `value_test.tree: Leaf: U8: 256 does not fit into uint8`},
		{"depth bomb", bomb, `a value is nested more than 64 deep`},
		{"nothing", ``, `unexpected end of JSON input`},
		{"not an object", `[]`, `json: cannot unmarshal array`},
		{"two values", `null null`, `invalid character 'n' after top-level value`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := c.FromJSON(json.RawMessage(tc.text))
			require.ErrorContains(t, err, tc.want)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

// A value can be read by an earlier name of its type, and is written by the current name. An earlier name
// refers to one listed type.
func TestRenamedTypes(t *testing.T) {
	listed := &model.System{Types: []any{pair{}, color("")}, Renamed: map[string]string{"old.pair": "value_test.pair"}}
	c, err := value.New(listed)
	require.NoError(t, err)
	v, err := c.FromJSON(json.RawMessage(`{"type":"old.pair","value":{"From":1,"To":2}}`))
	require.NoError(t, err)
	require.Equal(t, pair{1, 2}, v)
	b, err := c.JSON(v)
	require.NoError(t, err)
	require.Contains(t, string(b), `"value_test.pair"`)
	for want, names := range map[string]map[string]string{
		"renamed: value_test.none is not a listed type":         {"old.pair": "value_test.none"},
		"renamed: value_test.color is the name of a type still": {"value_test.color": "value_test.pair"},
	} {
		listed.Renamed = names
		_, err := value.New(listed)
		require.ErrorContains(t, err, want)
	}
}
