package reply

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fiscube/cube"
)

func TestWarningsText_InLittleRoom(t *testing.T) {
	warnings := []cube.Warning{{Code: "note", Message: strings.Repeat("ñ", 300)}, {Code: "note", Message: "x"}}
	if got := warningsText(warnings, 200); got != `note;message=%"`+strings.Repeat("%c3%b1", 15)+`%e2%80%a6", note;message=%"x"` {
		t.Error(got)
	}
}

// The ID of a program is that which the Go command prints.
func TestBuildID(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only programs for Linux have it where it is looked for")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want, err := exec.CommandContext(t.Context(), "go", "tool", "buildid", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := buildID(program); !strings.Contains(got, strings.TrimSpace(string(want))) || len(want) < 20 {
		t.Errorf("got %q, want %s", got, want)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	set := strings.ReplaceAll(string(content), strings.TrimSpace(string(want)), strings.Repeat("x", len(want)-1))
	for name, text := range map[string]string{"set": set, "text": "#!/bin/sh"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := buildID(path); got != "" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
