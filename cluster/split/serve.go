package split

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"contend/checker"
	"contend/cluster/hub"
	"contend/model"
)

// mostTask is the maximum size of a task, in bytes.
const mostTask = 1 << 20

// Serve runs a part of a search. It reads a task from in, writes a line to out when it is ready, and answers
// questions until in ends.
func Serve(suite []*model.Protocol, in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, mostTask)
	text, err := lines.ReadSlice('\n')
	if err != nil {
		return errors.New("the standard input has no search: this verb is for the tool's own use")
	}
	var t task
	if err := json.Unmarshal(text, &t); err != nil || t.Part < 1 || t.Part >= t.Parts {
		return errors.New("the standard input has no search: this verb is for the tool's own use")
	}
	h, err := hub.Access{Server: t.Server, Creds: t.Creds, CA: t.CA}.Connect(context.Background(), fmt.Sprintf("part %d of %d", t.Part+1, t.Parts))
	if err != nil {
		return err
	}
	defer h.Close()
	store, err := OpenStore(context.Background(), h, t.Name, t.Part, t.Epoch)
	if err != nil {
		return err
	}
	ex, err := Join(h.Conn, t.Epoch, t.Part, t.Parts)
	if err != nil {
		return err
	}
	defer ex.Close(errors.New("it is over"))
	return checker.Follow(suite, t.Job, t.Dir, ex, store, func() error {
		if _, err := io.WriteString(out, readyLine); err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, lines) // until the leader has ended, or dismisses the part
		ex.Close(errors.New("the leader has ended"))
		return nil
	})
}
