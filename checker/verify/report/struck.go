package report

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker"
	"contend/model"
)

// budgets returns the budgets of a row's faults. Budgets of crashes and restarts name the nodes that they may strike,
// unless these are all nodes that follow the protocol: a crash of a client does not test the servers.
func (t *table) budgets(row *checker.Row) (out []string) {
	for _, b := range []struct {
		name string
		is   int
		may  func(model.NodeSpec) bool
	}{
		{"crashes", row.Faults.Crashes, model.NodeSpec.MayStop}, {"loss", row.Faults.Loss, nil}, {"duplication", row.Faults.Duplication, nil},
		{"restarts", row.Faults.Restarts, model.NodeSpec.MayRecover}, {"suspicions", row.Faults.Suspicions, nil}, {"partitions", row.Faults.Partitions, nil},
	} {
		if b.is == 0 {
			continue
		}
		text := fmt.Sprintf("%s=%d", b.name, b.is)
		if b.may != nil {
			text += t.struck(row, b.may)
		}
		out = append(out, text)
	}
	return out
}

// mostStruck is the largest number of nodes that are named.
const mostStruck = 4

// struck returns in brackets the nodes of a row that a fault may strike. It names their roles if the fault may strike
// all nodes with these roles, else the nodes. It returns "" if the fault may strike all nodes.
func (t *table) struck(row *checker.Row, may func(model.NodeSpec) bool) string {
	p := t.protocol(row)
	if p == nil {
		return ""
	}
	s, err := row.System(p)
	if err != nil {
		return "" // a checked system can be built
	}
	var names, roles []string
	spared := map[string]bool{} // roles
	for _, n := range s.Nodes {
		switch role := n.Role.String() + "s"; {
		case n.Byzantine:
		case !may(n):
			spared[role] = true
		default:
			names = append(names, n.Name)
			if !slices.Contains(roles, role) {
				roles = append(roles, role)
			}
		}
	}
	switch {
	case len(spared) == 0:
		return ""
	case !slices.ContainsFunc(roles, func(role string) bool { return spared[role] }):
		return " (" + strings.Join(roles, ", ") + ")"
	case len(names) > mostStruck:
		return fmt.Sprintf(" (%d of %d nodes)", len(names), len(s.Nodes))
	}
	return " (" + strings.Join(names, ", ") + ")"
}
