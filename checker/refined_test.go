package checker_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/judge"
	"contend/checker/search"
	"contend/impl"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// The tables of docs/refinement-table.md are made by
//
//	go test ./checker -run TestRefinementAlone -update -timeout 1h
//
// from the mutants of all protocols that refine a page. Each mutant is searched where it shows, for the claim of
// refinement and no other. What a mutant's kept run shows the page is looked at in every go test; the searches of up to
// so many states are made again.
const (
	refinedDoc   = "../docs/refinement-table.md"
	refinedMade  = "<!-- made by go test ./checker -run TestRefinementAlone -update -timeout 1h -->\n"
	refinedMost  = 3_000_000 // states: a search that needs more decides nothing
	refinedCheap = 300
	refinedFull  = 50_000
)

// exits are options with which a protocol's claim of refinement may be asked, where it may not be without.
var exits = map[string]string{"backoff": "leaving"}

// A refined row is a mutant, and the claim that is asked of it.
type refined struct {
	*model.Protocol
	page, breaks model.Claim
	mutant       model.Variant
}

func refinedRows(t *testing.T) (rows []refined) {
	for _, p := range impl.Suite {
		page := slices.IndexFunc(p.Properties, func(c model.Claim) bool { return c.Kind == model.Refines })
		if page < 0 {
			continue
		}
		for _, v := range p.Variants {
			if v.Mutant() {
				breaks, err := p.Claim(v.Breaks)
				require.NoError(t, err)
				rows = append(rows, refined{p, p.Properties[page], breaks, v})
			}
		}
	}
	return rows
}

// safety reports whether the mutant breaks a claim of safety: one of progress may be of the kind always, and say that no
// run stops.
func (r refined) safety() bool { return r.breaks.Safety() && !r.breaks.Done }

// An found is what came of asking for refinement alone.
type found struct {
	verdict, steps, states string
}

const (
	isRefuted = "refuted"
	isOpen    = "not decided"
	unasked   = "not asked"
)

// ask searches for the refinement alone, where the mutant shows, whatever the claim assumes: some mutants are a fault too
// many.
func (r refined) ask(t *testing.T) found {
	p, c := r.Protocol, r.mutant.Show
	c.Variant, c.Claims, c.AssumeAnyway = r.mutant.Name, []string{r.page.Name}, true
	if name, needed := exits[p.Name]; needed {
		p, c.Variant = with(t, p, r.mutant, name), r.mutant.Name+"-"+name
	}
	rows, err := checker.Check(p, c, checker.Options{MaxStates: refinedMost})
	if err != nil {
		require.ErrorContains(t, err, "has its own clients", r.mutant.Name)
		return found{verdict: unasked}
	}
	is := rows[0].Claims[0]
	a := found{string(is.Verdict), "", fmt.Sprint(rows[0].States)}
	switch {
	case is.Verdict == checker.Violated:
		a.verdict, a.steps = isRefuted, fmt.Sprint(is.Steps)
	case is.Verdict == checker.Inconclusive:
		require.True(t, is.Limit.Code == search.States, "%s: %s", r.mutant.Name, is.Limit)
		a.verdict, a.states = isOpen, fmt.Sprintf("> %d", refinedMost)
	}
	return a
}

// with is a protocol that has, besides, a mutant together with an option.
func with(t *testing.T, p *model.Protocol, mutant model.Variant, name string) *model.Protocol {
	option, err := p.Variant(name)
	require.NoError(t, err)
	both := mutant
	both.Name += "-" + name
	both.Edit = func(s *model.System) {
		mutant.Edit(s)
		option.Edit(s)
		for _, n := range s.Nodes {
			n.New() // an option that is not for a mutant's nodes says so here
		}
	}
	q := *p
	q.Variants = append(slices.Clip(slices.Clone(p.Variants)), both)
	return &q
}

// kept takes the kept run of the mutant, which breaks its own claim, and says how long it is and what the
// page sees of that: "" where it is no run of the page.
func (r refined) kept(t *testing.T) (steps int, why string) {
	tr, err := traces.Load(keptAt(r.Protocol, r.mutant))
	require.NoError(t, err)
	if _, needed := exits[r.Name]; needed { // that the run was searched without
		return len(tr.Steps), map[bool]string{false: "progress"}[r.safety()]
	}
	tr.Watched = []string{r.breaks.Name, r.page.Name}
	run, err := replay.Replay(r.Protocol, tr, judge.Watched([]model.Claim{r.breaks, r.page}))
	require.NoError(t, err, r.mutant.Name)
	text := ""
	for _, v := range run.World.Violations {
		if v.Claim == r.page.Name {
			return len(tr.Steps), ""
		}
		text = v.Text
	}
	sees := func(o model.Observation) bool { _, seen := r.page.Refinement.See(o); return seen }
	switch {
	case !r.safety():
		return len(tr.Steps), "progress"
	case r.breaks.Invariant != nil:
		return len(tr.Steps), "not shown, states of nodes: " + text
	case !slices.ContainsFunc(run.Records[len(run.Records)-1].Observations, sees):
		return len(tr.Steps), "not shown: " + text
	}
	return len(tr.Steps), "allowed: " + text
}

// name is the first cell of a row.
func (r refined) name() string { return fmt.Sprintf("| `%s/%s` | ", r.Name, r.mutant.Name) }

// last are the cells that take no search. A run of a mutant that the page refuses needs no reason.
func (r refined) last(t *testing.T, verdict string) string {
	steps, why := r.kept(t)
	switch verdict {
	case isRefuted:
		why = ""
	case unasked:
		why = "its clients are its own, and do not say when they leave"
	default:
		require.NotEmpty(t, why, "the page refuses the kept run of %s, but a search does not find that", r.mutant.Name)
	}
	return fmt.Sprintf(" | %d | %s |\n", steps, why)
}

// Every mutant of a protocol that refines a page is in the table, in order, with what it breaks, what its kept run shows
// the page, and what came of asking for refinement alone.
func TestRefinementAlone(t *testing.T) {
	rows := refinedRows(t)
	if *update {
		require.NoError(t, os.WriteFile(filepath.FromSlash(refinedDoc), []byte(refinedPage(t, rows)), 0o644))
		return
	}
	doc, err := os.ReadFile(filepath.FromSlash(refinedDoc))
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(doc)) {
		if strings.HasPrefix(line, "| `") {
			lines = append(lines, line)
		}
	}
	require.Len(t, lines, len(rows), "make the table again")
	assert.Contains(t, string(doc), refinedSums(rows, lines))
	most := refinedCheap
	if *Full {
		most = refinedFull
	}
	for i, r := range rows {
		cells := strings.Split(lines[i], " | ")
		if !assert.True(t, strings.HasPrefix(lines[i], r.name()+r.breaks.Name+" | "), lines[i]) {
			continue
		}
		assert.True(t, strings.HasSuffix(lines[i], r.last(t, cells[2])), lines[i])
		states := 0
		if _, err := fmt.Sscan(cells[4], &states); cells[2] == unasked || err == nil && states <= most {
			assert.Equal(t, found{cells[2], cells[3], cells[4]}, r.ask(t), lines[i])
		}
	}
}

// TestRefinementOfTheUnchanged sees to it that no protocol itself is refuted, as its mutants are. Without -full one check of each protocol is
// searched.
func TestRefinementOfTheUnchanged(t *testing.T) {
	most := int64(5_000)
	if *Full {
		most = 500_000
	}
	asked := map[string]*refined{}
	for _, r := range refinedRows(t) {
		asked[r.Name] = &r
	}
	for name, r := range asked {
		for _, c := range r.Checks {
			option, needed := exits[name]
			if c.Schedules > 0 || needed && c.Variant != "" {
				continue
			}
			if needed {
				c.Variant = option
			}
			c.Claims = []string{r.page.Name}
			rows, err := checker.Check(r.Protocol, c, checker.Options{MaxStates: most})
			require.NoError(t, err)
			is := rows[0].Claims[0]
			if !assert.NotEqual(t, checker.Violated, is.Verdict, "%s: %s", rows[0].Command, is.Text) {
				continue
			}
			t.Log(rows[0].Command, is.Verdict, is.Limit)
			if !*Full {
				break
			}
		}
	}
}

// refinedPage is the page, with every search made.
func refinedPage(t *testing.T, rows []refined) string {
	var lines []string
	for _, r := range rows {
		a := r.ask(t)
		lines = append(lines, r.name()+strings.Join([]string{r.breaks.Name, a.verdict, a.steps, a.states}, " | ")+r.last(t, a.verdict))
		t.Log(lines[len(lines)-1])
	}
	return refinedBegins + refinedMade + refinedSums(rows, lines) + refinedHead + strings.Join(lines, "")
}

// refinedSums counts, by protocol and for the mutants that break a claim of safety and the others.
func refinedSums(rows []refined, lines []string) string {
	verdicts := []string{isRefuted, string(checker.Holds), isOpen, unasked}
	var b strings.Builder
	b.WriteString("| protocol | its mutants break | mutants | " + strings.Join(verdicts, " | ") + " |\n|---|---|---|---|---|---|---|\n")
	for i, r := range rows {
		if i > 0 && rows[i-1].Protocol == r.Protocol {
			continue
		}
		for _, safety := range []bool{true, false} {
			counts := map[string]int{}
			all := 0
			for k, other := range rows {
				if other.Protocol == r.Protocol && other.safety() == safety {
					counts[strings.Split(lines[k], " | ")[2]]++
					all++
				}
			}
			fmt.Fprintf(&b, "| %s, `%s` | %s | %d |", r.Name, r.page.Name, map[bool]string{true: "safety", false: "progress"}[safety], all)
			for _, v := range verdicts {
				fmt.Fprintf(&b, " %d |", counts[v])
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

const (
	refinedBegins = `# What refinement alone refutes

Each mutant of the protocols that refine a page of [impl/pages](../impl/pages), in its own configuration, with refinement as the only claim
(` + "`verify check PROTOCOL/MUTANT --claim \"refines …\"`" + `), within its bounds and cuts, and 3,000,000 states. Those of backoff are joined with the option
leaving. [Refinement](refinement.md#what-it-finds) says what comes of it.

- *steps*: of a shortest run that the page refuses. *own*: of the kept run that breaks the mutant's own claim.
- *why not*: why the page does not refuse that kept run. *not shown*: it shows nothing of what breaks the claim. *allowed*: a run of the page shows
  the same. *progress*: something never happens. How the claim is broken follows the colon.
- *not decided*: there are more states. *not asked*: the mutant cannot be joined with leaving.

`
	refinedHead = `
| mutant | breaks | refinement alone | steps | states | own | why not |
|---|---|---|---|---|---|---|
`
)
