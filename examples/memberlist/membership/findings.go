package membership

import (
	_ "embed" // the traces

	"contend/model"
)

// findings are the claims that the library violates. README.md explains each of them.
var findings = []model.Finding{
	{Name: "memberlist-old-news", Claim: outweighs, Trace: oldNews},
	{Name: "memberlist-old-news", Claim: agreed, Trace: oldNewsForEver},
	{Name: "memberlist-own-leave", Claim: known, Trace: ownLeave},
	{Name: "memberlist-dead-not-left", Claim: departed, Trace: deadNotLeft},
	{Name: "memberlist-torn-leave", Variant: "torn", Claim: leaver, Trace: tornLeave},
	{Name: "memberlist-moved", Variant: "moving", Claim: known, Trace: movedUnknown},
	{Name: "memberlist-moved", Variant: "moving", Claim: departed, Trace: movedGhost},
	{Name: "memberlist-unknown-dead", Variant: "slow+joins-previous", Claim: known, Trace: unknownDead},
}

var (
	//go:embed findings/old-news.json
	oldNews []byte
	//go:embed findings/old-news-for-ever.json
	oldNewsForEver []byte
	//go:embed findings/own-leave.json
	ownLeave []byte
	//go:embed findings/dead-not-left.json
	deadNotLeft []byte
	//go:embed findings/torn-leave.json
	tornLeave []byte
	//go:embed findings/moved-unknown.json
	movedUnknown []byte
	//go:embed findings/moved-ghost.json
	movedGhost []byte
	//go:embed findings/unknown-dead.json
	unknownDead []byte
)
