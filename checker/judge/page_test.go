package judge

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"contend/model"
)

// data is what porcupine's page has in it.
type data struct {
	Partitions []struct {
		History []struct {
			ClientId    int
			Start, End  int
			Description string
		}
		PartialLinearizations [][]struct {
			Index            int
			StateDescription string
		}
	}
}

// pageOf is the page of a history of the register, and the data in it.
func pageOf(t *testing.T, h []model.Observation) (page string, d data, v Verdict) {
	var b strings.Builder
	v, err := Page(&b, register, h, func(id model.NodeID) string { return fmt.Sprintf("c%d", id) }, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s*const data = (.*)$`).FindStringSubmatch(b.String())
	if found == nil {
		t.Fatal("the page has no data")
	}
	if err := json.Unmarshal([]byte(found[1]), &d); err != nil {
		t.Fatal(err)
	}
	return b.String(), d, v
}

// The page has every operation, with who did it and what came of it, and the states of an order.
func TestPage(t *testing.T) {
	h := []model.Observation{
		{Kind: model.Invoked, Node: 1, Value: 7}, {Kind: model.Invoked, Node: 2, Value: 0},
		{Kind: model.Returned, Node: 2, Value: 7}, {Kind: model.Invoked, Node: 2, Value: "flip"},
	}
	page, d, v := pageOf(t, h)
	if v != Linearizable || !strings.HasPrefix(page, "<!doctype html>") {
		t.Errorf("verdict %v, page %.40s", v, page)
	}
	var says []string
	for _, op := range d.Partitions[0].History {
		if op.Start >= op.End {
			t.Errorf("%s ends before it begins", op.Description)
		}
		says = append(says, op.Description)
	}
	want := `["c1: 7 (does not return)" "c2: 0 → 7" "c2: \"flip\" (does not return)"]`
	if got := fmt.Sprintf("%q", says); got != want {
		t.Errorf("operations %s, want %s", got, want)
	}
	for _, op := range d.Partitions[0].History {
		if want := map[string]int{"c1": 0, "c2": 1}[op.Description[:2]]; op.ClientId != want {
			t.Errorf("%s is on line %d, want %d: there are no others", op.Description, op.ClientId, want)
		}
	}
	if !strings.Contains(page, `const clientNames = ["c1","c2"]`) {
		t.Error("the lines have no names")
	}
	if steps := d.Partitions[0].PartialLinearizations[0]; len(steps) != 3 || steps[0].StateDescription != "{0, 7}" {
		t.Errorf("an order of all: %v", steps)
	}
}

// A history that no order explains has the orders that explain the most of it, and the page does not
// depend on chance.
func TestPageOfIllegalHistory(t *testing.T) {
	h := []model.Observation{
		{Kind: model.Invoked, Node: 1, Value: 7}, {Kind: model.Invoked, Node: 2, Value: 8}, {Kind: model.Invoked, Node: 3, Value: 0},
		{Kind: model.Returned, Node: 1, Value: "ok"}, {Kind: model.Returned, Node: 2, Value: "ok"},
		{Kind: model.Invoked, Node: 1, Value: 0}, {Kind: model.Invoked, Node: 2, Value: 0},
		{Kind: model.Returned, Node: 1, Value: 7}, {Kind: model.Returned, Node: 2, Value: 8}, {Kind: model.Returned, Node: 3, Value: 9},
	}
	first, d, v := pageOf(t, h)
	if v != Illegal {
		t.Errorf("verdict %v", v)
	}
	orders := d.Partitions[0].PartialLinearizations
	if len(orders) < 2 || len(orders[0]) != 3 {
		t.Fatalf("the orders are %v", orders)
	}
	for range 20 {
		if again, _, _ := pageOf(t, h); again != first {
			t.Fatal("the page is another each time")
		}
	}
}

// What names and values say cannot end the script that they are in.
func TestPageOfHostileNames(t *testing.T) {
	hostile := model.Object{Name: "hostile", Init: "</script>", Step: func(state any, _ model.NodeID, _ any) []model.Effect {
		return []model.Effect{{State: state, Result: "</script><script>alert(1)</script>"}}
	}}
	var b strings.Builder
	h := []model.Observation{{Kind: model.Invoked, Value: "<!--"}, {Kind: model.Returned, Value: "</script><script>alert(1)</script>"}}
	if _, err := Page(&b, hostile, h, func(model.NodeID) string { return "</script>" }, time.Minute); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "</script>"); n != 1 || strings.Contains(b.String(), "<!--") {
		t.Errorf("the script ends %d times", n)
	}
	if !strings.Contains(b.String(), `\u0026lt;/script\u0026gt;`) {
		t.Error("the page takes a state for HTML")
	}
}

// A panic of the specification is an error, and nothing is written.
func TestPageOfPanickingObject(t *testing.T) {
	bad := model.Object{Name: "bad", Init: 0, Step: func(any, model.NodeID, any) []model.Effect { panic("no") }}
	var b strings.Builder
	v, err := Page(&b, bad, []model.Observation{{Kind: model.Invoked, Value: 0}, {Kind: model.Returned, Value: 0}}, func(model.NodeID) string { return "c" }, time.Minute)
	if v != Unknown || err == nil || b.Len() > 0 {
		t.Errorf("verdict %v, error %v, %d bytes", v, err, b.Len())
	}
}

// A page of another version of porcupine, whose lines do not begin as those here do, is refused.
func TestNamedRefuses(t *testing.T) {
	if _, err := nameClients([]byte("const data = {}"), []string{"c1"}); err == nil || !strings.Contains(err.Error(), "of a version whose clients cannot be named") {
		t.Errorf("error %v", err)
	}
	if got, err := nameClients([]byte("const data = {}; i < realClients ? i.toString() : i < realClients ? i : 0"), []string{"</script>"}); err != nil || strings.Contains(string(got), "</script>") {
		t.Errorf("%s, %v", got, err)
	}
}
