package glossary

var verdicts = []Entry{
	{"holds", nil, "The search is complete, and no run within the bounds of the row violates the claim. The verdict says nothing about runs outside these bounds.", []string{"bounds", "cut", "omission", "pure"}},
	{"violated", nil, "A run that violates the claim was found. A second interpreter, which shares no code with the search, has replayed it.", []string{"trace", "finding"}},
	{"inconclusive", []string{"open"}, "A limit, which is named, was hit. No violation was found, and nothing is proved.", []string{"limit"}},
	{"not claimed", nil, "The claim was not tested, because the row does not meet its assumptions or the variant does not make the claim. If an assumption is the reason, --assume-anyway tests it.", []string{"assumption", "nothing claimed"}},
	{"finding", []string{"violated (finding)"}, "A known violation: the claim is wrong as its source prints it, and this is recorded. A finding does not count as a failure as long as its trace replays.", []string{"trace"}},
	{"pure", []string{"impure", "not deterministic"}, "A handler is pure if its result depends only on the state of its node and on its arguments. Verdicts rely on this. Handlers are therefore run again, more than a hundred times for each kind of result. A difference in fewer than one run of ten may be missed, and so is a value that is computed once and kept while the process runs. contend-vet finds most such code in the source.", []string{"holds"}},
	{"witnessed", []string{"witness", "put to the test"}, "A claim is witnessed, or tested, if some run reached the situation that the claim is about. A claim that no run tested holds only if the row says why no run can test it; otherwise it is inconclusive.", []string{"not put to the test"}},
}

var limits = []Entry{
	{"limit", nil, "What stopped a check before its end. The row is then inconclusive, and the exit code is 3.", []string{"inconclusive"}},
	{"timeout", nil, "The time of --timeout ran out, or the default limit of a configuration that is checked without naming a protocol.", nil},
	{"interrupted", nil, "The check was stopped by Ctrl-C, SIGTERM or SIGHUP.", []string{"checkpoint"}},
	{"states", []string{"max-states"}, "In a table: the number of distinct states that were stored, after reductions. As a limit: the number set with --max-states was reached, or 2³² states, which is the maximum for a search of a liveness claim.", []string{"state"}},
	{"memory", []string{"max-memory"}, "The memory set with --max-memory was used up by data that cannot be moved to files.", nil},
	{"part lost", nil, "A search in parts (--parts) lost the process of one of them, and lost it again after each new beginning, or the server on which they meet. The row's notes say how the process ended.", []string{"checkpoint"}},
	{"schedules", nil, "All schedules were sampled, and none violates the claim. Sampling proves nothing, so the verdict is inconclusive; the exit code is 0.", nil},
	{"steps", nil, "Sampling that follows a search which a limit stopped took a million steps, those of all its schedules together, and ended.", []string{"schedules"}},
	{"no step", nil, "Every sampled schedule ended before its first step, so nothing was tested. The exit code is 3.", []string{"schedules"}},
	{"cut", nil, "A declared bound, such as tries: steps beyond it are not taken. cut(tries)=86 means that 86 states had such a step. An always claim holds up to the cut. A liveness claim is inconclusive if all ways to its goal may lead through the cut.", []string{"tries", "attempts"}},
	{"strict bound", nil, "The grid of whole ticks reads a bound such as \"more than d\" as \"d or more\", which adds runs. A verdict cannot rest on these runs alone. Finer grids and exact times are tried; if they do not decide the claim, this is the limit.", []string{"grid"}},
	{"dense time", nil, "Claims of this kind cannot be decided in dense time. Use the grid.", []string{"dense", "class"}},
	{"timed lasso", nil, "A lasso was found, but no real times for it.", []string{"lasso"}},
	{"time stands still", []string{"time-lock", "timelock"}, "Time cannot advance in some state: a bound forces an event that cannot happen. A run that ends there is not a real run, and no verdict is based on it.", nil},
	{"porcupine", nil, "Porcupine, the linearizability checker, did not finish on some history.", []string{"linearizable"}},
	{"page states", nil, "The page of a refinement may be in too many states after what was seen, perhaps because its silent steps never end. It was not followed further, so nothing is said of the claim.", []string{"refines"}},
	{"page cut", nil, "The page of a refinement does not show what was seen, but a cut of the page kept it from some step.", []string{"refines", "cut"}},
	{"internal", []string{"internal error"}, "Two parts of the checker that must agree disagree. The claim has no verdict, and the exit code is 70. Please report it.", nil},
	{"not put to the test", []string{"vacuous"}, "No run violates the claim, but no run reached the situation that it is about. For example, a claim about the order of two messages is not tested if only one is sent. Add a fault, an operation or a node to the row; a monitor of your own must call Witness. The exit code is 3.", []string{"witnessed"}},
	{"nothing claimed", nil, "The row tests none of its claims. Nothing is searched, and the exit code is 3.", []string{"not claimed"}},
}

var claims = []Entry{
	{"claim", nil, "A statement about a protocol, with its source, its kind and its assumptions.", []string{"assumption"}},
	{"assumption", []string{"assumes", "unmet"}, "A condition that a row must meet for a claim to be tested: that time is kept, that no message is lost, and so on.", []string{"not claimed"}},
	{"always", nil, "A kind of claim: it is true in every state, or of every prefix of a run.", nil},
	{"sometimes", nil, "A kind of claim: some run reaches the goal. It holds if such a run is found, and is violated if a complete search finds none.", nil},
	{"eventually", nil, "A kind of claim: every fair run reaches the goal. A run that violates it ends without the goal, or is a lasso.", []string{"fairness", "lasso"}},
	{"fairness", []string{"fair"}, "A run is fair if each event that stays possible happens at some time. Moves of the environment, such as losing a message, need not happen. Only fair runs can violate an eventually claim.", []string{"eventually"}},
	{"possible from everywhere", []string{"doomed"}, "A kind of claim: the goal can be reached from every reachable state. A state from which it cannot be reached is doomed.", nil},
	{"almost surely", nil, "A kind of claim: against every adversary, random choices lead to the goal with probability one. The adversary is adaptive, foreseeing or nonadaptive, depending on what it knows about the random choices.", nil},
	{"linearizable", nil, "A kind of claim: the results are those of a single object that executes each operation at one moment between its call and its return.", []string{"porcupine"}},
	{"refines", []string{"refinement", "page"}, "A kind of claim: what each run shows is what some run of another protocol shows, the page. Steps that show nothing do not count, on both sides.", []string{"page states"}},
	{"monitor", nil, "A component that watches a run for a claim. Its state is part of each stored state.", nil},
}

var readings = []Entry{
	{"untimed", nil, "Time is not kept: any pending event may happen next. An always claim that holds untimed also holds with all delays and with lost messages.", nil},
	{"grid", nil, "Time is kept in whole ticks, and every delay is a whole number. Strict bounds are treated as closed.", []string{"strict bound", "δ"}},
	{"dense", nil, "Time is a real number. All delays are covered at once, by classes of states.", []string{"class"}},
	{"class", []string{"classes", "state class"}, "In dense time: a state without its times, together with all times that it can have.", nil},
	{"channel", []string{"FIFO", "bag", "set"}, "What the network may do with the messages from one node to another. A bag delivers them in any order, FIFO in the order sent, and a set in any order, with equal messages in flight merged into one.", []string{"δ"}},
	{"δ", []string{"delay"}, "The bound on message delay, in ticks.", nil},
	{"Δ", []string{"section"}, "The length of the critical section, in ticks.", nil},
	{"ρ", []string{"drift"}, "The bound on clock drift: clocks run at rates between 1 − ρ and 1 + ρ of real time.", nil},
	{"hold", nil, "A countdown that a handler starts and can query. It includes its last instant.", nil},
	{"alarm", nil, "A timer that a handler sets. It calls the node back within a window of time.", nil},
}

var bounds = []Entry{
	{"bounds", nil, "The configuration, faults, time model and cuts of a row. Its verdicts are valid within them.", []string{"cut"}},
	{"row", nil, "One configuration that was checked, with its claims and their verdicts.", nil},
	{"n", nil, "The number of servers, or of processes if there are no servers.", nil},
	{"b", nil, "The number of Byzantine servers. They may send any message of a declared alphabet at any time.", nil},
	{"quorum", nil, "The number of servers in a quorum.", nil},
	{"clients", nil, "The number of clients.", nil},
	{"ops", nil, "The number of operations of each client.", nil},
	{"tries", nil, "The maximum number of broadcasts for each operation; more are cut.", []string{"cut"}},
	{"attempts", nil, "The maximum number of ordering attempts for each operation; more are cut.", []string{"cut"}},
	{"processing", nil, "The maximum time that a server takes for a request, in ticks.", nil},
	{"network", nil, "Which messages arrive in time: synchronous (all of them), constant, stable, eventually-stable or asynchronous.", nil},
	{"crashes", []string{"f"}, "The maximum number of nodes that crash in a run and do not restart.", nil},
	{"loss", nil, "The maximum number of messages that are lost in a run.", nil},
	{"duplication", nil, "The maximum number of messages that are delivered twice in a run.", nil},
	{"restarts", nil, "The maximum number of crashes with restart in a run. A restarted node keeps only its stable fields.", nil},
	{"suspicions", nil, "The maximum number of false suspicions in a run: the failure detector reports a node that is up, and later withdraws it.", nil},
	{"partitions", nil, "The maximum number of times that the network is partitioned in a run. Each partition heals.", nil},
	{"beyond-bounds", nil, "The configuration violates a bound of the paper on purpose.", nil},
	{"from", []string{"after"}, "The search began after a number of steps of a trace, not at the initial state. Its verdicts are about runs that continue this one: that a claim holds says nothing about other runs.", []string{"trace"}},
	{"assume-anyway", nil, "Claims are tested although the row does not meet their assumptions.", []string{"assumption"}},
	{"seed", nil, "The seed of the random numbers for sampled schedules. The same seed gives the same result.", nil},
}

var searching = []Entry{
	{"state", nil, "The state of all nodes and all monitors, and all pending events, at one moment.", nil},
	{"layer", []string{"depth"}, "The states that are the same number of steps away from the start. The search proceeds layer by layer, so the first run that it finds is a shortest one. Depth is the number of the last layer.", nil},
	{"transition", []string{"transitions"}, "A step from one state to another.", nil},
	{"reduction", []string{"reductions"}, "A method that omits states without changing verdicts. --reduce selects reductions; docs/proofs/search.md has the proofs.", []string{"symmetry", "stale absorption", "convex merging"}},
	{"symmetry", []string{"client symmetry", "clients symmetry"}, "A reduction: states that differ only in the names of interchangeable nodes are treated as one. It is turned off, with a note, if nodes are not treated alike.", nil},
	{"stale absorption", []string{"stale"}, "A reduction: a message whose delivery has no effect, now and later, is removed from the state. It is turned off for a kind of message that turns out to have an effect.", nil},
	{"convex merging", []string{"merging"}, "A reduction for dense time: several classes whose union is a class are merged.", []string{"class"}},
	{"omission", []string{"omitted"}, "States are identified by fingerprints. If two states have the same fingerprint, one of them is omitted. The printed number is an upper bound on the probability that this happened at all.", nil},
	{"strategy", []string{"exhaustive", "portfolio"}, "How runs are explored: exhaustive covers every run within the bounds; portfolio and the other strategies sample schedules. docs/sampling.md describes them.", nil},
	{"profile", nil, "Which fields make states differ: the number of local states of each node, and the fields in which they differ.", nil},
	{"checkpoint", []string{"resume"}, "Files from which a search that was stopped or killed can continue.", nil},
	{"note", nil, "A remark on how a row was searched, for example that a reduction was turned off.", nil},
}

var runs = []Entry{
	{"run", nil, "A sequence of events from the initial state of a system.", nil},
	{"cost", []string{"costs", "least", "most"}, "A number that a run has, such as the messages of a request. The verb check with --costs computes the least and the most over all runs, with a run for each. If a cut bounds the result, it says so.", []string{"cut", "trace"}},
	{"client delay", nil, "The length of the longest chain of messages that are sent one after another, after a request for the critical section, and arrive before the entry, while no other client is in the section or waits for it.", []string{"synchronization delay", "cost"}},
	{"synchronization delay", nil, "The length of the longest chain of messages that are sent one after another, after an exit from the critical section, and arrive before the entry of the only client that waits.", []string{"client delay", "cost"}},
	{"trace", nil, "A run in a file, step by step, that can be replayed exactly.", []string{"diverges"}},
	{"lasso", []string{"loop"}, "A run that goes on forever: some steps, and then a loop of steps that leads back to the state in which it began. It shows that a goal is never reached.", []string{"eventually", "fairness"}},
	{"place", nil, "A position in the state space, written as the choices that lead to it: 1.1.f2.3@5/2. The verb explore with --at goes there.", []string{"trace"}},
	{"replays", nil, "Each step of the trace is possible as recorded, and the run violates the claim.", nil},
	{"diverges", nil, "A step of the trace is not possible, or not as recorded: the protocol or the file has changed.", nil},
	{"arrives", []string{"invokes", "returns", "fires"}, "What happens in a step: a message arrives, an application invokes its node, an operation returns, an alarm fires.", nil},
	{"pending", nil, "Events that can still happen: messages in flight, alarms that are set, operations that have not been invoked.", nil},
}

var others = []Entry{
	{"variant", []string{"option", "mutant"}, "A protocol with an edit. An option is meant to keep the claims. A mutant has a seeded bug that a claim must catch.", nil},
	{"caught", nil, "The claim that the mutant names is violated, as it must be.", nil},
	{"escapes", nil, "The claim that the mutant names is not violated: the check would not find such a bug.", nil},
	{"keeps the claims", []string{"breaks a claim"}, "An option keeps the claims if the check that tries it finds no violation; otherwise it breaks a claim.", nil},
	{"agrees", []string{"differs", "not printed", "known"}, "How a computed cell compares with the printed cell. It agrees if its numbers match the printed formula at each size, or its claims have the printed verdict. Otherwise it differs; known means that the reason is recorded. Not printed means that the text has no such cell.", []string{"inconclusive", "cost"}},
	{"compared", []string{"decided", "missed", "disagreements"}, "In a self-test: the claims that both the search and brute force examined. Decided: the search gave a verdict. Missed: only brute force gave one. Disagreements: the two verdicts differ.", nil},
	{"consistent", []string{"against"}, "What a measurement says about a statement: consistent means that it does not contradict the statement, against means that it does. It does not prove the statement.", nil},
	{"faulty", []string{"silent", "worst", "none"}, "What the b faulty servers do while response times are measured: nothing wrong (none), nothing at all (silent), random messages, or the worst that was found.", nil},
}
