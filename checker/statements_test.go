package checker_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/model"
	"contend/traces"
)

// The table of docs/proofs/README.md is made by
//
//	go test ./checker -run TestStatements -update
//
// from the claims of the two protocols. Links name lines of the code, so that it is to be made
// again when these move.
const (
	statementsDoc   = "../docs/proofs/README.md"
	statementsBegin = "<!-- made by go test ./checker -run TestStatements -update -->\n"
)

// more is what the claims do not say of themselves: the test, besides that of all checks of its
// protocol, that looks hardest at a claim, and the largest bounds of a complete search, as the
// pages of proof record it.
var more = map[string]struct{ test, largest string }{
	"Lemma 1":                  {"TestSection5", "n = 8, b = 1, two clients of one try; n = 3, three clients of three; dense"},
	"Lemma 1, grants":          {"", "n = 6, b = 1, one try; untimed"},
	"Corollary 2":              {"TestSection5", "n = 3, two clients of two tries, a server slow to each; grid"},
	"Corollary 2, adaptive":    {"", "n = 3, two clients; grid"},
	"Corollary 2, foreseeing":  {"", "n = 3, two clients; n = 1, three; grid"},
	"Corollary 2, again":       {"", "n = 2, two clients; n = 1, three; grid"},
	"Instability, nonadaptive": {"", "n = 2, two clients; grid"},
	"Instability, adaptive":    {"", "n = 1, two clients: holds; n = 2: violated; grid"},

	"Theorem 1":               {"TestStateSpaces", "n = 7, b = 1, two clients of one passage, from `seeded`; n = 3, two clients of one passage, or one of two operations and two passages; n = 3, b = 1, quorum 3, one client of two operations and three passages"},
	"Theorem 1, linearizable": {"", "n = 3, two clients of one passage"},
	"Line 2.25":               {"TestStateSpaces", "as Theorem 1"},
	"Theorem 2":               {"", "n = 2, b = 0, stabilizing"},
	"Theorem 2, reliable":     {"", "n = 2, b = 0, stabilizing; n = 2, one client, composed"},
	"Theorem 2, bounded":      {"", "n = 3, b = 0, stabilizing, one overlap"},
	"Theorem 2, eventually":   {"", "n = 2, b = 0, stabilizing; n = 2, one client, composed"},
	"Theorem 2, adaptive":     {"", "n = 1, two clients, composed-truncated"},
	"Lemma 3":                 {"", lemmasLargest},
	"Corollary 3":             {"", lemmasLargest},
	"Lemma 4 (1)":             {"", "false as printed: n = 1, two passages"},
	"Lemma 4 (2)":             {"", "false as printed: n = 1, one passage"},
	"Lemma 4 (3)":             {"", lemmasLargest},
	"Lemma 4 (1), by rank":    {"", lemmasLargest + lemmasCarried},
	"Lemma 4 (2), by rank":    {"TestLemmasAmongLiars", lemmasLargest},
	"Lemma 4 (3), by rank":    {"TestLemmasAmongLiars", lemmasLargest + lemmasCarried},
}

const (
	lemmasLargest = "n = 3, b = 1, quorum 3, two clients of one passage"
	lemmasCarried = "; the same with one client of two operations and two passages of each"
)

// unclaimed are the statements that no claim is made of.
var unclaimed = []string{
	"| Lemma 2 | all begin at once, none fails, synchronous | [false as printed](backoff.md#lemma-2); parts A to C | none: of expected times | `verify measure backoff` | – | – | – |\n",
	"| Corollary 1 | the same | [proof](backoff.md#corollary-1) | none: of expected times | `verify measure backoff` | – | – | – |\n",
}

// Every claim of the two papers' protocols is in the table with its proof, the line where it is
// made, its test, its kept traces, and how far it was checked.
func TestStatements(t *testing.T) {
	doc, err := os.ReadFile(statementsDoc)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(doc), statementsBegin)
	table, after, end := strings.Cut(rest, tableEnds)
	if !ok || !end {
		t.Fatal("the document has no place for the table")
	}
	is := statements(t)
	if *update {
		if err := os.WriteFile(statementsDoc, []byte(before+statementsBegin+is+tableEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if table != is {
		t.Errorf("the table is not what the code says; make it again: go test ./checker -run TestStatements -update\n%s", firstDifference(table, is))
	}
}

func firstDifference(was, is string) string {
	old := strings.Split(was, "\n")
	for i, line := range strings.Split(is, "\n") {
		if i >= len(old) || old[i] != line {
			return line
		}
	}
	return "it has too many rows"
}

func statements(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| statement | assumes | proof | claim | tests | kept traces | default run | largest complete search |\n|---|---|---|---|---|---|---|---|\n")
	for _, p := range []*model.Protocol{backoff.Protocol, ordering.Protocol} {
		for _, c := range p.Claims {
			at, known := more[c.Name]
			if !known {
				t.Errorf("nothing is said of %s, %s", p.Name, c.Name)
			}
			mustBeThere(t, c.Proof)
			fmt.Fprintf(&b, "| %s | %s | [proof](%s) | %s, %s | %s | %s | %s | %s |\n", c.Name, assumptions(c), strings.TrimPrefix(c.Proof, "docs/proofs/"),
				constructor(t, p, c), c.Kind, tested(t, p, at.test), keptBy(t, p, c), byDefault(p, c), at.largest)
		}
		if p == backoff.Protocol {
			b.WriteString(strings.Join(unclaimed, ""))
		}
	}
	return b.String()
}

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// mustBeThere fails unless a page has a heading of that anchor.
func mustBeThere(t *testing.T, proof string) {
	t.Helper()
	page, anchor, _ := strings.Cut(proof, "#")
	b, err := os.ReadFile(filepath.Join("..", page))
	if err != nil {
		t.Error(err)
	}
	for _, line := range strings.Split(string(b), "\n") {
		heading, is := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if is && line[0] == '#' && strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(heading), ""), " ", "-") == anchor {
			return
		}
	}
	t.Errorf("%s has no heading #%s", page, anchor)
}

func assumptions(c model.Claim) string {
	var out []string
	for _, a := range c.Assumes {
		out = append(out, string(a))
	}
	return strings.Join(out, ", ")
}

// constructor links the line on which a claim gets its name.
func constructor(t *testing.T, p *model.Protocol, c model.Claim) string {
	t.Helper()
	return link(t, c.Name, "impl/"+p.Name, `^\t*(?:Name: |surely\(|causalClaim\(|\{?Name: |.*Name: )"`+regexp.QuoteMeta(c.Name)+`",`, "claims.go", "lemmas.go")
}

// tested links the test that runs a protocol's checks, and one more.
func tested(t *testing.T, p *model.Protocol, name string) string {
	t.Helper()
	all := link(t, "Test", "impl/"+p.Name, `^func Test\(t `, p.Name+"_test.go")
	if name == "" {
		return all
	}
	for _, dir := range []string{"impl/" + p.Name, "checker"} {
		files, err := filepath.Glob("../" + dir + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), "\nfunc "+name+"(") {
				return all + ", " + link(t, name, dir, `^func `+name+`\(`, filepath.Base(f))
			}
		}
	}
	t.Errorf("there is no test %s", name)
	return all
}

// link links the first line of some files of a directory that matches.
func link(t *testing.T, text, dir, pattern string, files ...string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join("..", dir, f))
		if err != nil {
			continue
		}
		for i, line := range strings.Split(string(b), "\n") {
			if re.MatchString(line) {
				return fmt.Sprintf("[%s](../../%s/%s#L%d)", text, dir, f, i+1)
			}
		}
	}
	t.Errorf("%s: no line of %s in %v matches %s", text, dir, files, pattern)
	return text
}

// keptBy links the traces that violate a claim: of findings all, of mutants the first.
func keptBy(t *testing.T, p *model.Protocol, c model.Claim) string {
	t.Helper()
	var out []string
	files, err := filepath.Glob("../impl/" + p.Name + "/findings/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		tr, err := traces.Load(f)
		if err != nil {
			t.Fatal(err)
		}
		if tr.Claim == c.Name {
			out = append(out, fmt.Sprintf("[%s](../%s)", strings.TrimSuffix(filepath.Base(f), ".json"), filepath.ToSlash(f)))
		}
	}
	var mutants []string
	for _, v := range p.Variants {
		if v.Breaks == c.Name {
			mutants = append(mutants, fmt.Sprintf("[%s](../%s)", v.Name, filepath.ToSlash(keptAt(p, v))))
		}
	}
	switch {
	case len(mutants) == 1:
		out = append(out, "mutant "+mutants[0])
	case len(mutants) > 1:
		out = append(out, fmt.Sprintf("%d mutants, %s first", len(mutants), mutants[0]))
	}
	if len(out) == 0 {
		return "–"
	}
	return strings.Join(out, ", ")
}

// byDefault are the bounds of the default run in which a claim is checked, the largest of each
// reading: by servers, then liars, clients and operations.
func byDefault(p *model.Protocol, c model.Claim) string {
	var out []string
	for _, r := range []model.Reading{model.Untimed, model.Grid, model.Dense} {
		var of []model.Check
		for _, k := range p.Checks {
			if k.Schedules == 0 && slices.Contains(k.Claims, c.Name) && read(c, k) == r {
				of = append(of, k)
			}
		}
		if len(of) == 0 {
			continue
		}
		most := slices.MaxFunc(of, func(a, b model.Check) int { return slices.Compare(sizes(p, a), sizes(p, b)) })
		out = append(out, r.String()+" "+bounds(p, most))
	}
	if len(out) == 0 {
		return "–"
	}
	return strings.Join(out, "; ")
}

// read is how a check of a claim reads time.
func read(c model.Claim, k model.Check) model.Reading {
	if c.Apart != nil {
		k = c.Apart(k)
	}
	return k.Reading
}

func sizes(p *model.Protocol, k model.Check) []int {
	c := p.Filled(k.Config)
	return []int{c.N, c.B, model.Clients.Of(c), model.Ops.Of(c)}
}

func bounds(p *model.Protocol, k model.Check) string {
	out := fmt.Sprintf("n = %d, b = %d, clients = %d", k.Config.N, k.Config.B, model.Clients.Of(p.Filled(k.Config)))
	if k.Variant != "" {
		out += ", `" + k.Variant + "`"
	}
	return out
}
