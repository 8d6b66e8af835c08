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
)

// docs/tables.md is what verify table --markdown prints; -update writes it.
func TestTables(t *testing.T) {
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
var printedTable = []*model.Comparison{
	printedRow("right", 2, ""),
	printedRow("errs", 3, ""),
	printedRow("known", 3, "the text counts a message twice"),
	printedRow("mistaken", 2, "the text is said to count a message twice"),
	{
		Name: "calm", Title: "what does not go wrong", Protocol: ricartagrawala.Protocol, Source: "nowhere", Size: model.Size{Name: "N"},
		Problems: []model.PrintedProblem{{Text: "What if two enter?", Claim: "mutual exclusion", Check: smallest(2)}},
	},
}

func smallest(n int) model.Check {
	return model.Check{Config: model.Config{N: n}.With(model.Ops.Is(1), mutex.Asking.Is(2))}
}

// printedRow is a row that prints a client delay, and that the lock is not safe where that is wrong.
func printedRow(name string, delay int, differs string) *model.Comparison {
	is := func(int) int { return delay }
	return &model.Comparison{
		Name: name, Title: "Ricart–Agrawala", Protocol: ricartagrawala.Protocol, Source: "nowhere", Size: model.Size{Name: "N"},
		Numbers: []model.PrintedNumber{{
			Cost: "client delay", When: "two ask", Text: "round-trip", Least: is, Most: is, At: smallest, Sizes: []int{2, 3}, More: []int{4}, Differs: differs,
		}, {
			Cost: "messages per entry and exit", When: "two ask", At: smallest, Sizes: []int{2, 3},
		}},
		Properties: []model.PrintedProperty{
			{Name: "safety", Text: "Yes", Holds: delay == 2, Claims: []string{"mutual exclusion"}, Check: smallest(2), Differs: differs},
		},
	}
}
