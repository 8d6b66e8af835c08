package group

import "contend/model"

// The variants are mistakes in the code around the log. Only no-sync is an option of the log.
var variants = []model.Variant{
	flagged("no-sync", "the log does not sync what it writes", "linearizable", crashes, "-no-sync"),
	mistake("answer-first", "a change is answered before it is written", "no call fails", crashes, Slow.Is(5)),
	mistake("delete-segment", "a log whose last entry is torn loses its last file, as a user of tidwall/wal repaired it (FrostDB #313)", "linearizable", crashes, Slow.Is(5)),
	mistake("cut-all", "the log is cut off at its last entry, whatever has a value before", "linearizable", model.Faults{}),
	mistake("cut-one-more", "the log is cut off one entry too late", "linearizable", model.Faults{}),
	mistake("not-removed", "that a key is removed is not written", "linearizable", crashes),
	mistake("index-first", "a key is said to be where its entry is not written yet", "linearizable", model.Faults{}, Room.Is(300)),
	mistake("ignore-errors", "a write that fails is answered like another", "linearizable", model.Faults{}, Room.Is(300)),
	mistake("unlocked", "changes do not lock the store", "no call fails", model.Faults{}, Slow.Is(5)),
}

var crashes = model.Faults{Restarts: 2}

func mistake(name, title, breaks string, f model.Faults, settings ...model.Setting) model.Variant {
	return flagged(name, title, breaks, f, "-mistake="+name, settings...)
}

func flagged(name, title, breaks string, f model.Faults, flag string, settings ...model.Setting) model.Variant {
	return model.Variant{Name: name, Title: title, Breaks: breaks, Show: sampled(f, 5000, settings...),
		Edit: func(s *model.System) { s.Setup.(*Setup).Flags = []string{flag} }}
}
