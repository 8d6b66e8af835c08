package checker_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"contend/checker"
	"contend/checker/verdict"
	"contend/impl/backoff"
	"contend/model"
)

// Full lets tests take minutes.
var Full = flag.Bool("full", false, "search more: of the table of section 5, of refinements, of drift")

// The table of docs/proofs/section5-table.md is made by
//
//	go test ./checker -run TestSection5 -update -timeout 2h
//
// from the rows below. Lemma 1 is checked over every real-valued run. Corollary 2, for
// which dense time cannot say that something is possible from everywhere, is checked on the
// grid, with clocks of servers such that it closes no bound that the leases rest on.
const (
	section5Doc   = "../docs/proofs/section5-table.md"
	section5Clock = "whole-ticks"
	section5Time  = 2 * time.Minute // for one row
	section5Cheap = 300             // states: rows up to this many are checked by every go test
	section5Full  = 10_000          // and with -full
	tableBegins   = "<!-- made by go test ./checker -run TestSection5 -update -->\n"
	tableEnds     = "<!-- end -->\n"
)

// row is one cell of the table: an option, a claim, a network.
func lemma1(option string, network model.NetworkModel, n, clients, tries int) model.Check {
	c := model.Config{N: n, Network: network}.With(model.Clients.Is(clients), backoff.Tries.Is(tries))
	return model.Check{Variant: option, Config: c, Reading: model.Dense, Claims: []string{"Lemma 1"}}
}

func corollary2(option string, network model.NetworkModel, n int) model.Check {
	c := model.Config{N: n, Network: network}.With(model.Clients.Is(2), backoff.Tries.Is(2))
	if network == model.ConstantNetwork {
		c.Faults.Crashes = 1
	}
	if option = joined("finite", option); !exactly[option] {
		option = joined(section5Clock, option)
	}
	return model.Check{Variant: option, Config: c, Reading: model.Grid, Claims: []string{"Corollary 2"}}
}

func joined(a, b string) string { return strings.Trim(a+"+"+b, "+") }

// exactly are the variants whose violations are real whatever is closed: they are
// checked as they are.
var exactly = map[string]bool{
	"finite+safe": true, "finite+eager": true, "finite+enqueue+safe": true,
}

const (
	constant   = model.ConstantNetwork
	stable     = model.StableNetwork
	shared     = model.StableNetwork + ":0,0"
	eventually = model.EventuallyStableNetwork
	anyhow     = model.AsynchronousNetwork
)

func section5Rows() []model.Check {
	var rows []model.Check
	for _, option := range []string{"", "safe", "safe-retry", "enqueue", "enqueue-fresh", "parameterized", "parameterized-granted", "eager", "eager-paced"} {
		switch option {
		case "enqueue-fresh": // refuted with a server that is slow to each client
			rows = append(rows, lemma1(option, "", 3, 3, 1), lemma1(option, stable, 3, 2, 1))
		case "enqueue", "parameterized": // refuted where it is smallest
			rows = append(rows, lemma1(option, "", 2, 2, 1), lemma1(option, stable, 3, 2, 1))
		default:
			rows = append(rows, lemma1(option, "", 3, 3, 1), lemma1(option, stable, 3, 2, 2), lemma1(option, shared, 3, 2, 2))
		}
		rows = append(rows, lemma1(option, eventually, 3, 2, 2), lemma1(option, anyhow, 3, 2, 2))
		if option != "parameterized" {
			rows = append(rows, corollary2(option, "", 2), corollary2(option, constant, 2), corollary2(option, stable, 3),
				corollary2(option, shared, 3), corollary2(option, eventually, 1), corollary2(option, eventually, 2))
		}
	}
	for _, option := range []string{
		"enqueue+safe", "enqueue+safe-retry", "enqueue+parameterized-granted", "enqueue+eager-paced",
		"safe-retry+parameterized-granted", "safe-retry+eager-paced", "parameterized-granted+eager-paced",
		"enqueue+safe-retry+parameterized-granted", "enqueue+safe-retry+eager-paced",
		"safe-retry+parameterized-granted+eager-paced", "enqueue+safe-retry+parameterized-granted+eager-paced",
	} {
		rows = append(rows, lemma1(option, "", 2, 2, 2), lemma1(option, "", 3, 2, 2), lemma1(option, stable, 3, 2, 2), lemma1(option, eventually, 3, 2, 1), lemma1(option, anyhow, 3, 2, 1),
			corollary2(option, "", 2), corollary2(option, constant, 2), corollary2(option, eventually, 1))
	}
	return rows
}

// cell is a row of the table without its verdict.
func section5Cell(t *testing.T, c model.Check) (front, command string) {
	t.Helper()
	s, err := backoff.Protocol.System(c.Variant, c.Config)
	if err != nil {
		t.Fatal(err)
	}
	option := strings.TrimPrefix(strings.TrimPrefix(c.Variant, section5Clock), "+")
	option = strings.Trim(strings.TrimPrefix(option, "finite"), "+")
	if option == "" {
		option = "Figure 1"
	}
	network := c.Config.Network
	if network == "" {
		network = model.SynchronousNetwork
	}
	return fmt.Sprintf("| %s | %s | %s | ", option, c.Claims[0], network), verdict.Command(backoff.Protocol, c, s.Config)
}

// section5Verdict checks a row.
func section5Verdict(t *testing.T, c model.Check, opt checker.Options) (verdict string, states int64) {
	t.Helper()
	s, err := backoff.Protocol.System(c.Variant, c.Config)
	if err != nil {
		t.Fatal(err)
	}
	claim, err := backoff.Protocol.Claim(c.Claims[0])
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := backoff.Protocol.Variant(c.Variant); c.Variant != "" && len(v.Made(claim).Unmet(s, c.Reading)) > 0 {
		return string(checker.NotClaimed), 0
	}
	rows, err := checker.Check(backoff.Protocol, c, opt)
	if err != nil {
		t.Fatal(err)
	}
	is := rows[0].Claims[0]
	verdict, states = string(is.Verdict), rows[0].States+rows[0].Schedules
	switch {
	case is.Finding != "":
		verdict += " (finding)"
	case !is.Limit.None():
		verdict += ": " + is.Limit.String()
	}
	return verdict, states
}

// Every row of the table of section 5 is in the document with its command, in order, and
// those that are cheap come out as it says.
func TestSection5(t *testing.T) {
	doc, err := os.ReadFile(filepath.FromSlash(section5Doc))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(doc), tableBegins)
	table, after, end := strings.Cut(rest, tableEnds)
	if !ok || !end {
		t.Fatal("the document has no place for the table")
	}
	if *update {
		table = section5Table(t)
		if err := os.WriteFile(filepath.FromSlash(section5Doc), []byte(before+tableBegins+table+tableEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	cheap := int64(section5Cheap)
	if *Full {
		cheap = section5Full
	}
	lines := strings.Split(strings.TrimSpace(table), "\n")
	rows := section5Rows()
	if len(lines) != len(rows)+2 {
		t.Fatalf("the table has %d rows, but there are %d: make it again", len(lines)-2, len(rows))
	}
	for i, c := range rows {
		front, command := section5Cell(t, c)
		line := lines[i+2]
		if !strings.HasPrefix(line, front) || !strings.HasSuffix(line, "`"+command+"` |") {
			t.Errorf("row %d of the table is\n%s\nbut the check is\n%s… %s", i+1, line, front, command)
			continue
		}
		var states int64
		cells := strings.Split(line, " | ")
		if _, err := fmt.Sscan(cells[4], &states); err != nil || states == 0 || states > cheap || c.Schedules > 0 {
			continue
		}
		if verdict, found := section5Verdict(t, c, checker.Options{}); verdict != cells[3] || found != states {
			t.Errorf("%s\ncomes to %s after %d states, but the table says %s after %d", command, verdict, found, cells[3], states)
		}
	}
}

func section5Table(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| option | claim | network | verdict | states, or runs | command |\n|---|---|---|---|---|---|\n")
	for _, c := range section5Rows() {
		front, command := section5Cell(t, c)
		verdict, states := section5Verdict(t, c, checker.Options{Timeout: section5Time})
		line := fmt.Sprintf("%s%s | %d | `%s` |\n", front, verdict, states, command)
		t.Log(line)
		b.WriteString(line)
	}
	return b.String()
}
