package mutate

import (
	"slices"

	"contend/checker"
	"contend/checker/mutate/driver"
	"contend/model"
)

// compare returns the strongest outcome of a mutant in a row, relative to the original's answer. Ended is the
// reason why there is no answer, or "".
func compare(original, mutant driver.Answer, ended string) (best Tried) {
	best.Outcome = Survived
	switch {
	case ended == crashed:
		return Tried{Outcome: Caught, How: ByFailure, By: "the program crashes"}
	case ended != "":
		return Tried{Outcome: Limit, By: ended}
	case mutant.Error != "":
		return Tried{Outcome: Caught, How: ByFailure, By: mutant.Error}
	}
	for _, c := range mutant.Claims {
		var was driver.Claim
		if i := slices.IndexFunc(original.Claims, func(o driver.Claim) bool { return o.Name == c.Name }); i >= 0 {
			was = original.Claims[i]
		}
		if is := compareClaim(was, c); stronger(is, best) {
			best = is
		}
	}
	return best
}

// compareClaim returns the outcome of one claim's verdicts.
func compareClaim(was, is driver.Claim) Tried {
	const holds, violated = string(checker.Holds), string(checker.Violated)
	found := was.Verdict == violated && was.Finding != ""
	switch {
	case is.Lost && !was.Lost, found && is.Verdict == violated && is.Finding == "", found && is.Verdict == holds:
		return Tried{Outcome: Caught, How: ByFinding, By: is.Name}
	case is.Verdict == violated && was.Verdict != violated && is.Name == model.NoHandlerFails:
		return Tried{Outcome: Caught, How: ByFailure, By: is.Text, Steps: is.Steps}
	case is.Verdict == violated && was.Verdict != violated:
		return Tried{Outcome: Caught, How: ByClaim, By: is.Name, Steps: is.Steps}
	case is.Limit == checker.Stuck && was.Limit != checker.Stuck:
		return Tried{Outcome: Caught, How: ByFailure, By: "a handler does not return"}
	case is.Verdict != was.Verdict || is.Limit != was.Limit:
		return Tried{Outcome: Limit, By: is.Name + ": " + or(is.Limit, is.Verdict)}
	}
	return Tried{Outcome: Survived}
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
