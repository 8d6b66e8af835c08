package viewing

import (
	"errors"
	"fmt"
	"io"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/model"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/export"
	"contend/traces/page"
	"contend/traces/picture"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/why"
)

// A shown run is to be printed or drawn: as its trace replays, or else as it was recorded.
type shown struct {
	protocol *model.Protocol // nil where this program has none of that name
	run      *replay.Run     // nil where the run is shown as it was recorded
	picture  *picture.Picture
}

// shownAs replays a trace. If its protocol is missing or has changed, it prints a line, and uses the picture in
// the trace. Without a picture it returns the run up to the divergence, with the error.
func shownAs(t *tool.Tool, path string) (*shown, error) {
	tr, err := t.Load(path)
	if err != nil {
		return nil, tool.Unread(path, err)
	}
	recorded, err := picture.Read(tr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p, err := t.Protocol(tr.Protocol)
	if err != nil {
		if recorded == nil {
			return nil, fmt.Errorf("%s: %w; the trace has no picture of its run, so only a program with the protocol can show it", path, err)
		}
		recordedNote(t, path, fmt.Sprintf("protocol %s is not in this program", tr.Protocol))
		return &shown{picture: recorded}, nil
	}
	run, err := replay.Replay(p, tr, tool.Watched(p))
	if err == nil || recorded == nil {
		return &shown{protocol: p, run: run}, inFile(path, err)
	}
	recordedNote(t, path, otherwise(tr, recorded.Differs(run), err))
	return &shown{protocol: p, picture: recorded}, nil
}

// recordedNote prints why a run is shown as recorded.
func recordedNote(t *tool.Tool, path, because string) {
	console.Say(t.Err, "%s: %s; the run is shown as it was recorded", console.Plain(path), console.Plain(because))
}

// otherwise returns a text on the step from which a protocol differs from a trace: at the latest where it
// diverges.
func otherwise(tr *traces.Trace, differs int, err error) string {
	var d *replay.Divergence
	switch {
	case !errors.As(err, &d):
		return fmt.Sprintf("%s is not what it was: %v", tr.Protocol, err)
	case differs > 0:
		return fmt.Sprintf("%s behaves otherwise from step %d on", tr.Protocol, differs)
	case d.Step > len(tr.Steps):
		return fmt.Sprintf("%s takes these steps still, but does not break %s with them any more", tr.Protocol, tr.Claim)
	}
	return fmt.Sprintf("%s behaves otherwise from step %d on", tr.Protocol, d.Step)
}

// inFile puts the name of a file before an error.
func inFile(path string, err error) error {
	var d *replay.Divergence
	switch {
	case err == nil:
		return nil
	case errors.As(err, &d):
		return fmt.Errorf("%s: diverges: %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

func (s *shown) text(w io.Writer, style show.Style) error {
	if s.run != nil {
		return why.Write(w, s.run, style)
	}
	return s.picture.Text(w, style)
}

func (s *shown) diagram() *draw.Diagram {
	if s.run != nil {
		return draw.New(s.run)
	}
	return s.picture.Diagram
}

func (s *shown) page(w io.Writer) error {
	if s.run != nil {
		return page.Write(w, s.run)
	}
	return s.picture.Page(w)
}

func (s *shown) svg(w io.Writer, heights string) error {
	if s.run != nil {
		return why.SVG(w, s.run, heights)
	}
	return s.picture.SVG(w, heights)
}

func (s *shown) itf(w io.Writer) error {
	if s.run != nil {
		return export.ITF(w, s.run)
	}
	return export.WritePictureITF(w, s.picture)
}

func (s *shown) shiViz(w io.Writer) error { return export.ShiViz(w, s.diagram()) }

func (s *shown) porcupine(w io.Writer) error {
	if s.run == nil {
		return errors.New("a history is judged by the protocol's own object, so the trace has to replay")
	}
	return history(w, s.protocol, s.run)
}
