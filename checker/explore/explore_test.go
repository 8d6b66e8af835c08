package explore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/walk"
)

const host = "127.0.0.1:4711"

// A visitor asks a server as the page does.
type visitor struct {
	t *testing.T
	s *Server
	h http.Handler
}

// exploring is a visitor of a server for a protocol.
func exploring(t *testing.T, p *model.Protocol, c model.Config, reading model.Reading) *visitor {
	return exploringVariant(t, p, "", c, reading)
}

func exploringVariant(t *testing.T, p *model.Protocol, variant string, c model.Config, reading model.Reading) *visitor {
	t.Helper()
	s, err := New(Options{
		Protocol: p, Header: traces.New(p, variant, p.Filled(c), reading != model.Untimed, "", ""),
		Check: model.Check{Variant: variant, Config: c, Reading: reading}, Command: "verify explore " + p.Name, Out: filepath.Join(t.TempDir(), "out"),
	})
	require.NoError(t, err)
	return &visitor{t, s, s.Handler(host)}
}

// two processes of Ricart and Agrawala.
func two(t *testing.T) *visitor {
	return exploring(t, ricartagrawala.Protocol, model.Config{}.With(model.N.Is(2)), model.Untimed)
}

// request sends a request that the page might send, unless it is changed.
func (v *visitor) request(method, path, body string, changes ...func(r *http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+host+v.s.Path()+path, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, change := range changes {
		change(r)
	}
	w := httptest.NewRecorder()
	v.h.ServeHTTP(w, r)
	return w
}

// asks asks for an answer of a type.
func asks[T any](v *visitor, call string, body any) (out T) {
	v.t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(v.t, err)
	w := v.request(http.MethodPost, "api/"+call, string(raw))
	require.Equal(v.t, http.StatusOK, w.Code, w.Body.String())
	require.NoError(v.t, json.Unmarshal(w.Body.Bytes(), &out))
	return out
}

// refused is what a call says no with.
func (v *visitor) refused(call, body string) string {
	v.t.Helper()
	w := v.request(http.MethodPost, "api/"+call, body)
	require.GreaterOrEqual(v.t, w.Code, 400, w.Body.String())
	var out map[string]string
	require.NoError(v.t, json.Unmarshal(w.Body.Bytes(), &out), w.Body.String())
	return out["error"]
}

func (v *visitor) at(place string) view { return asks[view](v, "at", placeRequest{place}) }

func (v *visitor) take(place, choice string) view {
	return asks[view](v, "take", stepRequest{placeRequest: placeRequest{place}, Choice: choice})
}

// Nobody is let in but the page: not by another host, from another origin or site, without the token, or
// in a way in which a form of a foreign page could ask.
func TestDoor(t *testing.T) {
	v := two(t)
	header := func(name, is string) func(r *http.Request) { return func(r *http.Request) { r.Header.Set(name, is) } }
	path := func(to string) func(r *http.Request) { return func(r *http.Request) { r.URL.Path = to } }
	for name, c := range map[string]struct {
		change func(r *http.Request)
		code   int
	}{
		"as the page asks":       {func(*http.Request) {}, 200},
		"from its own origin":    {header("Origin", "http://"+host), 200},
		"from its own site":      {header("Sec-Fetch-Site", "same-origin"), 200},
		"another host":           {func(r *http.Request) { r.Host = "evil.example:4711" }, 403},
		"another port":           {func(r *http.Request) { r.Host = "127.0.0.1:4712" }, 403},
		"another origin":         {header("Origin", "http://evil.example"), 403},
		"an origin that is none": {header("Origin", "null"), 403},
		"another scheme":         {header("Origin", "https://"+host), 403},
		"another site":           {header("Sec-Fetch-Site", "cross-site"), 403},
		"the same site":          {header("Sec-Fetch-Site", "same-site"), 403},
		"no token":               {path("/api/at"), 403},
		"a wrong token":          {path("/" + strings.Repeat("A", 26) + "/api/at"), 403},
		"a part of the token":    {path(v.s.Path()[:10] + "/api/at"), 403},
		"as a form asks":         {header("Content-Type", "text/plain"), 415},
		"as a form asks, too":    {header("Content-Type", "application/x-www-form-urlencoded"), 415},
		"by GET":                 {func(r *http.Request) { r.Method = http.MethodGet }, 404},
		"by PUT":                 {func(r *http.Request) { r.Method = http.MethodPut }, 405},
	} {
		w := v.request(http.MethodPost, "api/at", `{"place":""}`, c.change)
		assert.Equal(t, c.code, w.Code, "%s: %s", name, w.Body.String())
		assert.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'", name)
		assert.NotContains(t, w.Body.String(), v.s.token)
	}
	assert.NotEqual(t, v.s.token, two(t).s.token)
	assert.Len(t, v.s.token, 26)
}

// The page is there with all that it needs, and nothing of it is from elsewhere or runs where it stands.
func TestPage(t *testing.T) {
	v := two(t)
	w := v.request(http.MethodGet, "", "")
	require.Equal(t, http.StatusOK, w.Code)
	page := w.Body.String()
	assert.NotRegexp(t, `(?i)(src|href)="(https?:)?//|<script>|\son[a-z]+=|style="`, page)
	names := regexp.MustCompile(`(?:href|src)="([a-z]+\.(?:css|js))"`).FindAllStringSubmatch(page, -1)
	require.Len(t, names, 2)
	for _, name := range names {
		assert.Equal(t, http.StatusOK, v.request(http.MethodGet, name[1], "").Code)
	}
	modules, err := files.ReadDir("page")
	require.NoError(t, err)
	for _, m := range modules {
		text, err := files.ReadFile("page/" + m.Name())
		require.NoError(t, err)
		assert.NotRegexp(t, `innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|https?://[^w]`, string(text), m.Name())
		for _, imported := range regexp.MustCompile(`from '\./([a-z]+\.js)'`).FindAllStringSubmatch(string(text), -1) {
			assert.Equal(t, http.StatusOK, v.request(http.MethodGet, imported[1], "").Code)
		}
	}
	for _, name := range []string{"../door.go", "..%2fdoor.go", "nothing.js"} {
		assert.NotEqual(t, http.StatusOK, v.request(http.MethodGet, name, "").Code, name)
	}
}

// One takes steps, goes back and branches; what is said of a place is the same by whichever way and
// whichever server one comes to it.
func TestSteps(t *testing.T) {
	v := two(t)
	start := v.at("")
	require.Len(t, start.Offers, 2)
	assert.Equal(t, offer{Choice: "1", At: "p1", Kind: "event", Where: "p1", What: "invokes Acquire"}, start.Offers[0])
	one := v.take("", "1")
	assert.Equal(t, 1, one.Steps)
	assert.Equal(t, "invokes Acquire", one.Lines[1].What)
	assert.Contains(t, one.Standings[0].Fields, field{Name: "Request", Value: "1", Changed: true})
	assert.Contains(t, one.Claims, claim{Name: "mutual exclusion", Kind: "always", Status: "kept"})
	other := v.take("", "2")
	assert.Equal(t, "2", other.Place)
	deep := one
	for len(deep.Offers) > 0 && deep.Steps < 9 {
		deep = v.take(deep.Place, deep.Offers[len(deep.Offers)-1].Choice)
	}
	assert.Equal(t, one, v.at(one.Place), "back")
	assert.Equal(t, deep, two(t).at(deep.Place), "another server")
	assert.Len(t, deep.Picture, 3)
}

// Faults and lies stand apart, and a claim that breaks is told with its step.
func TestFaultsAndLies(t *testing.T) {
	v := exploring(t, backoff.Protocol, model.Config{Faults: model.Faults{Loss: 1}}.With(model.N.Is(6), model.B.Is(1)), model.Grid)
	at := v.take("", "1")
	kinds := map[string]int{}
	for _, o := range at.Offers {
		kinds[o.Kind]++
	}
	assert.NotZero(t, kinds["lie"])
	assert.Equal(t, 5, kinds["fault"], "each message may be lost")
	assert.Equal(t, "1 loss", at.Budget)
	assert.Equal(t, "Byzantine", at.Standings[5].State)
	assert.Equal(t, "0", at.Now)
	assert.Equal(t, "1", at.Offers[0].Latest)
	late := asks[view](v, "take", stepRequest{placeRequest: placeRequest{at.Place}, Choice: at.Offers[0].Choice, At: "1/7"})
	assert.Equal(t, "1/7", late.Now, "any instant may be named")
	assert.Contains(t, late.Place, "@1/7")
}

// A step beyond a cut is told from others, with the cut, and is refused.
func TestBeyondCut(t *testing.T) {
	v := exploring(t, backoff.Protocol, model.Config{}.With(model.N.Is(1), backoff.Tries.Is(1)), model.Untimed)
	at := v.at("")
	for at.Steps < 50 {
		if i := slices.IndexFunc(at.Offers, func(o offer) bool { return o.Beyond != "" }); i >= 0 {
			assert.Equal(t, "beyond the cut tries = 1 (broadcasts of each contend): a search does not go there either", at.Offers[i].Beyond)
			assert.Contains(t, v.refused("take", fmt.Sprintf(`{"place":%q,"choice":%q}`, at.Place, at.Offers[i].Choice)), "beyond the cut tries")
			return
		}
		require.NotEmpty(t, at.Offers)
		at = asks[view](v, "take", stepRequest{placeRequest: placeRequest{at.Place}, Choice: at.Offers[len(at.Offers)-1].Choice, Answers: []int{0, 0, 0}})
	}
	assert.Fail(t, "no step leads beyond the cut")
}

// A step that needs an answer asks for it.
func TestAsk(t *testing.T) {
	v := exploring(t, ordering.Protocol, model.Config{}.With(model.N.Is(7), model.B.Is(1)), model.Untimed)
	got := asks[question](v, "take", stepRequest{Choice: "1"})
	assert.Equal(t, "draw", got.Ask)
	assert.Equal(t, 21, got.Count)
	at := asks[view](v, "take", stepRequest{Choice: "1", Answers: []int{20}})
	assert.Equal(t, "1:20", at.Place)
}

// Bad input is told in a sentence.
func TestRefused(t *testing.T) {
	v := two(t)
	for _, c := range []struct{ call, body, want string }{
		{"at", `{"place":"x"}`, `place: choice 1 is "x", but must be a number from 1`},
		{"at", `{"place":"9"}`, "place: choice 1: 9 is not offered: what may happen next has 2 entries"},
		{"at", `{"place":1}`, "the request is not as it must be"},
		{"at", `{"palce":""}`, `the request is not as it must be: json: unknown field "palce"`},
		{"at", `{"place":""}{}`, "more than one JSON value"},
		{"at", ``, "the request is not as it must be"},
		{"at", strings.Repeat(" ", mostBytes+1), "the request is larger than 64 KiB"},
		{"nearest", strings.Repeat(" ", mostBytes+1), "the request is larger than 64 KiB"},
		{"load", strings.Repeat(" ", mostTraceBytes+1), "the request is larger than 17408 KiB"},
		{"take", `{"place":"","choice":"1.2"}`, `choice is "1.2", but must be one choice`},
		{"take", `{"place":"","choice":""}`, `choice is "", but must be one choice`},
		{"take", `{"place":"7","choice":"1"}`, "place: choice 1: 7 is not offered"},
		{"take", `{"place":"","choice":"1","at":"3"}`, `at is "3", but this walk keeps no time`},
		{"save", `{"place":"","name":"../x"}`, `name is "../x", but must be letters`},
		{"save", `{"place":"","name":".x"}`, `name is ".x", but must be letters`},
		{"save", `{"place":"","name":"a/b"}`, `name is "a/b", but must be letters`},
		{"save", `{"place":"","name":""}`, `name is "", but must be letters`},
		{"load", `{}`, "version is missing"},
		{"nearest", `{"place":"","where":"p1.Nothing > 1","from":"here"}`, "the predicate is wrong at column 4: unknown field Nothing"},
		{"nearest", `{"place":"","where":"p1.Clock > 1","from":"there"}`, `from is "there", but must be here or start`},
		{"search", `{"seconds":0}`, "seconds is 0, but must be 1 to 3600"},
	} {
		assert.Contains(t, v.refused(c.call, c.body), c.want, "%s %.60s", c.call, c.body)
	}
	_, err := os.Stat(v.s.Out)
	assert.ErrorIs(t, err, os.ErrNotExist, "nothing was written")
}

// What is saved is the way to where one is, and replays; a file that is there stays.
func TestSave(t *testing.T) {
	v := two(t)
	got := asks[saveResult](v, "save", saveRequest{placeRequest{"1.1"}, "way"})
	assert.Equal(t, filepath.Join(v.s.Out, "way.json"), got.File)
	tr, err := traces.Load(got.File)
	require.NoError(t, err)
	assert.Len(t, tr.Steps, 2)
	_, err = replay.Replay(ricartagrawala.Protocol, tr, v.s.claims)
	require.NoError(t, err)
	assert.Contains(t, v.refused("save", `{"place":"1","name":"way.json"}`), "is there already, and stays as it is")
	raw, err := os.ReadFile(got.File)
	require.NoError(t, err)
	w := v.request(http.MethodPost, "api/load", string(raw))
	var back view
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &back))
	assert.Equal(t, v.at("1.1"), back, "and is loaded again")
	others := exploring(t, ricartagrawala.Protocol, model.Config{}.With(model.N.Is(3)), model.Untimed)
	assert.Contains(t, others.refused("load", string(raw)), "config of the trace is ")
}

// ended is the last event that is told of a call.
func ended[T any](v *visitor, call string, body any) (out T) {
	v.t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(v.t, err)
	w := v.request(http.MethodPost, "api/"+call, string(raw))
	require.Equal(v.t, http.StatusOK, w.Code, w.Body.String())
	_, last, found := strings.Cut(w.Body.String(), "event: end\ndata: ")
	require.True(v.t, found, w.Body.String())
	require.NoError(v.t, json.Unmarshal([]byte(last), &out))
	return out
}

// A search tells of its layers and of its verdicts, with the place of a counterexample.
func TestSearch(t *testing.T) {
	v := two(t)
	got := ended[searchResult](v, "search", searchRequest{60})
	require.NotEmpty(t, got.Rows, got.Error)
	assert.True(t, got.Rows[0].Complete)
	assert.Equal(t, result{Name: "mutual exclusion", Verdict: "holds"}, got.Rows[0].Claims[0])
	broken := exploringVariant(t, ricartagrawala.Protocol, "no-tie-break", model.Config{}.With(model.N.Is(2)), model.Untimed)
	first := ended[searchResult](broken, "search", searchRequest{60}).Rows[0].Claims[0]
	assert.Equal(t, "violated", first.Verdict)
	assert.Contains(t, broken.at(first.Place).Claims, claim{Name: "mutual exclusion", Kind: "always", Status: "broken", Step: broken.at(first.Place).Steps, Text: first.Text})
	w := v.request(http.MethodPost, "api/search", `{"seconds":60}`)
	var layers searchProgress
	_, told, found := strings.Cut(w.Body.String(), "event: progress\ndata: ")
	require.True(t, found)
	require.NoError(t, json.NewDecoder(strings.NewReader(told)).Decode(&layers))
	assert.NotEmpty(t, layers.Widths)
	v.s.seeks.Lock()
	assert.Contains(t, v.refused("search", `{"seconds":60}`), "a search is under way; stop it first")
}

// A long trace is loaded, and one goes about in it: what is told of a place does not grow with it.
func TestLong(t *testing.T) {
	v := two(t)
	var place walk.Place
	w, err := v.s.walks.get(nil)
	require.NoError(t, err)
	for offers := w.Offers(); len(offers) > 0; offers = w.Offers() {
		require.NoError(t, w.Take(offers[0], "", nil))
	}
	place = w.Place()
	at := v.at(place.String())
	assert.LessOrEqual(t, len(at.Lines), maxLines)
	for i := range place {
		assert.Equal(t, i, v.at(place[:i].String()).Steps)
	}
}

// However many places are asked for, no more than so much is kept; and each is still found.
func TestWalksAreForgotten(t *testing.T) {
	v := two(t)
	w, err := v.s.walks.get(nil)
	require.NoError(t, err)
	v.s.walks.weight = mostWeight - 3
	for range 6 {
		require.NoError(t, w.Take(w.Offers()[0], "", nil))
		_, err := v.s.walks.get(w.Place())
		require.NoError(t, err)
		assert.LessOrEqual(t, len(v.s.walks.entries), 4)
	}
}

// Whatever is asked, the answer is JSON that is no larger than it has to be, and no panic.
func FuzzRequests(f *testing.F) {
	calls := []string{"begin", "at", "take", "save", "load"}
	for i, body := range []string{`{}`, `{"place":"1"}`, `{"place":"1","choice":"2","at":"3","answers":[1]}`, `{"place":"","name":"x"}`, `{"version":1}`} {
		f.Add(uint8(i), body)
	}
	dir := f.TempDir()
	p := ricartagrawala.Protocol
	c := model.Config{}.With(model.N.Is(2))
	s, err := New(Options{Protocol: p, Header: traces.New(p, "", p.Filled(c), false, "", ""), Check: model.Check{Config: c}, Out: dir})
	if err != nil {
		f.Fatal(err)
	}
	h := s.Handler(host)
	f.Fuzz(func(t *testing.T, call uint8, body string) {
		r := httptest.NewRequest(http.MethodPost, "http://"+host+s.Path()+"api/"+calls[int(call)%len(calls)], strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Contains(t, []int{200, 400}, w.Code, w.Body.String())
		require.True(t, json.Valid(w.Body.Bytes()))
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			require.Regexp(t, names, e.Name())
		}
	})
}

// Serve serves on this machine alone, by the names it has there, and ends when it is stopped.
func TestServe(t *testing.T) {
	v := two(t)
	v.s.writing, v.s.patience = 500*time.Millisecond, time.Second
	stop, address, done := make(chan struct{}), make(chan string, 1), make(chan error, 1)
	go func() { done <- v.s.Serve(0, stop, func(at string) { address <- at }) }()
	at := <-address
	assert.Regexp(t, `^http://127\.0\.0\.1:\d+/[A-Z2-7]{26}/$`, at)
	answer, err := http.Get(at)
	require.NoError(t, err)
	page, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.True(t, bytes.HasPrefix(page, []byte("<!doctype html>")))
	var port int
	_, err = fmt.Sscanf(at, "http://127.0.0.1:%d/", &port)
	require.NoError(t, err)
	assert.ErrorContains(t, two(t).s.Serve(port, stop, nil), fmt.Sprintf("--port is %d, where nothing can be served", port))
	close(stop)
	assert.NoError(t, <-done)
}

// A body that is too large is refused before any of it is read, whatever it is for.
func TestLargeBodiesAreNotRead(t *testing.T) {
	v := two(t)
	for _, call := range []string{"begin", "at", "take", "save", "load", "why", "nearest", "search"} {
		most := int64(mostBytes)
		if call == "load" {
			most = mostTraceBytes
		}
		body := &unread{t: t}
		w := v.request(http.MethodPost, "api/"+call, "", func(r *http.Request) { r.ContentLength, r.Body = most+1, body })
		assert.Equal(t, http.StatusRequestEntityTooLarge, w.Code, call)
	}
}

// unread is a body that nobody may read.
type unread struct{ t *testing.T }

func (u *unread) Read([]byte) (int, error) { u.t.Error("the body is read"); return 0, io.EOF }
func (*unread) Close() error               { return nil }

// endless is a client whose handler does not return.
type endless struct{}

func (*endless) Invoke(model.Env, any) { select {} }

// That a handler does not return is told though it takes longer than an answer may take to be written.
func TestLateAnswersArrive(t *testing.T) {
	v := exploring(t, &model.Protocol{Name: "endless", Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Nodes: []model.NodeSpec{{Name: "c", Role: model.Client, Script: []model.Op{{Call: "ask"}}, New: func() model.Node { return &endless{} }}}}, nil
	}}, model.Config{}, model.Untimed)
	v.s.writing, v.s.patience = 500*time.Millisecond, time.Second
	stop, address, done := make(chan struct{}), make(chan string, 1), make(chan error, 1)
	go func() { done <- v.s.Serve(0, stop, func(at string) { address <- at }) }()
	answer, err := http.Post(<-address+"api/at", "application/json", strings.NewReader(`{"place":"1"}`))
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	assert.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	assert.Contains(t, string(text), "a handler may not return")
	close(stop)
	assert.NoError(t, <-done)
}

// BenchmarkClick is a click deep in a run of the largest system that is explored: a step is taken, and all
// that is said of where it leads is written.
func BenchmarkClick(b *testing.B) {
	c := model.Config{}.With(model.N.Is(7), model.B.Is(1))
	p := ordering.Protocol
	s, err := New(Options{Protocol: p, Header: traces.New(p, "", p.Filled(c), false, "", ""), Check: model.Check{Config: c}})
	require.NoError(b, err)
	w, err := s.walks.get(nil)
	require.NoError(b, err)
	before := w
	for w.Steps() < 40 {
		before = w.Fork()
		if o := w.Offers()[0]; w.Take(o, "", nil) != nil {
			require.NoError(b, w.Take(o, "", []int{0}))
		}
	}
	place := w.Place().String()
	for b.Loop() {
		s.walks = newWalks(p, &s.Header, s.claims)
		s.walks.add(before)
		next, err := s.walk(place)
		require.NoError(b, err)
		v, err := s.view(next)
		require.NoError(b, err)
		_, err = json.Marshal(v)
		require.NoError(b, err)
	}
}
