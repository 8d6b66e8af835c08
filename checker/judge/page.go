package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"contend/model"
	"contend/model/describe"
)

// Page writes porcupine's page of a history. The page shows the operations of each client over time, and the
// longest orders that explain them, with the object's states. The page is deterministic if porcupine ends
// within the timeout, as the verdict shows. The error is a panic of the object, or of the writer.
func Page(w io.Writer, o model.Object, history []model.Observation, names describe.Names, timeout time.Duration) (Verdict, error) {
	var panicked atomic.Pointer[any]
	described := spec(o, &panicked)
	described.DescribeOperation = func(in, out any) string { return describeOperation(in.(input), out.(output), names) }
	described.DescribeState = func(state any) string {
		return html.EscapeString(describe.Value(state, names)) // the page interprets only states as HTML
	}
	m := described.ToModel()
	ops, _ := operations(o, history)
	clients := renumber(ops, names)
	result, info := porcupine.CheckOperationsVerbose(m, ops, timeout)
	for _, orders := range info.PartialLinearizations() {
		slices.SortFunc(orders, longerFirst) // porcupine lists them in map order
	}
	var page bytes.Buffer
	if panicked.Load() == nil {
		if err := porcupine.Visualize(m, info, &page); err != nil {
			return Unknown, err
		}
	}
	verdict, err := verdictOf(o, result, &panicked)
	if err != nil {
		return verdict, err
	}
	named, err := nameClients(page.Bytes(), clients)
	if err != nil {
		return Unknown, err
	}
	_, err = w.Write(named)
	return verdict, err
}

// renumber renumbers the clients of operations from 0, in the order of their nodes: porcupine's page has a
// line for each number up to the largest. It returns their names.
func renumber(ops []porcupine.Operation, names describe.Names) (clients []string) {
	var nodes []int
	for _, op := range ops {
		nodes = append(nodes, op.ClientId)
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	for i := range ops {
		ops[i].ClientId, _ = slices.BinarySearch(nodes, ops[i].ClientId)
	}
	for _, id := range nodes {
		clients = append(clients, names(model.NodeID(id)))
	}
	return clients
}

// nameClients replaces the clients' numbers in porcupine's page by names.
func nameClients(page []byte, clients []string) ([]byte, error) {
	list, err := json.Marshal(clients) // escapes text that could end the script
	if err != nil {
		return nil, err
	}
	for _, change := range [][2]string{
		{"const data = ", "const clientNames = " + string(list) + "\n      const data = "},
		{"i < realClients ? i.toString() :", "i < realClients ? clientNames[i] :"},
		{"i < realClients ? i :", "i < realClients ? clientNames[i] :"},
	} {
		if n := bytes.Count(page, []byte(change[0])); n != 1 {
			return nil, fmt.Errorf("porcupine's page has %q %d times, not once: it is of a version whose clients cannot be named", change[0], n)
		}
		page = bytes.Replace(page, []byte(change[0]), []byte(change[1]), 1)
	}
	return page, nil
}

func longerFirst(a, b []int) int {
	if len(a) != len(b) {
		return len(b) - len(a)
	}
	return slices.Compare(a, b)
}

// describeOperation formats an operation, as in "c1: Acquire → 3".
func describeOperation(in input, out output, names describe.Names) string {
	text := fmt.Sprintf("%s: %s", names(in.client), describe.Value(in.op, names))
	switch {
	case out.open:
		return text + " (does not return)"
	case out.value == nil:
		return text
	}
	return text + " → " + describe.Value(out.value, names)
}
