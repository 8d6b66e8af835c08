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
		var before driver.Claim
		if i := slices.IndexFunc(original.Claims, func(o driver.Claim) bool { return o.Name == c.Name }); i >= 0 {
			before = original.Claims[i]
		}
		if tried := compareClaim(before, c); stronger(tried, best) {
			best = tried
		}
	}
	return best
}

// compareClaim returns the outcome of one claim's verdicts.
func compareClaim(before, after driver.Claim) Tried {
	const holds, violated = string(checker.Holds), string(checker.Violated)
	found := before.Verdict == violated && before.Finding != ""
	switch {
	case after.Lost && !before.Lost, found && after.Verdict == violated && after.Finding == "", found && after.Verdict == holds:
		return Tried{Outcome: Caught, How: ByFinding, By: after.Name}
	case after.Verdict == violated && before.Verdict != violated && after.Name == model.NoHandlerFails:
		return Tried{Outcome: Caught, How: ByFailure, By: after.Text, Steps: after.Steps}
	case after.Verdict == violated && before.Verdict != violated:
		return Tried{Outcome: Caught, How: ByClaim, By: after.Name, Steps: after.Steps}
	case after.Limit == checker.Stuck && before.Limit != checker.Stuck:
		return Tried{Outcome: Caught, How: ByFailure, By: stuck}
	case after.Verdict != before.Verdict || after.Limit != before.Limit:
		return Tried{Outcome: Limit, By: after.Name + ": " + or(after.Limit, after.Verdict)}
	}
	return Tried{Outcome: Survived}
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
