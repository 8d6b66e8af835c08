package exhaustive

import (
	"testing"

	"contend/checker/plan"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/impl/abd"
	"contend/model"
)

// A claim is open if porcupine did not finish on one of its histories, though no run of a complete search breaks it.
func TestUnjudgedHistoriesLeaveAClaimOpen(t *testing.T) {
	claims := abd.Protocol.Claims[:1]
	of, err := plan.Whole(abd.Protocol, model.Check{Config: model.Config{N: 2}}, claims)
	if err != nil {
		t.Fatal(err)
	}
	for _, unjudged := range []bool{false, true} {
		x, err := newExhaustive(of, verdict.New(of), verdict.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if unjudged {
			x.unjudged[0] = true
		}
		res, err := x.search()
		if err != nil || !res.Complete {
			t.Fatal(res, err)
		}
		want := verdict.ClaimResult{Verdict: verdict.Holds}
		if unjudged {
			want = verdict.ClaimResult{Verdict: verdict.Inconclusive, Limit: decide.Limited("porcupine")}
		}
		if is, _ := x.claimResult(0, res); is.Verdict != want.Verdict || is.Limit != want.Limit {
			t.Errorf("unjudged %v: %s, limit %q", unjudged, is.Verdict, is.Limit)
		}
	}
}
