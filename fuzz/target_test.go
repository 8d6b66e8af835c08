package fuzz

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"contend/checker"
	"contend/checker/judge"
	"contend/checker/sample"
	"contend/model"
	"contend/traces/replay"
)

// mutated is a target that runs one variant only.
func mutated(tg checker.Target, variant string, configure func(sample.Choices) model.Check) checker.Target {
	tg.Configure = func(c sample.Choices) model.Check {
		check := configure(c)
		check.Variant = variant
		return check
	}
	return tg
}

// random makes bytes for a target when there is no fuzzer to make them.
func random(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// A fuzz target that could not fail would be worth nothing: its body, run on random
// bytes, finds a seeded bug. What it finds is shown, and is a trace that replays.
func TestTargetsCanFail(t *testing.T) {
	for _, c := range []struct {
		target  checker.Target
		variant string
		breaks  string
	}{
		{mutated(backoffTarget, "lease-delta", configureBackoff), "lease-delta", "Lemma 1"},
		{mutated(ricartAgrawalaTarget, "always-polite", configureRicartAgrawala), "always-polite", "mutual exclusion"},
		{mutated(bullyTarget, "busy-is-silent", configureBully), "busy-is-silent", "no smaller coordinator"},
		{mutated(maekawaTarget, "votes-again", configureMaekawa), "votes-again", "one candidate"},
		{mutated(centralizedTarget, "grants-at-once", configureCentralized), "grants-at-once", "mutual exclusion"},
		{mutated(changRobertsTarget, "does-not-replace", configureChangRoberts), "does-not-replace", "killed off"},
		{mutated(enhancedRingTarget, "adds-no-id", configureEnhancedRing), "adds-no-id", "one coordinator"},
		{mutated(tokenringTarget, "two-tokens", configureTokenring), "two-tokens", "one holder"},
		{mutated(linTarget, "votes-again", configureLin), "votes-again", "mutual exclusion"},
		{mutated(suzukiKasamiTarget, "token-kept", configureTokens), "token-kept", "one token"},
		{mutated(naimiThiareTarget, "token-kept", configureTokens), "token-kept", "happened-before order"},
		{mutated(multicastBasicTarget, "delivers-early", configureMulticastBasic), "delivers-early", "FIFO order"},
		{mutated(multicastNackTarget, "not-suppressed", configureMulticastNack), "not-suppressed", "suppression"},
		{mutated(multicastFIFOTarget, "no-hold-back", configureMulticastFIFO), "no-hold-back", "FIFO order"},
		{mutated(multicastCausalTarget, "a-alone", configureMulticastCausal), "a-alone", "causal order"},
		{mutated(abdTarget, "no-write-back", configureABD), "no-write-back", "a quorum has what an operation returns"},
		{mutated(chandyLamportTarget, "markers-late", configureChandyLamport), "markers-late", "Theorem 1"},
		{mutated(paxosTarget, "own-value", configurePaxos), "own-value", "one value is chosen"},
		{mutated(multiPaxosTarget, "no-phase-1", configureMultiPaxos), "no-phase-1", "one command is chosen in an instance"},
		{mutated(pbftTarget, "few-prepares", configurePBFT), "few-prepares", "one request is prepared"},
		{mutated(twophaseTarget, "gives-up", configureTwophase), "gives-up", "TPSpec implements TCSpec"},
		{mutated(swimTarget, "skips-a-number", configureSWIM), "skips-a-number", "incarnation numbers"},
		{mutated(threephaseTarget, "two-phases", configureThreephase), "two-phases", "NB"},
		{mutated(raftTarget, "votes-twice", configureRaft), "votes-twice", "a leader has the votes of a majority"},
		{mutated(sigmaTarget, "small-quorum", configureSigma), "small-quorum", "Lemma 3"},
		{mutated(multicastAgreedTarget, "any-agreed", configureMulticastAgreed), "any-agreed", "total order"},
		{mutated(multicastSequencerTarget, "no-hold-back", configureMulticastSequencer), "no-hold-back", "total order"},
		{mutated(multicastUnorderedTarget, "numbers-by-deliveries", configureMulticastUnordered), "numbers-by-deliveries", "integrity"},
		{mutated(multicastViewTarget, "no-flush", configureMulticastView), "no-flush", "virtual synchrony"},
		{mutated(checker.Target{Protocol: credulous}, "credulous", configureOrdering), "credulous", "Theorem 1"},
	} {
		t.Run(c.variant, func(t *testing.T) {
			found := search(t, c.target, c.breaks, 20_000)
			if found.Claim != c.breaks {
				t.Fatalf("want a violation of %s, got: %v", c.breaks, found)
			}
			if !strings.Contains(found.Error(), "arrives") {
				t.Fatalf("the message does not show the run: %v", found)
			}
			if _, err := replay.Replay(c.target.Protocol, found.Trace, judge.Watched(c.target.Protocol.Claims)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// search runs random bytes until one run breaks a claim. It passes over runs that end without the goal of another.
func search(t *testing.T, tg checker.Target, claim string, runs uint64) *checker.Broken {
	t.Helper()
	for seed := range runs {
		_, err := tg.Run(random(seed, 300))
		var found *checker.Broken
		if errors.As(err, &found) {
			if is, err := tg.Protocol.Claim(found.Claim); found.Claim != claim && err == nil && is.Kind == model.Eventually {
				continue
			}
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("not found")
	return nil
}

// Most random bytes are runs that get somewhere: to the end of every script or to a
// cut, and never to the bound on steps.
func TestTargetsReachEnds(t *testing.T) {
	for _, tg := range []checker.Target{backoffTarget, ricartAgrawalaTarget, orderingTarget} {
		ends := map[sample.End]int{}
		for seed := range uint64(200) {
			out, err := tg.Run(random(seed, 399))
			if err != nil {
				t.Fatal(err)
			}
			ends[out.End]++
		}
		if ends[sample.Done] < 40 || ends[sample.Done]+ends[sample.Cut] < 120 || ends[sample.TooLong] > 0 {
			t.Errorf("%s: runs end %v", tg.Protocol.Name, ends)
		}
	}
}
