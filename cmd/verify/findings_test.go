package main

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"contend/checker/verify"
	"contend/impl"
)

// told has the expected results of the commands of docs/findings.md: the exit code and a line of the output.
// A command that takes more than a few seconds is only parsed: its search is stopped at once.
var told = []struct {
	command string // without "verify"
	code    int
	line    string // a line of the output; "" if the search is stopped
}{
	{`check ricartagrawala -n 3 --ops 2 --claim "happened-before order" --findings`, 0, "happened-before order is violated at step 15"},
	{`check suzukikasami -n 3 --ops 1 --claim "happened-before order" --findings`, 0, "happened-before order is violated at step 6"},
	{`check naimithiare -n 3 --ops 1 --claim "happened-before order"`, 0, "holds"},
	{`check suzukikasami/queue-as-printed -n 2 --ops 3 --claim "deadlock freedom" --findings`, 0, "deadlock freedom is violated at step 22"},
	{`check suzukikasami/queue-rebuilt -n 3 --ops 2 --claim "bounded overtaking" --findings`, 0, "bounded overtaking is violated at step 12"},
	{`check naimithiare -n 2 --ops 1 --claim "Lemma 1" --findings`, 0, "Lemma 1 is violated at step 3"},
	{`check naimithiare/counters -n 3 --ops 1`, 0, "holds"},
	{`check naimithiare/local-first -n 3 --ops 1 --claim "happened-before order" --findings`, 0, "happened-before order is violated at step 11"},
	{`check naimithiare/local-first -n 3 --ops 1 --claim "Lemma 3" --findings`, 0, "Lemma 3 is violated at step 7"},
	{`check naimithiare/local-first -n 3 --ops 2 --claim "bounded overtaking" --findings`, 0, "bounded overtaking is violated at step 14"},
	{`check naimithiare/rule-3-as-printed -n 3 --ops 1 --claim "deadlock freedom" --findings`, 0, "deadlock freedom is violated at step 16"},
	{`check naimithiare/obsolete-as-printed -n 2 --ops 1 --claim "deadlock freedom" --findings`, 0, "deadlock freedom is violated at step 7"},
	{`check naimithiare/obsolete-entered -n 3 --ops 2 --asking 2 --claim "Lemma 2" --findings`, 0, "Lemma 2 is violated at step 17"},
	{`check naimithiare/rule-1-as-printed -n 2 --ops 1 --claim "deadlock freedom" --findings`, 0, "deadlock freedom is violated at step 3"},
	{`check naimithiare/idle-as-printed -n 2 --ops 1 --claim "deadlock freedom" --findings`, 0, "deadlock freedom is violated at step 5"},
	{`check multicast-causal -n 2 --senders 2 --ops 2 --claim "causal order, of receipts" --findings`, 0, "causal order, of receipts is violated at step 5"},
	{`check multicast-causal/counts-receipts -n 3 --senders 2 --ops 2 --claim "causal order, of receipts"`, 0, "holds"},
	{`check multicast-causal -n 3 --senders 2 --ops 1 --loss 1 --assume-anyway --claim "queued messages are delivered"`, 1, "queued messages are delivered is violated"},
	{`check maekawa -n 3 --asking 2 --ops 1 -f 1 --claim "failures in other sets" --findings`, 0, "failures in other sets is violated"},
	{`mutants maekawa/releases-one-by-one`, 0, "1 of 1 mutant is caught by the claim it names"},
	{`check maekawa -n 2 --ops 1 --claim "deadlock freedom" --findings`, 0, "deadlock freedom is violated at step 8"},
	{`check maekawa -n 2 --ops 2 --claim "happened-before order" --findings`, 0, "happened-before order is violated at step 16"},
	{`check maekawa/own-vote-at-once -n 3 --ops 2 --claim "happened-before order" --findings`, 0, "happened-before order is violated at step 22"},
	{`check maekawa/inquire-1985 -n 4 --asking 3 --ops 1 --claim "deadlock freedom"`, 1, "deadlock freedom is violated at step 22"},
	{`check centralized/applications-talk --ops 1 --claim "happened-before order"`, 1, "happened-before order is violated at step 6"},
	{`check tokenring/applications-talk -n 2 --ops 1 --claim "happened-before order"`, 1, "happened-before order is violated at step 5"},
	{`check centralized/no-other --claim "mutual exclusion"`, 1, "mutual exclusion is violated at step 14"},
	{`check centralized/deny-once --ops 1 -f 1 --time grid --assume-anyway --claim completeness`, 1, "completeness is violated"},
	{`check centralized/stable-without-numbers --restarts 1 --assume-anyway --claim "mutual exclusion"`, 1, "mutual exclusion is violated at step 17"},
	{`check bully -n 2 --initiator 2 -f 1 --time grid --claim "safety, with crashes" --findings`, 0, "safety, with crashes is violated at step 4"},
	{`check bully -n 3 -f 1 --time grid --claim "no smaller coordinator" --claim "largest in the end"`, 0, "holds"},
	{`check bully/highest-restarts -n 3 --restarts 1 --time grid --assume-anyway --claim safety`, 1, "safety is violated at step 5"},
	{`check bully/restart-divides -n 2 --restarts 1 --time grid --assume-anyway --claim agreement`, 1, "agreement is violated"},
	{`check bully/bullies -n 2 --restarts 1 --time grid --claim agreement`, 0, "holds"},
	{`check bully -n 3 --costs`, 0, "8 messages"},
	{`check bully -n 3 --down 1 --costs`, 0, "6 messages"},
	{`check bully/highest-at-once -n 3 --time grid --costs`, 0, "10 messages"},
	{`check bully -n 3 --suspicions 1 --time grid --claim "one coordinator"`, 0, "holds"},
	{`check bully/partitioned -n 2 --initiators 2 --partitions 1 --time grid --assume-anyway --claim "one coordinator"`, 1, "one coordinator is violated at step 5"},
	{`check bully/detector-wrong -n 2 --initiators 2 --suspicions 1 --assume-anyway --claim "one coordinator"`, 1, "one coordinator is violated at step 2"},
	{`check bully/detector -n 3 --partitions 1 --claim "one coordinator"`, 0, "holds"},
	{`check changroberts/bag -n 2 --ops 2 --claim liveness --findings`, 0, "liveness is violated"},
	{`check enhancedring -n 3 --down 1 -f 1 --time grid --claim "failures supported" --findings`, 0, "failures supported is violated"},
	{`check enhancedring/watchdog -n 3 --down 1 -f 1 --time grid --claim "failures supported"`, 0, "holds"},
	{`check enhancedring -n 3 --time grid --claim "members known" --findings`, 0, "members known is violated"},
	{`check enhancedring/suspects-wrongly -n 2 --initiators 2 --suspicions 1 --assume-anyway --claim "one coordinator"`, 1, "one coordinator is violated at step 5"},
	{`check changroberts -n 3 --initiators 2 --suspicions 2`, 0, "holds"},
	{`check enhancedring/lockstep -n 3 --suspicions 1 --time grid --claim "one coordinator"`, 0, "holds"},
	{`check tokenring/regenerates-early -n 2 --time dense --claim "mutual exclusion, timed"`, 1, "mutual exclusion, timed is violated at step 11"},
	{`check tokenring/token-dies -n 2 --ops 1 -f 1 --assume-anyway --claim "every request is granted"`, 1, "every request is granted is violated"},
	{`check tokenring/sends-again --ops 1 -f 1 --claim "mutual exclusion"`, 1, "mutual exclusion is violated at step 10"},
	{`check backoff/earlier-try -n 3 --ops 2 --delay 2 --section 1 --tries 1 --time grid --claim "Lemma 1"`, 1, ""},
	{`check backoff/lease-at-least -n 6 -b 1 --tries 1 --section 2 --time dense --claim "Lemma 1"`, 1, ""},
	{`check backoff -n 3 --clients 3 --tries 1 --drift 1 --time dense --claim "Lemma 1"`, 1, ""},
	{`mutants backoff`, 0, ""},
	{`check backoff/asynchronous -n 2 --time grid --claim "Instability, adaptive" --findings`, 0, "Instability, adaptive is violated"},
	{`check backoff/enqueue -n 2 --tries 1 --time dense --claim "Lemma 1" --findings`, 0, "Lemma 1 is violated at step 14"},
	{`check backoff/enqueue-fresh -n 3 --tries 1 --network stable --time dense --claim "Lemma 1" --findings`, 0, "Lemma 1 is violated at step 15"},
	{`check backoff/finite+safe -n 1 --clients 1 --network eventually-stable --time grid --claim "Corollary 2" --findings`, 0, "Corollary 2 is violated"},
	{`check backoff/finite+enqueue+safe -n 1 --time grid --claim "Corollary 2" --findings`, 0, "Corollary 2 is violated"},
	{`check backoff/parameterized -n 1 --tries 1 --time dense --claim "Lemma 1" --findings`, 0, "Lemma 1 is violated at step 8"},
	{`check backoff/finite+eager -n 2 -f 1 --network constant --time grid --claim "Corollary 2" --findings`, 0, "Corollary 2 is violated"},
	{`check backoff -n 1 --tries 1 -f 1 --network stable:0,x --time dense --claim "Lemma 1"`, 1, "Lemma 1 is violated at step 8"},
	{`check backoff -n 3 --clients 3 --tries 1 --processing 1 --time dense --claim "Lemma 1"`, 1, ""},
	{`check backoff/patient -n 3 --clients 3 --tries 1 --processing 1 --time dense --claim "Lemma 1"`, 0, ""},
	{`check backoff/processing-first -n 2 --tries 1 --processing 3 --time dense --claim "Lemma 1"`, 1, "Lemma 1 is violated at step 12"},
	{`check ordering -n 1 --attempts 2 --claim "Lemma 4 (1)" --findings`, 0, ""},
	{`check ordering -n 1 --attempts 1 --claim "Lemma 4 (2)" --findings`, 0, "Lemma 4 (2) is violated at step 13"},
	{`check ordering/composed -n 1 --clients 1 --section 6 --loss 1 --time grid --claim "Theorem 2" --findings`, 0, "Theorem 2 is violated"},
	{`check ordering/branches-swapped --claim "Theorem 1"`, 1, "Theorem 1 is violated at step 19"},
	{`check ordering/commit-does-not-raise -n 3 --clients 1 --ops 2 --attempts 2 --claim "Theorem 1"`, 1, ""},
	{`mutants ordering/ranks-shared`, 0, ""},
	{`mutants ordering/absurd`, 0, ""},
	{`replay impl/ordering/findings/sequence-numbers.json`, 0, "Lemma 4 (3), by rank violated at step 23"},
	{`mutants ordering/reflects-highest`, 0, ""},
	{`mutants ordering/get-quorum-small ordering/propose-quorum-small ordering/commit-quorum-small`, 0, "3 of 3 mutants are caught"},
	{`check backoff -n 5 -b 1 --quorum 4 --tries 1 --time grid --beyond-bounds`, 1, ""},
	{`check backoff -n 5 -b 1 --quorum 5 --tries 1 --time grid --beyond-bounds`, 1, ""},
	{`check ordering/alone -n 6 -b 1 --quorum 3 --attempts 2 --beyond-bounds --claim "Theorem 1"`, 1, ""},
	{`check ordering/alone -n 6 -b 1 --quorum 4 --attempts 2 --beyond-bounds --claim "Theorem 1"`, 1, ""},
	{`check ordering/stabilizing -n 6 -b 1 --quorum 6 --clients 1 --attempts 1 --beyond-bounds`, 1, ""},
	{`check lin/led -n 4 --clients 4 --claim "every request is granted" --findings`, 0, "every request is granted is violated"},
	{`check lin/hears-majority -n 4 --claim "every request is granted" --findings`, 0, "every request is granted is violated"},
	{`check lin/bag -n 3 --claim "deadlock freedom" --findings`, 0, "deadlock freedom is violated"},
	{`check lin -n 1 --clients 3 --ops 2 --claim "happened-before order" --findings`, 0, "happened-before order is violated"},
	{`check lin/option-a-finite -n 2 --claim "every request is granted" --findings`, 0, "every request is granted is violated"},
	{`check lin --costs`, 0, "client delay"},
	{`mutants lin/forgotten-votes lin/forgotten-queue`, 0, "2 of 2 mutants are caught"},
	{`check sigma -n 1 --claim "Section 4.2, 5n messages" --findings`, 0, "Section 4.2, 5n messages is violated at step 12"},
	{`mutants sigma/no-checks`, 0, "1 of 1 mutant is caught"},
	{`mutants sigma/suspects-once`, 0, ""},
	{`mutants sigma/third-faulty sigma/third-faulty-all`, 0, ""},
	{`check multicast-sequencer/crash-half-way -n 2 --ops 1 -f 1 --claim agreement`, 1, "agreement is violated"},
	{`check multicast-sequencer -n 2 --ops 2 --senders 1 -f 1 --claim agreement`, 0, "holds"},
	{`check multicast-sequencer/sequencer-forgets -n 2 --ops 2 --senders 1 --restarts 1 --assume-anyway --claim "total order"`, 1, "total order is violated at step 13"},
	{`check multicast-sequencer/stable-number-only -n 2 --ops 1 --restarts 1 --assume-anyway --claim integrity`, 1, "integrity is violated at step 7"},
	{`check multicast-sequencer/stable -n 2 --ops 2 --senders 1 --restarts 1`, 0, "holds"},
	{`check multicast-sequencer -n 1 --ops 2 --claim "FIFO order"`, 1, "FIFO order is violated at step 5"},
	{`check multicast-sequencer/fifo-channels -n 2 --ops 2 --claim "FIFO order" --claim "causal order"`, 0, "holds"},
	{`check multicast-basic -n 2 --ops 1 --senders 1 --loss 1 --claim agreement --findings`, 0, "agreement is violated"},
	{`check multicast-basic/resend -n 2 --ops 2 --senders 1 --loss 2`, 0, "holds"},
	{`check multicast-basic/discards-silently -n 2 --ops 1 --senders 1 --loss 1 --claim "history emptied"`, 1, "history emptied is violated"},
	{`check multicast-nack -n 2 --ops 1 --senders 1 --loss 1 --claim agreement --findings`, 0, "agreement is violated"},
	{`check multicast-nack/session -n 2 --ops 2 --senders 1 --loss 2`, 0, "holds"},
	{`check multicast-basic -n 2 --ops 2 --senders 1 --loss 2 --claim "queued messages are delivered" --findings`, 0, "queued messages are delivered is violated"},
	{`check multicast-nack -n 2 --ops 2 --senders 1 --loss 2 --claim "queued messages are delivered" --findings`, 0, "queued messages are delivered is violated"},
	{`check multicast-nack/suppressed-for-good -n 3 --ops 2 --senders 1 --loss 2 --claim "queued messages are delivered"`, 1, "queued messages are delivered is violated"},
	{`check multicast-nack -n 3 --ops 2 --senders 1 --time grid --claim "only one NACK" --findings`, 0, "only one NACK is violated at step 9"},
	{`check multicast-nack/slotted -n 3 --ops 2 --senders 1 --loss 2 --time dense --claim "only one NACK"`, 0, "holds"},
	{`check multicast-nack/slots-too-close -n 3 --ops 2 --senders 1 --loss 2 --time dense --claim "only one NACK"`, 1, "only one NACK is violated"},
	{`check multicast-basic/sender-forgets -n 2 --ops 2 --senders 1 --restarts 1 --assume-anyway --claim "all or none"`, 1, "all or none is violated"},
	{`check multicast-basic/stable-number-only -n 2 --ops 1 --senders 1 --restarts 1 --loss 1 --time grid --assume-anyway --claim "all or none"`, 1, "all or none is violated"},
	{`check multicast-basic/stable -n 2 --ops 2 --senders 1 --restarts 1 --loss 1 --time grid`, 0, "holds"},
	{`check multicast-agreed/sender-crashes -n 3 --ops 1 --senders 2 -f 1 --assume-anyway --claim agreement`, 1, "agreement is violated"},
	{`check multicast-agreed/receiver-crashes -n 2 --ops 1 --senders 1 -f 1 --assume-anyway --claim validity`, 1, "validity is violated"},
	{`check multicast-agreed -n 3 --ops 1 --senders 2 -f 1 --claim "uniform total order"`, 0, "holds"},
	{`check multicast-agreed -n 2 --ops 2 --senders 1 --claim "FIFO order"`, 1, "FIFO order is violated at step 6"},
	{`check multicast-agreed/fifo-channels -n 2 --ops 2 --claim "causal order"`, 0, "holds"},
	{`check multicast-agreed/one-at-a-time -n 2 --ops 2 --claim "causal order"`, 0, "holds"},
	{`check multicast-agreed/one-number -n 3 --ops 1 --senders 2`, 0, "holds"},
	{`check multicast-agreed/raised-at-delivery -n 3 --ops 1 --senders 2`, 0, "holds"},
	{`check multicast-agreed/not-raised -n 2 --ops 1 --claim "total order"`, 1, "total order is violated at step 8"},
	{`check multicast-view -n 3 --ops 1 --senders 1 -f 1 --claim "uniform agreement" --findings`, 0, "uniform agreement is violated"},
	{`check multicast-view/uniform -n 3 --ops 1 --senders 1 -f 1 --claim "uniform agreement"`, 0, "holds"},
	{`check multicast-view -n 2 --ops 1 --claim "total order" --findings`, 0, "total order is violated at step 4"},
	{`check multicast-view/ordered -n 3 --ops 1 --senders 2 -f 1 --claim "total order" --claim "virtual synchrony"`, 0, "holds"},
	{`check multicast-view/takes-late -n 3 --ops 1 --senders 1 -f 1 --claim "virtual synchrony" --findings`, 0, "virtual synchrony is violated at step 11"},
	{`check multicast-view -n 3 --ops 1 --senders 1 -f 1 --claim "virtual synchrony"`, 0, "holds"},
	{`check multicast-view -n 3 --ops 1 --senders 1 --joiners 1 -f 1 --claim "uniform virtual synchrony"`, 1, "uniform virtual synchrony is violated at step 18"},
	{`check multicast-view -n 3 --ops 2 --senders 1 --joiners 1 --may-crash 1 -f 1 --claim "FIFO order"`, 1, "FIFO order is violated at step 24"},
	{`check multicast-view/uniform -n 3 --ops 2 --senders 1 --joiners 1 --may-crash 1 -f 1 --claim "FIFO order" --claim "uniform virtual synchrony"`, 0, "holds"},
	{`mutants multicast-view/forwards-of-the-gone`, 0, "caught"},
	{`check changroberts -n 3 --suspicions 1 --claim "one coordinator" --claim safety`, 0, "holds"},
	{`check multicast-basic/resend -n 2 --ops 2 --senders 1 --partitions 1`, 0, "holds"},
	{`check multicast-unordered -n 3 --ops 1 --senders 2 --claim "FIFO + total order implies causal order in the end"`, 0, "holds"},
	{`check multicast-unordered -n 2 --ops 1 --senders 2 --claim "FIFO + total order implies causal order"`, 1, "implies causal order is violated at step 4"},
	{`check multicast-unordered/one-at-a-time -n 3 --ops 1 --senders 2 -f 1 --claim "FIFO + total order implies causal order in the end"`, 1, "in the end is violated"},
	{`check multicast-unordered/own-at-once -n 3 --ops 1 --senders 2 --claim "total order implies causal order in the end"`, 0, "holds"},
	{`check multicast-unordered -n 2 --ops 2 --senders 1 --claim "total order implies FIFO order in the end"`, 1, "in the end is violated"},
}

// long are the commands that take more than a fifth of a second each. They are run with -full; without it, it is only seen that each
// is one.
var long = []string{
	`check maekawa/inquire-1985 -n 4 --asking 3 --ops 1 --claim "deadlock freedom"`,
	`check backoff/enqueue-fresh -n 3 --tries 1 --network stable --time dense --claim "Lemma 1" --findings`,
	`check backoff/patient -n 3 --clients 3 --tries 1 --processing 1 --time dense --claim "Lemma 1"`,
	`check ordering -n 1 --attempts 2 --claim "Lemma 4 (1)" --findings`,
	`check ordering/commit-does-not-raise -n 3 --clients 1 --ops 2 --attempts 2 --claim "Theorem 1"`,
	`mutants ordering/get-quorum-small ordering/propose-quorum-small ordering/commit-quorum-small`,
	`check backoff -n 5 -b 1 --quorum 4 --tries 1 --time grid --beyond-bounds`,
	`check backoff -n 5 -b 1 --quorum 5 --tries 1 --time grid --beyond-bounds`,
	`check ordering/alone -n 6 -b 1 --quorum 3 --attempts 2 --beyond-bounds --claim "Theorem 1"`,
	`check ordering/alone -n 6 -b 1 --quorum 4 --attempts 2 --beyond-bounds --claim "Theorem 1"`,
	`check ordering/stabilizing -n 6 -b 1 --quorum 6 --clients 1 --attempts 1 --beyond-bounds`,
	`check lin/led -n 4 --clients 4 --claim "every request is granted" --findings`,
	`check lin/hears-majority -n 4 --claim "every request is granted" --findings`,
	`check lin --costs`,
	`mutants lin/forgotten-votes lin/forgotten-queue`,
	`check multicast-agreed/one-at-a-time -n 2 --ops 2 --claim "causal order"`,
	`check multicast-view/uniform -n 3 --ops 2 --senders 1 --joiners 1 --may-crash 1 -f 1 --claim "FIFO order" --claim "uniform virtual synchrony"`,
	`check multicast-unordered/one-at-a-time -n 3 --ops 1 --senders 2 -f 1 --claim "FIFO + total order implies causal order in the end"`,
	`check naimithiare/counters -n 3 --ops 1`,
	`check naimithiare/local-first -n 3 --ops 2 --claim "bounded overtaking" --findings`,
	`check multicast-causal/counts-receipts -n 3 --senders 2 --ops 2 --claim "causal order, of receipts"`,
	`check maekawa/own-vote-at-once -n 3 --ops 2 --claim "happened-before order" --findings`,
	`check changroberts -n 3 --initiators 2 --suspicions 2`,
	`check backoff/asynchronous -n 2 --time grid --claim "Instability, adaptive" --findings`,
	`check ordering -n 1 --attempts 1 --claim "Lemma 4 (2)" --findings`,
	`check ordering/branches-swapped --claim "Theorem 1"`,
	`check lin -n 1 --clients 3 --ops 2 --claim "happened-before order" --findings`,
	`check lin/option-a-finite -n 2 --claim "every request is granted" --findings`,
	`check multicast-sequencer/fifo-channels -n 2 --ops 2 --claim "FIFO order" --claim "causal order"`,
	`check multicast-basic/stable -n 2 --ops 2 --senders 1 --restarts 1 --loss 1 --time grid`,
	`check multicast-agreed/sender-crashes -n 3 --ops 1 --senders 2 -f 1 --assume-anyway --claim agreement`,
	`check multicast-agreed/fifo-channels -n 2 --ops 2 --claim "causal order"`,
	`check multicast-agreed/one-number -n 3 --ops 1 --senders 2`,
	`check multicast-agreed/raised-at-delivery -n 3 --ops 1 --senders 2`,
	`check multicast-view/uniform -n 3 --ops 1 --senders 1 -f 1 --claim "uniform agreement"`,
	`check multicast-view/ordered -n 3 --ops 1 --senders 2 -f 1 --claim "total order" --claim "virtual synchrony"`,
	`check multicast-view -n 3 --ops 1 --senders 1 --joiners 1 -f 1 --claim "uniform virtual synchrony"`,
	`check multicast-view -n 3 --ops 2 --senders 1 --joiners 1 --may-crash 1 -f 1 --claim "FIFO order"`,
	`mutants multicast-view/forwards-of-the-gone`,
	`check multicast-unordered -n 3 --ops 1 --senders 2 --claim "FIFO + total order implies causal order in the end"`,
	`check multicast-unordered -n 2 --ops 1 --senders 2 --claim "FIFO + total order implies causal order"`,
	`check multicast-unordered/own-at-once -n 3 --ops 1 --senders 2 --claim "total order implies causal order in the end"`,
}

var full = flag.Bool("full", false, "run the commands of docs/findings.md that take long, follow the pages, and fuzz in a module of its own, too")

// The commands of docs/findings.md are the commands of the table, and have its results. The page begins with
// some of its findings, so it has their commands twice.
func TestFindings(t *testing.T) {
	t.Chdir("../..")
	b, err := os.ReadFile("docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	printed, listed := map[string]bool{}, map[string]bool{}
	for _, line := range strings.Split(string(b), "\n") {
		if command, ok := strings.CutPrefix(line, "    verify "); ok {
			printed[command] = true
		}
	}
	for _, is := range told {
		listed[is.command] = true
	}
	for command := range printed {
		if !listed[command] {
			t.Errorf("the table lacks a command of the page: %s", command)
		}
	}
	for _, command := range long {
		if !listed[command] {
			t.Errorf("the table lacks a command that takes long: %s", command)
		}
	}
	traces := t.TempDir()
	for _, is := range told {
		t.Run(is.command, func(t *testing.T) {
			if !printed[is.command] {
				t.Fatal("the page lacks this command of the table")
			}
			args := words(is.command)
			if args[0] == "check" {
				args = append(args, "--out", traces)
			}
			if is.line == "" || !*full && slices.Contains(long, is.command) {
				tryOut(t, args)
				return
			}
			out, code := run(args)
			if code != is.code || !strings.Contains(out, is.line) {
				t.Errorf("exit code %d, want %d; %q is not in the output:\n%s", code, is.code, is.line, out)
			}
		})
	}
}

// tryOut checks that a command is valid, without running it to its end.
func tryOut(t *testing.T, args []string) {
	t.Helper()
	const bad = 2
	args = append(args, "--max-states", "1")
	if args[0] == "check" {
		args = append(args, "--no-sample")
	}
	if out, code := run(args); code == bad {
		t.Errorf("it is refused: %s", out)
	}
}

func run(args []string) (out string, code int) {
	var both bytes.Buffer
	code = verify.Run(impl.Suite, args, &both, &both, more...)
	return both.String(), code
}
