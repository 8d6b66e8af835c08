package main

import "contend/checker/plant"

// A Bug is a mistake that somebody might have made in the library, or did make once, as an edit of its text.
type Bug struct {
	Name   string
	Models string // the kind of the bug, and a reference
	Edit   plant.Edit
	Claim  string // that it breaks
	Row    string // what to check: the variant, and the bounds
}

// The claims, as the protocol has them.
const (
	agreement = "agreement"
	validity  = "validity"
	final     = "a Commit is final"
	prepared  = "a commit rests on M preparations"
	changed   = "a view rests on M ChangeViews"
)

const (
	oneView = "dbft/unhelped+abstract --views 1 --timeouts 0"
	liar    = "dbft/weeded+unhelped+abstract -b 1 --views 1 --timeouts 0"
)

var bugs = []Bug{
	{
		Name: "prepare-quorum", Models: "a validator commits one preparation too early",
		Edit:  plant.Edit{File: "check.go", Old: "if hasRequest && count >= d.M() {", New: "if hasRequest && count >= d.M()-1 {"},
		Claim: prepared, Row: oneView,
	},
	{
		Name: "commit-quorum", Models: "a block is accepted one Commit too early",
		Edit:  plant.Edit{File: "check.go", Old: "if count < d.M() {\n\t\td.Logger.Debug(\"not enough to commit\"", New: "if count < d.M()-1 {\n\t\td.Logger.Debug(\"not enough to commit\""},
		Claim: validity, Row: oneView,
	},
	{
		Name: "change-quorum", Models: "a view is entered one ChangeView too early",
		Edit:  plant.Edit{File: "check.go", Old: "if count < d.M() {\n\t\treturn\n\t}\n\n\tif !d.Context.WatchOnly()", New: "if count < d.M()-1 {\n\t\treturn\n\t}\n\n\tif !d.Context.WatchOnly()"},
		Claim: changed, Row: "dbft/unhelped+abstract --hasty 2",
	},
	{
		Name: "commit-unverified", Models: "the signature of a Commit is not looked at",
		Edit: plant.Edit{
			File: "dbft.go",
			Old:  "if err := header.Verify(pub, msg.GetCommit().Signature()); err == nil {",
			New:  "if err := header.Verify(pub, msg.GetCommit().Signature()); err == nil || true {",
		},
		Claim: validity, Row: liar,
	},
	{
		Name: "response-unmatched", Models: "a PrepareResponse counts, whatever PrepareRequest it answers",
		Edit:  plant.Edit{File: "dbft.go", Old: "if h := m.Hash(); prepHash != h {", New: "if h := m.Hash(); false && prepHash != h {"},
		Claim: prepared, Row: liar,
	},
	{
		Name: "response-kept", Models: "PrepareResponses that came before the PrepareRequest are kept, whatever they answer",
		Edit:  plant.Edit{File: "dbft.go", Old: "if resp != nil && resp.PreparationHash() != msg.Hash() {", New: "if resp == nil {"},
		Claim: prepared, Row: liar,
	},
	{
		Name: "change-after-commit", Models: "a validator that has sent a Commit goes on to the next view with the others",
		Edit: plant.Edit{
			File: "dbft.go",
			Old:  "if d.CommitSent() || d.PreCommitSent() {\n\t\td.Logger.Debug(\"ignoring ChangeView",
			New:  "if d.PreCommitSent() {\n\t\td.Logger.Debug(\"ignoring ChangeView",
		},
		Claim: final, Row: "dbft/weeded+unhelped -b 1 --hasty 2",
	},
	{
		Name: "header-early", Models: "a header is made before there is a PrepareRequest, and Commits are held against it (before nspcc-dev/dbft pull request 57, of 2022)",
		Edit: plant.Edit{
			File: "context.go",
			Old:  "if !c.RequestSentOrReceived() {\n\t\t\treturn nil\n\t\t}\n\t\t// For",
			New:  "// For",
		},
		Claim: prepared, Row: "dbft/unhelped --views 1 --timeouts 0",
	},
}

// mended is no bug: the library with what makes updateExistingPayloads see the PrepareRequest.
var mended = Bug{
	Name: "mended", Models: "the PrepareRequest is there when the Commits that came before it are verified",
	Edit: plant.Edit{
		File: "dbft.go",
		Old:  "d.updateExistingPayloads(msg)\n\td.PreparationPayloads[msg.ValidatorIndex()] = msg\n",
		New:  "d.PreparationPayloads[msg.ValidatorIndex()] = msg\n\td.updateExistingPayloads(msg)\n",
	},
	Claim: agreement, Row: "dbft/unhelped+abstract -b 1 --views 1 --timeouts 0",
}
