// Wald is a server with a write-ahead log of CometBFT's consensus. It repairs a log as the consensus does at its start.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	_ "unsafe" // for linkname

	"github.com/cometbft/cometbft/consensus"
	"github.com/cometbft/cometbft/libs/autofile"
	"github.com/cometbft/cometbft/libs/log"
	cmtos "github.com/cometbft/cometbft/libs/os"
	"github.com/cometbft/cometbft/types"

	"contend/program/sim"
)

const (
	file    = "/data/cs.wal/wal"
	highest = 30 // no call has a higher height
)

//go:linkname repairWalFile github.com/cometbft/cometbft/consensus.repairWalFile
func repairWalFile(src, dst string) error

var careful = flag.Bool("careful", false, "repair a copy of the log, and rename it when it is durable; repair a log without the end of a height, too")

func main() {
	flag.Parse()
	wal := load()
	shown, err := replay(wal)
	if consensus.IsDataCorruptionError(err) || *careful && len(shown) == 0 {
		must(wal.Stop())
		repair()
		wal = load()
		shown, err = replay(wal)
	}
	must(err)
	sim.Note("shows " + strings.Join(shown, " "))
	for {
		sim.Return(call(wal, strings.Fields(sim.Invoked())))
	}
}

// repair keeps what the log has before the first error.
func repair() {
	const corrupted, repaired = file + ".CORRUPTED", file + ".repaired"
	must(cmtos.CopyFile(file, corrupted))
	if !*careful {
		must(repairWalFile(corrupted, file))
		return
	}
	must(repairWalFile(corrupted, repaired))
	sync(repaired)
	must(os.Rename(repaired, file))
	sync(filepath.Dir(file))
}

// sync syncs a file or a directory.
func sync(name string) {
	f, err := os.Open(name)
	must(err)
	must(f.Sync())
	must(f.Close())
}

// must ends the program, as the consensus does if it cannot write its log.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func load() *consensus.BaseWAL {
	wal, err := consensus.NewWAL(file, autofile.GroupHeadSizeLimit(256), autofile.GroupCheckDuration(100*time.Millisecond))
	must(err)
	wal.SetLogger(log.NewNopLogger())
	wal.SetFlushInterval(40 * time.Millisecond)
	must(wal.Start())
	return wal
}

// replay returns the last height that has ended in the log, and the messages after its end.
func replay(wal *consensus.BaseWAL) (shown []string, err error) {
	for height := highest; height >= 0; height-- {
		r, found, err := wal.SearchForEndHeight(int64(height), &consensus.WALSearchOptions{IgnoreDataCorruptionErrors: true})
		if err != nil || found {
			return read(r, []string{fmt.Sprint(height)}, err)
		}
	}
	return nil, nil
}

func read(r io.ReadCloser, shown []string, err error) ([]string, error) {
	if err != nil {
		return shown, err
	}
	defer r.Close()
	for d := consensus.NewWALDecoder(r); ; {
		m, err := d.Decode()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return shown, err
		}
		if s, ok := m.Msg.(types.EventDataRoundState); ok {
			shown = append(shown, s.Step)
		}
	}
}

// call makes a call: "write M" writes a message, "sync M" also syncs it, "end H" ends a height.
func call(wal *consensus.BaseWAL, words []string) string {
	message := types.EventDataRoundState{Step: words[1]}
	switch words[0] {
	case "write":
		must(wal.Write(message))
	case "sync":
		must(wal.WriteSync(message))
		sim.Note("keeps " + words[1])
	case "end":
		height, _ := strconv.Atoi(words[1])
		must(wal.WriteSync(consensus.EndHeightMessage{Height: int64(height)}))
		sim.Note("keeps " + words[1])
	}
	return "ok"
}
