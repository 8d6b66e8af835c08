package main

import (
	"fmt"
	"io"
	"slices"

	"contend/checker"
	"contend/checker/mutate/driver"
)

// A kind is the kind of an edit's outcome, the strongest last.
type kind int

const (
	missed kind = iota // no row is other than without the edit
	masked             // a claim breaks, but the row names a recorded finding of the protocol
	caught             // a row fails
	misfit             // the text is not in the file, or the program does not build
)

func (k kind) String() string { return [...]string{"missed", "masked", "caught", "does not fit"}[k] }

// tooLong is the reason why a row that goes beyond its time has no answer.
const tooLong = "it takes too long"

// An outcome is the outcome of an edit in a row.
type outcome struct {
	kind  kind
	limit bool // no claim is violated, but a limit leaves a claim open, or nothing puts it to the test
	row   string
	text  string // which claim, and how
}

// stronger reports whether an outcome says more than another.
func (o outcome) stronger(than outcome) bool {
	return o.kind > than.kind || o.kind == than.kind && than.limit && !o.limit
}

// judge compares a row's answer with the answer without the edit. Ended is the reason why there is no
// answer, or "".
func judge(before, after driver.Answer, ended string) (best outcome) {
	switch {
	case ended == tooLong:
		return outcome{kind: caught, limit: true, text: ended}
	case ended != "":
		return outcome{kind: caught, text: ended}
	case after.Error != "":
		return outcome{kind: caught, text: "the row is refused: " + after.Error}
	}
	for _, c := range after.Claims {
		var was driver.Claim
		if i := slices.IndexFunc(before.Claims, func(o driver.Claim) bool { return o.Name == c.Name }); i >= 0 {
			was = before.Claims[i]
		}
		if o := judgeClaim(was, c); o.stronger(best) {
			best = o
		}
	}
	return best
}

// judgeClaim compares the results of a claim.
func judgeClaim(was, is driver.Claim) outcome {
	const violated, open = string(checker.Violated), string(checker.Inconclusive)
	switch {
	case is.Verdict == violated && is.Finding == "":
		text := is.Name + ": " + is.Text
		if is.Steps > 0 {
			text = fmt.Sprintf("%s, after %d steps: %s", is.Name, is.Steps, is.Text)
		}
		return outcome{kind: caught, text: text}
	case is.Verdict == violated && was.Verdict != violated:
		return outcome{kind: masked, text: fmt.Sprintf("%s: the row names the finding %s", is.Name, is.Finding)}
	case is.Verdict == open && was.Verdict != "" && (was.Verdict != open || was.Limit != is.Limit):
		return outcome{kind: caught, limit: true, text: is.Name + ": " + is.Limit}
	}
	return outcome{kind: missed}
}

// A result has the outcomes of an edit in all rows that ran.
type result struct {
	outcome
	rows []outcome
}

// print prints a line, and with all a line below it for each row.
func (r result) print(w io.Writer, protocol string, e entry, all bool) {
	what := r.kind.String()
	switch {
	case e.harmless && r.kind == missed:
		what = "harmless, and no check fails"
	case e.harmless && r.kind == caught:
		what = "FALSE ALARM"
	case r.kind == missed:
		what = "MISSED"
	}
	if r.kind == missed || r.kind == misfit {
		fmt.Fprintf(w, "%s %s: %s: %s\n", protocol, e.name, what, or(r.text, e.title))
	} else {
		fmt.Fprintf(w, "%s %s: %s: %s (%s)\n", protocol, e.name, what, r.text, r.row)
	}
	for _, o := range r.rows {
		if all {
			fmt.Fprintf(w, "\t%s: %s: %s\n", o.row, o.kind, or(o.text, "as without the edit"))
		}
	}
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// A tally counts outcomes.
type tally struct {
	bugs, harmless, limits, alarms int
	kinds                          [misfit + 1]int // of bugs
	unfit                          int             // harmless edits that do not fit
}

func (t *tally) add(e entry, r result) {
	if !e.harmless {
		t.bugs++
		t.kinds[r.kind]++
		if r.limit {
			t.limits++
		}
		return
	}
	t.harmless++
	switch r.kind {
	case misfit:
		t.unfit++
	case missed:
	default:
		t.alarms++
	}
}

// good reports whether each bug is caught, and no harmless edit fails a check.
func (t *tally) good() bool { return t.kinds[caught] == t.bugs && t.alarms == 0 && t.unfit == 0 }

func (t *tally) String() string {
	return fmt.Sprintf("%d bugs, %d caught (%d by a limit only), %d missed, %d masked by a finding, %d do not fit; %d harmless edits, %d false alarms, %d do not fit",
		t.bugs, t.kinds[caught], t.limits, t.kinds[missed], t.kinds[masked], t.kinds[misfit], t.harmless, t.alarms, t.unfit)
}
