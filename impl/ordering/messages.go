package ordering

import (
	"fmt"

	"contend/model"
)

// What a client invokes on a server: the methods of Figure 3, each with the rank
// that "a client always sends" (§6.2). A client uses a rank for one passage of its
// ordering thread, so that a method and a rank name an invocation, and answers are
// told apart: "any method μ ∈ ℳ can be invoked at a server u at most once" (§7).
type (
	// Submit is u.submit(o).
	Submit struct{ Op Op }
	// Get is u.get(r).
	Get struct{ Rank Rank }
	// Propose is u.propose(σ, r).
	Propose struct {
		State State
		Rank  Rank
	}
	// Commit is u.commit(σ, r).
	Commit struct {
		State State
		Rank  Rank
	}
)

// What a server answers.
type (
	// Response is what submit returns.
	Response struct {
		Seq   int // of the client's operation
		Value any
	}
	// Got is what get returns.
	Got struct {
		Rank                Rank
		Committed, Proposed State // σᶜ, σᵖᶜ
		Proposer            Rank
		Pending             map[Label]any
	}
	// Done says that propose or commit returned.
	Done struct {
		Phase Phase
		Rank  Rank
	}
	// RankException "notifies the client of the higher rank under which another client
	// contacted" the server.
	RankException struct {
		Phase   Phase // of the method that throws it
		Rank    Rank  // of the invocation
		Highest Rank  // maxRank
	}
)

// A Phase is where an ordering thread is.
type Phase int

// The phases of a passage, with their lines in Figure 2; the zero Phase is no
// thread.
const (
	Contending Phase = iota + 1 // 2.9
	Getting                     // 2.10–13
	Proposing                   // 2.26–28
	Committing                  // 2.29–31
)

func (p Phase) String() string {
	if p < 0 || p > Committing {
		return fmt.Sprintf("Phase(%d)", int(p))
	}
	return [...]string{"idle", "contend", "get", "propose", "commit"}[p]
}

// What nodes note for monitors.
type (
	// An Invocation is the client invocation p.μ of §7, of get, propose or commit.
	Invocation struct {
		Phase Phase
		Rank  Rank
		State State // of propose and commit
	}
	// A Completion is a complete server invocation u.μ: one that does "not result in
	// RankException" (§7).
	Completion struct {
		Phase Phase
		Rank  Rank
		State State
	}
	// Stateless says that line 2.25 had no σᶜ to apply operations to.
	Stateless struct{}
)

// contended is the alarm that ends contend where it is abstract.
type contended struct{}

// types are those of messages, keys and labels.
var types = []any{
	Submit{}, Get{}, Propose{}, Commit{}, Response{}, Got{}, Done{}, RankException{},
	Invocation{}, Completion{}, Stateless{}, contended{}, model.Inner{},
}
