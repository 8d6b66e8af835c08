package decide

import (
	"encoding/json"
	"fmt"
	"testing"
)

// A limit in a file has the text that is printed, and is read back as it was.
func TestLimitsAsText(t *testing.T) {
	for text, l := range map[string]Limit{
		"":                         {},
		"timeout":                  Limited("timeout"),
		"not put to the test":      Limited("not put to the test"),
		"states: 5000":             {Code: "states", Detail: "5000"},
		"internal: one: two":       {Code: "internal", Detail: "one: two"},
		"strict bound":             Limited(StrictBound),
		"strict bound, and a: cut": {Code: StrictBound, Detail: "and a: cut"},
	} {
		b, err := json.Marshal(l)
		if want := fmt.Sprintf("%q", text); err != nil || string(b) != want || l.String() != text {
			t.Errorf("%#v is written as %s, %v, and printed as %s, want %s", l, b, err, l, want)
		}
		var is Limit
		if err := json.Unmarshal(b, &is); err != nil || is != l {
			t.Errorf("%s is read as %#v, %v, want %#v", b, is, err, l)
		}
	}
}
