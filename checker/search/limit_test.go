package search

import (
	"testing"

	"contend/impl/ricartagrawala"
	"contend/model"
)

// A search that is stopped never says that it is complete, wherever it is stopped:
// not even before the first state of a layer, when the next layer is still empty.
func TestStoppedIsNotComplete(t *testing.T) {
	s, err := ricartagrawala.Protocol.System("", model.Config{N: 2, Ops: 2})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Run(s, nil, Options{})
	if err != nil || !whole.Complete {
		t.Fatal(whole, err)
	}
	for most := int64(1); most < whole.States; most++ {
		res, err := Run(s, nil, Options{MaxStates: most})
		if err != nil {
			t.Fatal(err)
		}
		if res.Complete == (res.Limit != "") || res.Complete && res.States != whole.States {
			t.Errorf("at most %d states: complete %v, limit %q, %d states", most, res.Complete, res.Limit, res.States)
		}
	}
}
