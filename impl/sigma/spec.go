package sigma

// Definitions are the definitions that the lines of Figure 1 use. A variant overrides one, and embeds the others. So
// variants can be combined.
type Definitions interface {
	// End implements GetTimeStamp of line 21.
	End(timestamp int) int
	// Before reports the predetermined order of requests. Ahead reports whether a request is put before another request
	// of the queue.
	Before(a, b Request) bool
	Ahead(cfg *Config, a, b Request) bool
	// Keeps reports whether the condition of line 8 holds.
	Keeps(mine, kept, owner Request) bool
	// Supports reports the condition of line 11.
	Supports(mine, kept Request) bool
	// Again returns the tag that lines 15 to 17 send to a server.
	Again(cfg *Config, mine, kept Request) Tag
	// Obsolete reports the condition of line 25.
	Obsolete(timestamp, t int) bool
	// Older and Newer report the conditions of lines 28 and 29.
	Older(t, old int) bool
	Newer(t, old int) bool
}

// Spec has the definitions of Figure 1 as printed.
type Spec struct{}

// End returns a larger timestamp.
func (Spec) End(timestamp int) int { return timestamp + 1 }

// Before reports "the order of the sequence number with client ids as the tiebreaker".
func (Spec) Before(a, b Request) bool { return a.T < b.T || a.T == b.T && a.Client < b.Client }

// Ahead reports the same order.
func (Spec) Ahead(cfg *Config, a, b Request) bool { return cfg.spec.Before(a, b) }

// Keeps reports whether "resp[j] ≠ (ci, timestamp) and (ci ≠ owner or timestamp = t)".
func (Spec) Keeps(mine, kept, owner Request) bool {
	return kept != mine && (owner.Client != mine.Client || owner.T == mine.T)
}

// Supports reports "resp[j] = (ci, ti)".
func (Spec) Supports(mine, kept Request) bool { return kept == mine }

// Again returns YIELD for a server that supports the client, and otherwise a tag by the order of requests.
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

// Obsolete reports "timestamp ≠ t".
func (Spec) Obsolete(timestamp, t int) bool { return timestamp != t }

// Older reports "t < t'".
func (Spec) Older(t, old int) bool { return t < old }

// Newer reports "t > t'".
func (Spec) Newer(t, old int) bool { return t > old }
