package group

import "contend/model"

// The variants are mistakes in what stands around the library, but for the first two.
var variants = []model.Variant{
	{Name: "ask", Title: "a server asks the library to append without looking whether it leads", Edit: flags("-ask")},
	{Name: "gaps", Title: "the log may have gaps, as the library's releases before v1.4.0 take for granted", Edit: flags("-gaps")},
	mistake("no-sync", "the log is not synced", "terms grow", crashes),
	mistake("forgets-votes", "the term and the vote are kept in memory only", "terms grow", crashes),
	mistake("forgets-term", "the term is kept in memory only", "terms grow", crashes),
	mistake("keeps-suffix", "that the end of the log is deleted is not written", "log matching", both),
	mistake("answers-early", "a word is said to be appended before it is", "linearizable", both),
	mistake("asks-again", "a word is appended once more when nobody knows whether it was", "linearizable", both),
	mistake("reads-anywhere", "each server reads its own list", "linearizable", model.Faults{}),
	mistake("no-verify", "a server that was the leader reads its own list", "linearizable", model.Faults{Partitions: 1}),
	mistake("no-barrier", "a new leader reads its list before it has applied what was committed", "linearizable", model.Faults{Partitions: 1}),
	mistake("restore-adds", "a snapshot is added to what is there", "same list", both),
	mistake("snapshot-older", "a snapshot leaves out the last word", "same list", both),
}

var (
	crashes = model.Faults{Restarts: 3}
	both    = model.Faults{Restarts: 1, Partitions: 1}
)

// mistake is one that the program makes when it is told to.
func mistake(name, title, breaks string, f model.Faults) model.Variant {
	return model.Variant{Name: name, Title: title, Breaks: breaks, Show: sampled(f, 3000), Edit: flags("-mistake=" + name)}
}

// flags gives the program flags.
func flags(all ...string) func(*model.System) {
	return func(s *model.System) { s.Setup.(*Setup).Flags = append(s.Setup.(*Setup).Flags, all...) }
}
