package group

import "contend/model"

// The variants are mistakes in the code around the library, except the first two. Two of the mistakes violate
// no claim: one makes a handler fail, and the library's lease hides the other.
var variants = []model.Variant{
	{Name: "ask", Title: "a server asks the library to append without looking whether it leads", Edit: flags("-ask")},
	{Name: "gaps", Title: "the log may have gaps, as the library's releases before v1.4.0 take for granted", Edit: flags("-gaps")},
	mistake("no-sync", "the log is not synced", "terms grow", crashes),
	mistake("forgets-votes", "the term and the vote are kept in memory only", "terms grow", crashes),
	mistake("forgets-term", "the term is kept in memory only", "terms grow", crashes),
	{Name: "keeps-suffix", Title: "that the end of the log is deleted is not written", Edit: flags("-mistake=keeps-suffix")},
	mistake("answers-early", "a word is said to be appended before it is", "linearizable", both),
	mistake("asks-again", "a word is appended once more when nobody knows whether it was", "linearizable", both),
	mistake("reads-anywhere", "each server reads its own list", "linearizable", model.Faults{}),
	{Name: "no-verify", Title: "a server that was the leader reads its own list", Edit: flags("-mistake=no-verify")},
	mistake("no-barrier", "a new leader reads its list before it has applied what was committed", "linearizable", model.Faults{}, Transfers.Is(2)),
	mistake("restore-adds", "a snapshot is added to what is there", "same state", both),
	mistake("snapshot-older", "a snapshot leaves out the last word", "same state", both),
}

var (
	crashes = model.Faults{Restarts: 3}
	both    = model.Faults{Restarts: 1, Partitions: 1}
)

// mistake returns a variant in which the program makes the mistake.
func mistake(name, title, breaks string, f model.Faults, settings ...model.Setting) model.Variant {
	return model.Variant{Name: name, Title: title, Breaks: breaks, Show: sampled(f, 3000, settings...), Edit: flags("-mistake=" + name)}
}

// flags adds flags to the program's command line.
func flags(all ...string) func(*model.System) {
	return func(s *model.System) { s.Setup.(*Setup).Flags = append(s.Setup.(*Setup).Flags, all...) }
}
