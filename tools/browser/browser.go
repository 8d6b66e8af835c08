// Package browser opens pages in headless Chromium for tests. All tests of a package share one browser, and
// each page has a tab. The package is a separate module, so that users of this repository need no
// dependencies for browsers.
package browser

import (
	"context"
	"fmt"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// names are those under which systems install Chromium and its kin, the first found is taken.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

// Missing returns a sentence with the reason that there is no browser, or "" if there is a browser.
func Missing() string {
	if _, err := path(); err != nil {
		return "there is no Chromium here to open pages in: install Debian's package chromium"
	}
	return ""
}

func path() (string, error) {
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", exec.ErrNotFound
}

// running is the shared browser. Main cancels its context.
var running struct {
	sync.Mutex
	context context.Context
	stop    func()
}

// Main runs the tests of a package and closes the browser that they may have started. Call it from TestMain
// with [testing.M.Run], and exit with its result.
func Main(m *testing.M) int {
	defer func() {
		if running.stop != nil {
			running.stop()
		}
	}()
	return m.Run()
}

// started returns the context of the browser. The first call starts the browser. The sandbox is off, since
// containers seldom permit it, and the tests open only their own pages.
func started() (context.Context, error) {
	running.Lock()
	defer running.Unlock()
	if running.context != nil {
		return running.context, nil
	}
	file, err := path()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(file), chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...) // ends with the browser below
	ctx, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		return nil, fmt.Errorf("%s does not start: %w", file, err)
	}
	running.context = ctx
	running.stop = func() { _ = chromedp.Cancel(ctx) }
	return ctx, nil
}
