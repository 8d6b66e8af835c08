// Pvd is a signer with a FilePV: it signs proposals and votes, and notes each signature that leaves the process.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cometbft/cometbft/crypto/tmhash"
	"github.com/cometbft/cometbft/privval"
	cmtproto "github.com/cometbft/cometbft/proto/tendermint/types"
	"github.com/cometbft/cometbft/types"

	"contend/program/sim"
)

const (
	dir   = "/data"
	key   = dir + "/priv_validator_key.json"
	state = dir + "/priv_validator_state.json"
	chain = "chain"
)

var careful = flag.Bool("careful", false, "save the state before the key, and sync the directory after each change")

func main() {
	flag.Parse()
	must(os.MkdirAll(dir, 0o700))
	pv := open()
	sim.Note("opens")
	for {
		sim.Return(sign(pv, strings.Fields(sim.Invoked())))
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// open loads the key and the state, and makes them if there is no key.
func open() *privval.FilePV {
	if _, err := os.Stat(key); err != nil && *careful {
		pv := privval.GenFilePV(key, state)
		pv.LastSignState.Save()
		syncDir("/", dir)
		pv.Key.Save()
	}
	pv := privval.LoadOrGenFilePV(key, state)
	if *careful {
		syncDir(dir)
	}
	return pv
}

// syncDir syncs directories.
func syncDir(names ...string) {
	for _, name := range names {
		d, err := os.Open(name)
		must(err)
		must(d.Sync())
		must(d.Close())
	}
}

// sign signs for a request: a step, a height, a round and a block. It returns "refused" if the library refuses.
func sign(pv *privval.FilePV, request []string) string {
	height, _ := strconv.ParseInt(request[1], 10, 64)
	round, _ := strconv.ParseInt(request[2], 10, 32)
	hash := tmhash.Sum([]byte(request[3]))
	block := cmtproto.BlockID{Hash: hash, PartSetHeader: cmtproto.PartSetHeader{Total: 1, Hash: hash}}
	var signed, signature []byte
	var err error
	if request[0] == "propose" {
		p := &cmtproto.Proposal{Type: cmtproto.ProposalType, Height: height, Round: int32(round), PolRound: -1, BlockID: block, Timestamp: time.Now()}
		err = pv.SignProposal(chain, p)
		signed, signature = types.ProposalSignBytes(chain, p), p.Signature
	} else {
		step := map[string]cmtproto.SignedMsgType{"prevote": cmtproto.PrevoteType, "precommit": cmtproto.PrecommitType}[request[0]]
		v := &cmtproto.Vote{Type: step, Height: height, Round: int32(round), BlockID: block, Timestamp: time.Now()}
		err = pv.SignVote(chain, v)
		signed, signature = types.VoteSignBytes(chain, v), v.Signature
	}
	switch {
	case err != nil:
		sim.Note("refuses " + strings.Join(request, " "))
		return "refused"
	case *careful:
		syncDir(dir)
	}
	if !pv.Key.PubKey.VerifySignature(signed, signature) {
		sim.Note("invalid " + strings.Join(request, " "))
	}
	sim.Note(fmt.Sprintf("signs %s %x", strings.Join(request, " "), signature[:8]))
	return "signed"
}
