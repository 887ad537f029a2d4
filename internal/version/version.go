// Package version says which fiscube this is.
package version

import "runtime/debug"

// Build is what the Go command knows of this program.
type Build struct {
	Version string // of the release, or "devel"
	Commit  string // "unknown" where it was not built in a checkout
	Time    string // of the commit; "" where that is unknown
	Changed bool   // the checkout had changes that were not committed
	Go      string
}

// Of reads the build information that is part of the program.
func Of() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(info)
}

func of(info *debug.BuildInfo) Build {
	b := Build{Version: info.Main.Version, Commit: "unknown", Go: info.GoVersion}
	if b.Version == "" || b.Version == "(devel)" {
		b.Version = "devel"
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Time = setting.Value
		case "vcs.modified":
			b.Changed = setting.Value == "true"
		}
	}
	return b
}
