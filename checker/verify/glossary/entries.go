package glossary

var verdicts = []Entry{
	{"holds", nil, "The search is complete, and no run within the bounds of the row violates the claim. It says nothing about other runs.", []string{"cut", "omission", "pure"}},
	{"violated", nil, "A run violates the claim. A second interpreter, which shares no code with the search, has replayed it.", []string{"trace", "finding"}},
	{"inconclusive", []string{"open"}, "A limit, which is named, was hit: no violation was found, and nothing is proved.", nil},
	{"not claimed", []string{"assume-anyway"}, "The row does not meet an assumption of the claim (--assume-anyway tests it all the same), or the variant does not make the claim.", nil},
	{"finding", []string{"violated (finding)"}, "A recorded violation: the claim is wrong as its source prints it. It is no failure as long as its trace replays.", nil},
	{"pure", []string{"impure", "not deterministic"}, "The result of a handler depends only on the state of its node and on its arguments. Verdicts rely on this, so handlers are run again. That may miss a difference in fewer than one run of ten, a clock of which only whole seconds count, and a value that is computed once and kept while the process runs. contend-vet finds most such code.", nil},
	{"witnessed", []string{"witness", "put to the test"}, "Some run reached the situation that the claim is about. A claim that no run tested holds only if the row says why none can.", []string{"not put to the test"}},
}

var limits = []Entry{
	{"limit", nil, "What stopped a check before its end. The exit code is 3.", nil},
	{"timeout", nil, "The time of --timeout ran out, or the default time of a check that names no protocol.", nil},
	{"interrupted", nil, "Ctrl-C, SIGTERM or SIGHUP stopped the check.", []string{"checkpoint"}},
	{"states", []string{"max-states"}, "In a table: how many distinct states were stored, after reductions. As a limit: the number of --max-states, or 2³² states in a search of a liveness claim.", nil},
	{"memory", []string{"max-memory"}, "Data that cannot be moved to files used up the memory of --max-memory.", nil},
	{"schedules", nil, "All schedules were sampled without a violation. This proves nothing, so the verdict is inconclusive, but the exit code is 0.", nil},
	{"steps", nil, "After a search that a limit stopped, the schedules that were sampled took a million steps together.", nil},
	{"no step", nil, "Every sampled schedule ended before its first step, so nothing was tested.", nil},
	{"cut", nil, "A declared bound, such as tries, beyond which no step is taken. cut(tries)=86 means that 86 states had such a step. An always claim holds up to the cut. A liveness claim is inconclusive if all ways to its goal may lead through the cut.", nil},
	{"strict bound", nil, "The grid reads a bound such as \"more than d\" as \"d or more\", which adds runs, and a verdict cannot rest on these alone. Finer grids and exact times did not decide the claim either.", nil},
	{"dense time", nil, "Claims of this kind cannot be decided in dense time. Use the grid.", nil},
	{"timed lasso", nil, "A lasso was found, but no real times for it.", nil},
	{"time stands still", []string{"time-lock", "timelock"}, "A bound forces an event that cannot happen, so time cannot advance. No verdict is based on a run that ends there.", nil},
	{"porcupine", nil, "Porcupine, the linearizability checker, did not finish on some history.", nil},
	{"page states", nil, "The page of a refinement may be in too many states, perhaps because its silent steps never end. Nothing is said of the claim.", nil},
	{"page cut", nil, "The page of a refinement does not show what was seen, but a cut kept it from some step.", nil},
	{"internal", []string{"internal error"}, "Two parts of the checker disagree. The claim has no verdict, and the exit code is 70. Please report it.", nil},
	{"not put to the test", []string{"vacuous"}, "No run violates the claim, but none reached its situation, as when a claim about the order of two messages sees one. Add a fault, an operation or a node to the row; a monitor of your own must call Witness.", nil},
	{"failure", nil, "A handler failed in some run, so this claim was not decided.", nil},
	{"handler", nil, "A handler does not return. Its node, message and state are printed.", nil},
	{"nothing claimed", nil, "The row tests none of its claims, so nothing is searched.", []string{"not claimed"}},
}

var claims = []Entry{
	{"claim", nil, "A statement about a protocol, with its source, its kind and its assumptions.", nil},
	{"assumption", []string{"assumes", "unmet"}, "What a row must meet for a claim to be tested, such as that no message is lost.", []string{"not claimed"}},
	{"always", nil, "A claim that is true in every state, or of every prefix of a run.", nil},
	{"sometimes", nil, "A claim that some run reaches the goal. It is violated if a complete search finds none.", nil},
	{"eventually", nil, "A claim that every fair run reaches the goal. A run that violates it ends without the goal, or is a lasso.", nil},
	{"fairness", []string{"fair"}, "In a fair run each event that stays possible happens at some time. Moves of the environment, such as losing a message, need not happen.", nil},
	{"possible from everywhere", []string{"doomed"}, "A claim that the goal can be reached from every reachable state without the help of faults. Other states are doomed.", nil},
	{"almost surely", nil, "A claim that against every adversary (adaptive, foreseeing or nonadaptive) random choices lead to the goal with probability one.", nil},
	{"linearizable", nil, "A claim that the results are those of one object that executes each operation at one moment between its call and its return.", nil},
	{"refines", []string{"refinement", "page"}, "A claim that what each run shows is what some run of another protocol shows, the page. Steps that show nothing do not count, on both sides.", nil},
	{"monitor", nil, "What watches a run for a claim. Its state is part of each stored state.", nil},
}

var readings = []Entry{
	{"untimed", nil, "Any pending event may happen next. An always claim that holds untimed also holds with all delays and with lost messages.", nil},
	{"grid", nil, "Time is kept in whole ticks, and strict bounds are treated as closed.", []string{"strict bound"}},
	{"dense", []string{"class", "classes", "state class"}, "Time is a real number. All delays are covered at once, by classes: a class is a state without its times, together with all times that it can have.", nil},
	{"channel", []string{"FIFO", "bag", "set"}, "How messages from one node to another arrive: of a bag in any order, of FIFO in the order sent, of a set in any order, with equal ones in flight merged.", nil},
	{"δ", []string{"delay"}, "The longest delay of a message, in ticks.", nil},
	{"Δ", []string{"section"}, "The length of the critical section, in ticks.", nil},
	{"ρ", []string{"drift"}, "The bound on clock drift: clocks run at rates between 1 − ρ and 1 + ρ of real time.", nil},
	{"hold", nil, "A countdown that a handler starts and can query. It includes its last instant.", nil},
	{"alarm", nil, "A timer that a handler sets. It calls the node back within a window of time.", nil},
}

var bounds = []Entry{
	{"bounds", nil, "The configuration, faults, time model and cuts of a row, within which its verdicts are valid.", nil},
	{"row", nil, "One configuration that was checked, with its claims and their verdicts.", nil},
	{"n", nil, "How many servers there are, or processes if there are no servers.", nil},
	{"b", nil, "How many servers are Byzantine. These may send any message of a declared alphabet at any time.", nil},
	{"quorum", nil, "How many servers are a quorum.", nil},
	{"clients", []string{"ops"}, "How many clients there are; ops is the number of operations of each.", nil},
	{"tries", []string{"attempts"}, "How many broadcasts, or ordering attempts, an operation may make. More are cut.", nil},
	{"processing", nil, "The longest time that a server takes for a request, in ticks.", nil},
	{"network", nil, "Which messages arrive in time: synchronous (all of them), constant, stable, eventually-stable or asynchronous.", nil},
	{"crashes", []string{"f"}, "How many nodes may crash in a run for good.", nil},
	{"loss", []string{"duplication"}, "How many messages a run may lose, or deliver twice.", nil},
	{"restarts", nil, "How many crashes with restart a run may have. A restarted node keeps only its stable fields.", nil},
	{"suspicions", nil, "How often in a run the failure detector may report a node that is up. It withdraws the report later.", nil},
	{"partitions", nil, "How often the network may be partitioned in a run. Each partition heals.", nil},
	{"beyond-bounds", nil, "The configuration violates a bound of the paper on purpose.", nil},
	{"from", []string{"after"}, "The search began after some steps of a trace. Its verdicts are only about runs that continue these.", nil},
	{"seed", nil, "Where the random numbers for schedules start. The same seed gives the same result.", nil},
}

var searching = []Entry{
	{"state", nil, "All nodes, monitors and pending events, at one moment.", nil},
	{"layer", []string{"depth"}, "The states that are the same number of steps from the start. The search goes layer by layer, so the first run that it finds is a shortest one. Depth is the number of the last layer.", nil},
	{"transition", []string{"transitions"}, "A step from one state to another.", nil},
	{"reduction", []string{"reductions"}, "A method, selected by --reduce, that omits states without changing verdicts: symmetry, stale absorption or convex merging. docs/proofs/search.md has the proofs.", nil},
	{"symmetry", []string{"client symmetry", "clients symmetry"}, "States that differ only in the names of interchangeable nodes are one. It is turned off, with a note, if nodes are not treated alike, or if a claim of the row bars it, such as an eventually claim.", []string{"reduction"}},
	{"stale absorption", []string{"stale"}, "A message whose delivery has no effect, now and later, is removed. It is turned off for a kind of message that turns out to have an effect.", []string{"reduction"}},
	{"convex merging", []string{"merging"}, "In dense time, classes whose union is a class are merged.", []string{"reduction"}},
	{"omission", []string{"omitted"}, "Of two states with the same fingerprint one is omitted. The printed number bounds the probability that this happened at all.", nil},
	{"strategy", []string{"exhaustive", "portfolio"}, "How runs are explored: exhaustive covers every run within the bounds; portfolio and the others sample schedules (docs/sampling.md).", nil},
	{"profile", nil, "The number of local states of each node, and the fields in which they differ.", nil},
	{"checkpoint", []string{"resume"}, "Files from which a search that was stopped or killed can continue.", nil},
	{"note", nil, "A remark on how a row was searched, such as that a reduction was turned off.", nil},
}

var runs = []Entry{
	{"run", nil, "A sequence of events from the initial state of a system.", nil},
	{"cost", []string{"costs", "least", "most"}, "A number that a run has, such as its messages. The verb check with --costs finds the least and the most, with a run for each, and says if a cut bounds them.", nil},
	{"client delay", []string{"synchronization delay"}, "The longest chain of messages, sent one after another, from a request for the critical section to the entry, while no other client is in the section or waits. The synchronization delay is that from an exit to the entry of the only client that waits.", nil},
	{"trace", nil, "A run in a file, step by step, that can be replayed exactly.", nil},
	{"lasso", []string{"loop"}, "A run that goes on forever: some steps, and then a loop. The goal is never reached.", nil},
	{"place", nil, "A position in the state space, written as the choices that lead to it: 1.1.f2.3@5/2. The verb explore with --at goes there.", nil},
	{"replays", []string{"diverges"}, "Each step of the trace is possible as recorded, and the run violates the claim. If it diverges, a step is not possible as recorded: the protocol or the file has changed.", nil},
	{"arrives", []string{"invokes", "returns", "fires"}, "In a step a message arrives, an application invokes its node, an operation returns, or an alarm fires.", nil},
	{"pending", nil, "Events that can still happen: messages in flight, alarms that are set, operations not yet invoked.", nil},
}

var others = []Entry{
	{"variant", []string{"option", "mutant"}, "A protocol with an edit. An option is meant to keep the claims. A mutant has a bug that a claim must catch.", nil},
	{"caught", []string{"escapes"}, "The claim that the mutant names is violated, as it must be. If it is not, the mutant escapes.", nil},
	{"keeps the claims", []string{"breaks a claim"}, "The check finds no violation of the option; otherwise it breaks a claim.", nil},
	{"agrees", []string{"differs", "not printed", "known"}, "A computed cell agrees with the printed one if its numbers match the printed formula at each size, or its claims have the printed verdict. If not, it differs; known: the reason is recorded. Not printed: the text has no such cell.", nil},
	{"compared", []string{"decided", "missed", "disagreements"}, "In a self-test: the claims that both the search and brute force examined. Decided: the search gave a verdict. Missed: only brute force did. Disagreements: the two differ.", nil},
	{"consistent", []string{"against"}, "A measurement that does not contradict a statement is consistent with it, and proves nothing; one that contradicts it is against.", nil},
	{"faulty", []string{"silent", "worst", "none"}, "What the b faulty servers do while response times are measured: nothing wrong (none), nothing at all (silent), random messages, or the worst that was found.", nil},
}
