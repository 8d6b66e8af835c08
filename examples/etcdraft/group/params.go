package group

import (
	"fmt"

	"contend/examples/etcdraft/member"
	"contend/model"
)

// The parameters of a group and of its workload. Workload that is distributed in turn goes to the leader at
// the beginning first, if there is one, and to the candidates.
var (
	Voters     = model.Param[int]{Name: "voters", Meaning: "voters at the beginning, the first of the peers; 0: all", Most: 7}
	Led        = model.Param[int]{Name: "led", Meaning: "1: the first peer leads at the beginning, and is no candidate", Most: 1}
	Candidates = model.Param[int]{Name: "candidates", Meaning: "peers that may campaign, the first, or those after the leader", Most: 7, Default: 1}
	Campaigns  = model.Param[int]{Name: "campaigns", Meaning: "election time-outs of each candidate", Most: 20, Default: 1}
	Proposals  = model.Param[int]{Name: "proposals", Meaning: "values that are appended: the first by the last of leader and candidates, the next by the one before it", Most: 20, Default: 1}
	Reads      = model.Param[int]{Name: "reads", Meaning: "reads by ReadIndex: the first by p1, the next by the candidate after it", Most: 20}
	LogReads   = model.Param[int]{Name: "log-reads", Meaning: "reads through the log, in the same order", Most: 20}
	Ticks      = model.Param[int]{Name: "ticks", Meaning: "ticks of each peer's clock", Most: 100}
	Transfers  = model.Param[int]{Name: "transfers", Meaning: "requests to hand leadership over: the first by p1, the next by the candidate after it, each to the peer after itself", Most: 20}
	Changes    = model.Param[int]{Name: "changes", Meaning: "changes of the configuration, proposed by p1, from the list of the variant", Most: 20}
	Compact    = model.Param[int]{Name: "compact", Meaning: "entries after which a snapshot is taken and the log compacted; 0 never", Most: 20}
	Inflight   = model.Param[int]{Name: "inflight", Meaning: "append messages in flight to a peer, of one entry each; 0: without bound", Most: 20}
)

var params = []model.Parameter{
	model.N.WithMeaning("peers").WithRange(1, 7).WithDefault(3),
	Voters, Led, Candidates, Campaigns, Proposals, Reads, LogReads, Ticks, Transfers, Changes, Compact, Inflight,
}

// check returns an error about incompatible settings, as a sentence.
func check(c model.Config) error {
	switch {
	case Voters.Of(c) > c.N:
		return fmt.Errorf("voters is %d, but there are only n = %d peers", Voters.Of(c), c.N)
	case actors(c) > c.N:
		return fmt.Errorf("candidates is %d, but there are only n = %d peers, the leader among them", Candidates.Of(c), c.N)
	case actors(c) < 1:
		return fmt.Errorf("candidates is 0, but only a group that is led at the beginning needs none")
	}
	return nil
}

// budgets returns the time-outs and ticks of each peer.
func budgets(c model.Config) func(id uint64) member.Budget {
	return func(id uint64) member.Budget {
		b := member.Budget{Ticks: Ticks.Of(c)}
		if int(id) > Led.Of(c) && int(id) <= actors(c) {
			b.Campaigns = Campaigns.Of(c)
		}
		return b
	}
}

// actors returns the number of peers with an application: the leader at the beginning, and the candidates.
func actors(c model.Config) int { return Led.Of(c) + Candidates.Of(c) }
