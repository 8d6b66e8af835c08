package kept

import "testing"

// The command names the one test, whatever it is called.
func TestCommandNamesOneTest(t *testing.T) {
	for name, want := range map[string]string{
		"TestX":               "go test contend/checker/kept -run '^TestX$'",
		"TestX/check1#01":     "go test contend/checker/kept -run '^TestX$/^check1#01$'",
		"TestX/it's_(a)/a.b+": `go test contend/checker/kept -run '^TestX$/^it'\''s_\(a\)$/^a\.b\+$'`,
	} {
		if got := GoTest(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// No name leads out of the directory of kept traces.
func TestKeptStaysInItsDirectory(t *testing.T) {
	if got := Dir("TestX/../../.."); got != Root {
		t.Errorf("it is kept in %s", got)
	}
}
