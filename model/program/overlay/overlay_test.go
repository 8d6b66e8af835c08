package overlay

import "testing"

func TestMake(t *testing.T) {
	o, err := Make("/tmp/sched-ov")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(o)
}
