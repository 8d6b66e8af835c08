package about

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
)

// Version is the verb version.
func Version(t *tool.Tool) *cobra.Command {
	var asJSON bool
	c := t.Verb(cobra.Command{
		Use:               "version",
		Short:             "print the version of this build",
		Long:              "Version prints the version of the module or the revision of its source, the Go version and the platform.",
		Example:           "  verify version --json",
		ValidArgsFunction: cobra.NoFileCompletions,
	}, func(args []string) (int, error) {
		if len(args) > 0 {
			return 0, fmt.Errorf("version takes no arguments, but there is %q", args[0])
		}
		v := versionOf(debug.ReadBuildInfo())
		if asJSON {
			return console.ExitHolds, console.PrintJSON(t.Out, v)
		}
		_, err := fmt.Fprintln(t.Out, v)
		return console.ExitHolds, err
	})
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// Built is the build of this program in a line.
func Built() string { return versionOf(debug.ReadBuildInfo()).String() }

// version is a build of the tool. Its JSON is a stable contract.
type version struct {
	Schema   int    `json:"schema"`
	Module   string `json:"module"`
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Modified bool   `json:"modified"`
	Time     string `json:"time"` // of the revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// versionOf returns the version that the Go toolchain wrote into the program, if any.
func versionOf(info *debug.BuildInfo, ok bool) version {
	v := version{Schema: 1, Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if !ok {
		return v
	}
	v.Module, v.Version = info.Main.Path, info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String is the version in a line.
func (v version) String() string {
	line := fmt.Sprintf("%s %s %s", console.Program, v.Module, v.Version)
	if v.Revision != "" {
		line += fmt.Sprintf(", revision %s of %s", v.Revision, v.Time)
	}
	if v.Modified {
		line += ", modified"
	}
	return fmt.Sprintf("%s, %s, %s", line, v.Go, v.Platform)
}
