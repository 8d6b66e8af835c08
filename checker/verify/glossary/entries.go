package glossary

var verdicts = []Entry{
	{"holds", nil, "The search is complete, and no run within the bounds of the row breaks the claim. It says nothing beyond them.", []string{"bounds", "cut", "omission", "pure"}},
	{"violated", nil, "Here is a run that breaks the claim. A second interpreter, which shares no code with the search, has replayed it.", []string{"trace", "finding"}},
	{"inconclusive", []string{"open"}, "A limit was hit, which is named. Nothing is violated as far as the search came, and nothing is proved.", []string{"limit"}},
	{"not claimed", nil, "The row does not meet what the claim assumes, or the variant does not make the claim: it was not put to the test. --assume-anyway puts it to the test where an assumption is the reason.", []string{"assumption", "nothing claimed"}},
	{"finding", []string{"violated (finding)"}, "A violation that is known and recorded: the claim is wrong as its source prints it. It counts as no failure so long as its kept trace reproduces.", []string{"trace"}},
	{"pure", []string{"impure", "not deterministic"}, "A handler is pure when what it does follows from its node's state and what it is given. A verdict rests on that, and handlers are run again to find out, each kind of result more than a hundred times. What differs in fewer than one run of ten may be missed; what is computed once and then kept for as long as the process runs is missed. contend-vet finds most of that in the source.", []string{"holds"}},
	{"witnessed", []string{"witness", "put to the test"}, "Some run put the claim to the test: it came to what the claim speaks of. What no run put to the test holds only where the row says why none can; else it is inconclusive.", []string{"not put to the test"}},
}

var limits = []Entry{
	{"limit", nil, "What kept a check from its end. A row that hit one is inconclusive, and the exit code is 3.", []string{"inconclusive"}},
	{"timeout", nil, "The time of --timeout was over, or of the limit that stands where a configuration is given and no protocol.", nil},
	{"interrupted", nil, "It was stopped from outside: by Ctrl-C, SIGTERM or SIGHUP.", []string{"checkpoint"}},
	{"states", []string{"max-states"}, "In a table: how many distinct states were stored, after reductions. As a limit: the number of --max-states was reached, or 2³² states, which is all that a search for a liveness claim can number.", []string{"state"}},
	{"memory", []string{"max-memory"}, "The memory of --max-memory was used up by what cannot go to files.", nil},
	{"schedules", nil, "All schedules were sampled and none violates the claim. Sampling proves nothing, so the verdict is inconclusive; the exit code is 0.", nil},
	{"no step", nil, "Every schedule that was sampled ended before its first step: nothing was put to the test, and the exit code is 3.", []string{"schedules"}},
	{"cut", nil, "A declared bound, such as tries: steps beyond it are not taken. cut(tries)=86 counts the states from which there was such a step. An always claim holds up to the cut; of a liveness claim whose ways on may all lead through it, it is the limit.", []string{"tries", "attempts"}},
	{"strict bound", nil, "The grid of whole ticks reads a bound such as \"more than d\" as \"d or more\", which adds runs. What rests on them only is no verdict: finer grids and exact times are tried, and if they settle nothing this is the limit.", []string{"grid"}},
	{"dense time", nil, "The claim is of a kind that is not decided in dense time: read it on the grid.", []string{"dense", "class"}},
	{"timed lasso", nil, "A run that goes round for ever was found, but no real times for it.", []string{"eventually"}},
	{"time stands still", []string{"time-lock", "timelock"}, "A state was met in which time cannot go on: a bound forces an event that cannot happen. Runs that end there are no real ones, and a verdict that would rest on them is not given.", nil},
	{"porcupine", nil, "The judge of linearizability did not come to an end on a history.", []string{"linearizable"}},
	{"internal", []string{"internal error"}, "Two parts of the checker that must agree do not: the claim has no verdict, the exit code is 70, and it is to be reported.", nil},
	{"not put to the test", []string{"vacuous"}, "No run breaks the claim, but none came to what it speaks of either: a claim about the order of two messages says nothing where one is sent. Give the row a fault, another operation or another node; of a monitor of one's own, see that it calls Witness. The exit code is 3.", []string{"witnessed"}},
	{"nothing claimed", nil, "No claim of the row was put to the test. Nothing is searched then, and the exit code is 3.", []string{"not claimed"}},
}

var claims = []Entry{
	{"claim", nil, "What a protocol is said to do, with its source, its kind, and what it assumes.", []string{"assumption"}},
	{"assumption", []string{"assumes", "unmet"}, "What a claim needs of a row: that time is read, that no message is lost, and the like.", []string{"not claimed"}},
	{"always", nil, "A kind of claim: true in every state, or of every run so far.", nil},
	{"sometimes", nil, "A kind of claim: some run reaches the goal. It holds with one, and is violated when a complete search has none.", nil},
	{"eventually", nil, "A kind of claim: every fair run reaches the goal. An event that stays possible is not put off for ever; moves of the environment may be.", nil},
	{"possible from everywhere", []string{"doomed"}, "A kind of claim: from every state that can be reached, the goal can still be. A state from which it cannot is doomed.", nil},
	{"almost surely", nil, "A kind of claim: whatever an adversary does, coins bring the goal about with probability one. The adversary is adaptive, foreseeing or nonadaptive, by what it knows of the coins.", nil},
	{"linearizable", nil, "A kind of claim: the answers are those that a single object would have given, each at one moment between its call and its return.", []string{"porcupine"}},
	{"monitor", nil, "A component that watches a run for a claim. Its state is part of the states that are counted.", nil},
}

var readings = []Entry{
	{"untimed", nil, "Time is not read: whatever is pending may happen next. What always holds untimed does so at all delays, with any loss.", nil},
	{"grid", nil, "Time is read in whole ticks: every delay that is a whole number. Strict bounds are closed.", []string{"strict bound", "δ"}},
	{"dense", nil, "Time is read in real numbers: every delay at once, by classes of states.", []string{"class"}},
	{"class", []string{"classes", "state class"}, "In dense time: a state without its times, with all the times that it may have.", nil},
	{"δ", []string{"delay"}, "The bound on message delay, in ticks.", nil},
	{"Δ", []string{"section"}, "The length of the critical section, in ticks.", nil},
	{"ρ", []string{"drift"}, "Clocks run at rates within 1 ± ρ of real time.", nil},
	{"hold", nil, "A countdown that a handler starts and asks about. It lasts through its last instant.", nil},
	{"alarm", nil, "A timer that a handler sets, which calls the node back within a window of time.", nil},
}

var bounds = []Entry{
	{"bounds", nil, "Within what a row's verdicts stand: its configuration, faults, reading of time and cuts.", []string{"cut"}},
	{"row", nil, "One configuration that was checked, with its claims and their verdicts.", nil},
	{"n", nil, "Servers, or processes where there are no servers.", nil},
	{"b", nil, "Byzantine servers: they may say whatever an alphabet of lies holds, at any time.", nil},
	{"quorum", nil, "How many servers a quorum has.", nil},
	{"clients", nil, "How many clients there are.", nil},
	{"ops", nil, "Operations of each client.", nil},
	{"tries", nil, "Broadcasts for each operation. More are cut.", []string{"cut"}},
	{"attempts", nil, "Attempts at ordering for each operation. More are cut.", []string{"cut"}},
	{"processing", nil, "How long a server may take for a request, in ticks.", nil},
	{"network", nil, "Which messages are timely: synchronous (all), constant, stable, eventually-stable or asynchronous.", nil},
	{"crashes", []string{"f"}, "Nodes that may crash for good, in a run.", nil},
	{"loss", nil, "Messages that may be lost, in a run.", nil},
	{"duplication", nil, "Messages that may be delivered twice, in a run.", nil},
	{"restarts", nil, "Crashes from which a node comes back, in a run, with its stable fields and nothing else.", nil},
	{"suspicions", nil, "Nodes that are up and that the failure detector says are down, in a run; each time it takes that back.", nil},
	{"partitions", nil, "Cuts of the network in two, in a run. Each heals.", nil},
	{"beyond-bounds", nil, "A configuration that the paper's bound forbids is checked on purpose.", nil},
	{"from", []string{"after"}, "The search began where the run of a trace ends, after so many of its steps, and not at the beginning. Its verdicts are about the runs that continue this one: that a claim holds from there says nothing of other runs.", []string{"trace"}},
	{"assume-anyway", nil, "Claims are put to the test although the row does not meet what they assume.", []string{"assumption"}},
	{"seed", nil, "What sampled schedules are drawn from. One seed gives one result.", nil},
}

var searching = []Entry{
	{"state", nil, "Of all nodes, all that is pending, and all monitors, at a moment.", nil},
	{"layer", []string{"depth"}, "The states that are so many steps from the start. The search goes layer by layer, so that the first run it finds is a shortest; depth is the number of the last.", nil},
	{"transition", []string{"transitions"}, "A step from a state to another.", nil},
	{"reduction", []string{"reductions"}, "What lets a search leave states out and keep its verdicts. --reduce chooses; docs/proofs/search.md has the proofs.", []string{"symmetry", "stale absorption", "convex merging"}},
	{"symmetry", []string{"client symmetry", "clients symmetry"}, "A reduction: states that differ only in the names of interchangeable nodes are one. It is refused, by name, where nodes are not treated alike.", nil},
	{"stale absorption", []string{"stale"}, "A reduction: a message whose delivery would do nothing, now and later, is taken out of the state. It is turned off for a kind of message that does something after all.", nil},
	{"convex merging", []string{"merging"}, "A reduction of dense time: classes that together are a class become one.", []string{"class"}},
	{"omission", []string{"omitted"}, "States are told apart by fingerprints, and two may have the same: one of them would be left out. The probability that this happened at all is at most the number printed.", nil},
	{"strategy", []string{"exhaustive", "random"}, "How runs are explored: exhaustive, every one within the bounds; random, schedules that are sampled.", nil},
	{"profile", nil, "What splits states: how many local states each node has, and which fields differ.", nil},
	{"checkpoint", []string{"resume"}, "Files from which a search that was stopped or killed goes on.", nil},
	{"note", nil, "A remark on how a row was searched, such as a reduction that was refused.", nil},
}

var runs = []Entry{
	{"run", nil, "A sequence of events from the start of a system.", nil},
	{"cost", []string{"costs", "least", "most"}, "A number that runs come to, such as the messages of a request. verify check --costs finds the least and the most over all runs, with a run to each; one that a cut bounds says so.", []string{"cut", "trace"}},
	{"client delay", nil, "The messages that an entry into a critical section waits for one after another, while nobody else is in the section or waits: the longest chain of messages that are sent after the request and arrive before the entry.", []string{"synchronization delay", "cost"}},
	{"synchronization delay", nil, "The messages that pass one after another between an exit from a critical section and the entry of the only one who waits: the longest chain of messages that are sent after the exit and arrive before the entry.", []string{"client delay", "cost"}},
	{"trace", nil, "A run in a file, step by step, which replays strictly.", []string{"diverges"}},
	{"place", nil, "Where one is in the state space, as the list of what was taken on the way: 1.1.f2.3@5/2. verify explore --at goes there.", []string{"trace"}},
	{"replays", nil, "Each step of the trace is possible as it is recorded, and the claim is violated in the end.", nil},
	{"diverges", nil, "A step of the trace is not possible, or not as it is recorded: the protocol has changed since, or the file.", nil},
	{"arrives", []string{"invokes", "returns", "fires"}, "What happens in a step: a message arrives, the application invokes its node, an operation returns to it, an alarm fires.", nil},
	{"pending", nil, "What may happen next: messages in flight, alarms that are set, operations to be invoked.", nil},
}

var others = []Entry{
	{"variant", []string{"option", "mutant"}, "A protocol with an edit. An option keeps the claims, or is claimed to; a mutant has a bug that a claim must catch.", nil},
	{"caught", nil, "The mutant's claim is violated, as it must be.", nil},
	{"escapes", nil, "The mutant's claim is not violated: the check would not see such a bug.", nil},
	{"keeps the claims", []string{"breaks a claim"}, "The option violates no claim at the check that tries it, or one: then it is no option.", nil},
	{"agrees", []string{"differs", "not printed", "known"}, "How a cell of a table that was computed stands to the one that is printed: the numbers are what the printed formula comes to at each size, or the claims have the printed verdict; or not, for a reason that is recorded (known) or for none; or the text has no such cell.", []string{"inconclusive", "cost"}},
	{"compared", []string{"decided", "missed", "disagreements"}, "In a self-test: claims that were decided both by the search and by brute force; decided are those on which the search gave a verdict, missed those that it left open and brute force decides, disagreements those with two verdicts.", nil},
	{"consistent", []string{"against"}, "What a measurement says of a statement: it does not contradict it, or it does. It proves none.", nil},
	{"faulty", []string{"silent", "worst", "none"}, "What the b faulty servers do while response times are measured: nothing wrong, nothing at all, what is drawn, or what is worst.", nil},
}
