// Package version says which fiscube this is.
package version

import (
	"cmp"
	"runtime/debug"
)

// These are set by go build -ldflags "-X fiscube/internal/version.release=v1.2.3": the release where archives are made, and all three where
// the Go command sees no checkout, as in an image.
var release, commit, moment string

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
	b := of(info)
	b.Version, b.Commit, b.Time = cmp.Or(release, b.Version), cmp.Or(commit, b.Commit), cmp.Or(moment, b.Time)
	return b
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
