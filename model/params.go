package model

// N and B are the parameters that have fields of their own in [Config]. Of a protocol
// without servers N counts its processes. A protocol that has either lists it.
var (
	N = Param[int]{Name: "n", Meaning: "servers", Least: 1, Most: 32}
	B = Param[int]{Name: "b", Meaning: "Byzantine servers", Most: 10}
)

// Parameters that several protocols have. A protocol lists those that it reads, with a
// default or a range of its own where it likes.
var (
	// Quorum has no default: the smallest that serves depends on N and B.
	Quorum  = Param[int]{Name: "quorum", Meaning: "size of a quorum", Least: 1, Most: 32}
	Clients = Param[int]{Name: "clients", Meaning: "clients", Least: 1, Most: 32, Default: 2}
	Ops     = Param[int]{Name: "ops", Meaning: "operations of each client", Least: 1, Most: 1000, Default: 1}
	// Delay is δ.
	Delay = Param[Ticks]{Name: "delay", Meaning: "δ, the bound on message delay", Symbol: "δ", Least: 1, Most: 1000, Default: 1}
)
