package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl"
	"contend/impl/mutex"
	"contend/impl/ricartagrawala"
	"contend/impl/tables"
	"contend/model"
	"contend/model/printed"
)

// docs/tables.md is what verify table --markdown prints; -update writes it.
func TestTables(t *testing.T) {
	if !*full && !*update {
		t.Skip("the whole table takes half a minute: -full")
	}
	var page, errors strings.Builder
	code := Run(impl.Suite, []string{"table", "--markdown"}, &page, &errors, Tables(tables.All))
	assert.Zero(t, code, "each difference is recorded, and no cell is open: %s", errors.String())
	path := filepath.Join("..", "..", "docs", "tables.md")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(page.String()), 0o644))
	}
	is, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, page.String(), string(is), "go test ./checker/verify -run TestTables -update writes it")
}

// printedTable is the table of a text that is right in the first row and errs in the second; the
// third records what is not so, or cannot be.
var printedTable = Tables(func() []*printed.Comparison { return printedRows })

var printedRows = []*printed.Comparison{
	printedRow("right", 2, ""),
	printedRow("errs", 3, ""),
	printedRow("known", 3, "the text counts a message twice"),
	printedRow("mistaken", 2, "the text is said to count a message twice"),
	{
		Name: "calm", Title: "what does not go wrong", Protocol: ricartagrawala.Protocol, Source: "nowhere", Size: printed.Size{Name: "N"},
		Problems: []printed.Problem{{Text: "What if two enter?", Claim: "mutual exclusion", Check: smallest(2)}},
	},
	gridRow("upper", true), gridRow("lower", false),
}

// grid is a table that is a matrix of two rows, of which the second lacks a cell.
var grid = &printed.Table{
	Name: "grid", Title: "A grid", About: "What there is.", Matrix: true,
	Columns: []string{"order", "safety"}, Missing: "none",
}

// gridRow is a row of grid: as printed, or with a difference that is known.
func gridRow(name string, first bool) *printed.Comparison {
	crash := smallest(2)
	crash.Config.Faults, crash.AssumeAnyway = model.Faults{Crashes: 1}, true
	c := &printed.Comparison{
		Name: name, Title: name + " row", Table: grid, Protocol: ricartagrawala.Protocol, Source: "nowhere", Size: printed.Size{Name: "N"},
		Properties: []printed.Property{
			{Name: "safety", When: "two ask", Text: "Yes", Holds: true, Claims: []string{"mutual exclusion"}, Check: smallest(2), Also: []model.Check{smallest(3)}},
			{Name: "order", When: "two ask", Claims: []string{"happened-before order"}, Check: smallest(2), Also: []model.Check{smallest(3)}},
			{Name: "liveness", When: "one crashes", Text: "Yes", Holds: true, Claims: []string{"every request is granted"}, Check: crash, Differs: "who has crashed does not answer"},
		},
	}
	if !first {
		c.Properties = append(c.Properties[:1], c.Properties[2:]...)
	}
	return c
}

func smallest(n int) model.Check {
	return model.Check{Config: model.Config{N: n}.With(model.Ops.Is(1), mutex.Asking.Is(2))}
}

// printedRow is a row that prints a client delay, and that the lock is not safe where that is wrong.
func printedRow(name string, delay int, differs string) *printed.Comparison {
	is := func(int) int { return delay }
	return &printed.Comparison{
		Name: name, Title: "Ricart–Agrawala", Protocol: ricartagrawala.Protocol, Source: "nowhere", Size: printed.Size{Name: "N"},
		Numbers: []printed.Number{{
			Cost: "client delay", When: "two ask", Text: "round-trip", Least: is, Most: is, At: smallest, Sizes: []int{2, 3}, More: []int{4}, Differs: differs,
		}, {
			Cost: "messages per entry and exit", When: "two ask", At: smallest, Sizes: []int{2, 3},
		}},
		Properties: []printed.Property{
			{Name: "safety", Text: "Yes", Holds: delay == 2, Claims: []string{"mutual exclusion"}, Check: smallest(2), Differs: differs},
		},
	}
}
