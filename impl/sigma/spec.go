package sigma

// Definitions are what the lines of Figure 1 are made of. A variant overrides one, and has the others from the
// definitions that it embeds: so variants can be joined.
type Definitions interface {
	// End is GetTimeStamp of line 21.
	End(timestamp int) int
	// Before is the predetermined order of requests, and Ahead whether a request is put in front of another of the queue.
	Before(a, b Request) bool
	Ahead(cfg *Config, a, b Request) bool
	// Keeps is the condition of line 8.
	Keeps(mine, kept, owner Request) bool
	// Supports is that of line 11.
	Supports(mine, kept Request) bool
	// Again is what lines 15 to 17 send to a server.
	Again(cfg *Config, mine, kept Request) Tag
	// Obsolete is the condition of line 25.
	Obsolete(timestamp, t int) bool
	// Older and Newer are those of lines 28 and 29.
	Older(t, old int) bool
	Newer(t, old int) bool
}

// Spec is Figure 1 as printed.
type Spec struct{}

// End is larger than all before.
func (Spec) End(timestamp int) int { return timestamp + 1 }

// Before is "the order of the sequence number with client ids as the tiebreaker".
func (Spec) Before(a, b Request) bool { return a.T < b.T || a.T == b.T && a.Client < b.Client }

// Ahead is the same order.
func (Spec) Ahead(cfg *Config, a, b Request) bool { return cfg.spec.Before(a, b) }

// Keeps is "resp[j] ≠ (ci, timestamp) and (ci ≠ owner or timestamp = t)".
func (Spec) Keeps(mine, kept, owner Request) bool {
	return kept != mine && (owner.Client != mine.Client || owner.T == mine.T)
}

// Supports is "resp[j] = (ci, ti)".
func (Spec) Supports(mine, kept Request) bool { return kept == mine }

// Again asks a server that supports the client to yield, and others according to the order of requests.
func (Spec) Again(cfg *Config, mine, kept Request) Tag {
	switch {
	case kept.Client == mine.Client: // 15: "if resp[k].owner = ci then send (YIELD, timestamp)"
		return YIELD
	case cfg.spec.Before(mine, kept): // 16: "if (ci, timestamp) < resp[k] then send (REQUEST, timestamp)"
		return REQUEST
	default: // 17: "else send (INQUIRY, timestamp)"
		return INQUIRY
	}
}

// Obsolete is "timestamp ≠ t".
func (Spec) Obsolete(timestamp, t int) bool { return timestamp != t }

// Older is "t < t'".
func (Spec) Older(t, old int) bool { return t < old }

// Newer is "t > t'".
func (Spec) Newer(t, old int) bool { return t > old }
