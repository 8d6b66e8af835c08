package member

// An Entry is an entry of a log.
type Entry struct {
	Index, Term uint64
	Conf        bool   // it changes the configuration; Data describes the change
	Data        string // "" for the entry with which a leader begins
}

// What a peer shows to monitors.
type (
	// Elected: it has become the leader of a term, with this log.
	Elected struct {
		Term  uint64
		First uint64 // index of the log's first entry: earlier entries are in a snapshot
		Log   []Entry
	}
	// Applied: it has applied an entry. Known is the term in which it did.
	Applied struct {
		Entry Entry
		Known uint64
	}
	// Strayed notes that the peer has applied an entry at Index that does not follow the entry at After.
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
	// Back notes that the peer has recovered from the state that it had written before the power failure.
	// Stranded notes that the library panics on this state.
	Back     struct{}
	Stranded struct{ Why string }
	// Handed notes that the leader has told another peer to campaign at once. As far as the leader knows,
	// this peer has Match of Last entries.
	Handed struct{ To, Match, Last uint64 }
	// Granted notes a peer's reaction to a request for a vote in a higher term, or for a pre-vote. Kept means
	// that it must change neither term nor vote. Did means that it has granted the vote.
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
