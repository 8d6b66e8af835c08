package payload

import "github.com/nspcc-dev/dbft"

// AddPayload and the methods after it implement [dbft.RecoveryMessage]. The library passes the results of the
// Get methods to itself and verifies no signatures. Hence they return only genuine payloads.
func (r *Recovery) AddPayload(p dbft.ConsensusPayload[Hash]) {
	r.Payloads = append(r.Payloads, p.(Payload))
}

// GetPrepareRequest implements [dbft.RecoveryMessage].
func (r *Recovery) GetPrepareRequest(_ dbft.ConsensusPayload[Hash], _ []dbft.PublicKey, _ uint16) dbft.ConsensusPayload[Hash] {
	for _, p := range r.genuine(dbft.PrepareRequestType) {
		return p
	}
	return nil
}

// GetPrepareResponses implements [dbft.RecoveryMessage].
func (r *Recovery) GetPrepareResponses(dbft.ConsensusPayload[Hash], []dbft.PublicKey) []dbft.ConsensusPayload[Hash] {
	return r.genuine(dbft.PrepareResponseType)
}

// GetChangeViews implements [dbft.RecoveryMessage].
func (r *Recovery) GetChangeViews(dbft.ConsensusPayload[Hash], []dbft.PublicKey) []dbft.ConsensusPayload[Hash] {
	return r.genuine(dbft.ChangeViewType)
}

// GetPreCommits implements [dbft.RecoveryMessage].
func (r *Recovery) GetPreCommits(dbft.ConsensusPayload[Hash], []dbft.PublicKey) []dbft.ConsensusPayload[Hash] {
	return nil
}

// GetCommits implements [dbft.RecoveryMessage].
func (r *Recovery) GetCommits(dbft.ConsensusPayload[Hash], []dbft.PublicKey) []dbft.ConsensusPayload[Hash] {
	return r.genuine(dbft.CommitType)
}

// PreparationHash returns nil: each response has the hash that it answers.
func (r *Recovery) PreparationHash() *Hash { return nil }

// genuine returns the genuine payloads of a type.
func (r *Recovery) genuine(t dbft.MessageType) []dbft.ConsensusPayload[Hash] {
	var all []dbft.ConsensusPayload[Hash]
	for _, p := range r.Payloads {
		if p.Type() == t && p.Genuine() {
			all = append(all, p)
		}
	}
	return all
}
