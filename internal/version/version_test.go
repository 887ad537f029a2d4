package version

import (
	"runtime/debug"
	"testing"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		info debug.BuildInfo
		want Build
	}{
		{debug.BuildInfo{}, Build{Version: "devel", Commit: "unknown"}},
		{debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "(devel)"}}, Build{Version: "devel", Commit: "unknown", Go: "go1.26"}},
		{debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"},
		}}, Build{Version: "v1.2.3", Commit: "abc", Time: "2026-01-02T03:04:05Z", Changed: true}},
	} {
		if got := of(&test.info); got != test.want {
			t.Errorf("%+v, want %+v", got, test.want)
		}
	}
}
