package member

// An Entry is an entry of a log.
type Entry struct {
	Index, Term uint64
	Conf        bool   // it changes the configuration, and Data says how
	Data        string // "" for the entry with which a leader begins
}

// What a peer shows to monitors.
type (
	// Elected: it has become the leader of a term, with this log.
	Elected struct {
		Term  uint64
		First uint64 // index of the log's first entry: what is before it is in a snapshot
		Log   []Entry
	}
	// Applied: it has applied an entry. Known is the term in which it did.
	Applied struct {
		Entry Entry
		Known uint64
	}
	// Strayed: it has applied an entry that is not the one after the last; indices.
	Strayed struct{ After, Index uint64 }
	// Installed: it has installed a snapshot, with the list up to an index.
	Installed struct {
		Index uint64
		List  Values
	}
	// Wrote: as the leader of a term it has appended entries; or Overwrote: it has lost or
	// changed some that it had.
	Wrote     struct{ Entries int }
	Overwrote struct{ Before, After []Entry }
	// Committed: its commit index has risen; or Regressed: it has fallen.
	Committed struct{}
	Regressed struct{ From, To uint64 }
	// Back: it has come back from what it had written when the power failed; or Stranded: the
	// library panics at that.
	Back     struct{}
	Stranded struct{ Why string }
	// Handed: as the leader it tells another to campaign at once, which has Match entries of
	// Last, as far as it knows.
	Handed struct{ To, Match, Last uint64 }
	// Granted: it was asked for a vote in a higher term, or a pre-vote, in which Kept says that it
	// must change neither term nor vote; Did says that it did.
	Granted struct{ Kept, Did bool }
	// Configured: it has applied a change, and this is the configuration.
	Configured struct{ Conf Conf }
)

// A Conf is a configuration: of voters, of the voters that leave in a joint one, of learners.
type Conf struct{ Voters, Outgoing, Learners []uint64 }

// Types are the values that travel, are returned, noted, or name alarms.
var Types = append(messages,
	Append{}, Read{}, ReadAgain{}, LogRead{}, Transfer{}, Change{}, Done{}, Dropped{}, Values(""), Campaign{}, Tick{}, AppendThread{}, ApplyThread{},
	Elected{}, Applied{}, Installed{}, Wrote{}, Overwrote{}, Committed{}, Regressed{}, Configured{}, Back{}, Stranded{}, Strayed{}, Handed{}, Granted{},
)
