package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// chromium is a browser that a test uses as people do. It is driven over its DevTools protocol, through two pipes.
type chromium struct {
	session  string
	commands *os.File
	profile  string

	mu      sync.Mutex
	next    int
	answers map[int]chan devtoolsAnswer
	asked   []string // addresses that pages asked for
	said    []string // what the console says: errors, and what the policy refuses
}

type devtoolsAnswer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// startChromium starts a browser with a new profile, which ends with the test.
func startChromium(t *testing.T) *chromium {
	t.Helper()
	path := browserOrSkip(t)
	profile := sure(os.MkdirTemp(scratch, "browser-")) // not the test's: the browser may still write as it ends
	theirIn, commands, err := os.Pipe()
	check(err)
	events, theirOut, err := os.Pipe()
	check(err)
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--force-prefers-reduced-motion", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+profile, "--remote-debugging-pipe")
	command.Env = append(os.Environ(), "HOME="+profile)
	command.ExtraFiles = []*os.File{theirIn, theirOut} // as 3 and 4, where the browser looks for them
	command.WaitDelay = 10 * time.Second
	check(command.Start())
	check(theirIn.Close())
	check(theirOut.Close())
	b := &chromium{commands: commands, profile: profile, answers: map[int]chan devtoolsAnswer{}}
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.read(events)
	}()
	t.Cleanup(func() {
		cancel()
		_ = command.Wait()
		_ = commands.Close()
		<-read
		_ = events.Close()
	})
	b.open(t, map[string]any{"url": "about:blank"})
	return b
}

// open opens a page, and uses it from now on.
func (b *chromium) open(t *testing.T, how map[string]any) {
	t.Helper()
	b.session = ""
	var target struct{ TargetID string }
	b.call(t, "Target.createTarget", how, &target)
	var attached struct{ SessionID string }
	b.call(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Network", "Log", "Runtime"} {
		b.call(t, domain+".enable", nil, nil)
	}
}

// afresh does something in a profile that knows nothing of this one.
func (b *chromium) afresh(t *testing.T, do func()) {
	t.Helper()
	before := b.session
	b.session = ""
	var profile struct{ BrowserContextID string }
	b.call(t, "Target.createBrowserContext", nil, &profile)
	b.open(t, map[string]any{"url": "about:blank", "browserContextId": profile.BrowserContextID})
	do()
	b.session = ""
	b.call(t, "Target.disposeBrowserContext", map[string]any{"browserContextId": profile.BrowserContextID}, nil)
	b.session = before
}

// read takes what the browser says until it ends.
func (b *chromium) read(events *os.File) {
	r := bufio.NewReader(events)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			devtoolsAnswer
			ID     int
			Method string
			Params struct {
				Request          struct{ URL string }
				Entry            struct{ Level, Text, URL string }
				ExceptionDetails struct{ Text string }
			}
		}
		if json.Unmarshal(bytes.TrimSuffix(line, []byte{0}), &m) != nil {
			continue // an event that has other things of these names
		}
		b.mu.Lock()
		switch {
		case m.ID != 0:
			b.answers[m.ID] <- m.devtoolsAnswer
			delete(b.answers, m.ID)
		case m.Method == "Network.requestWillBeSent":
			b.asked = append(b.asked, m.Params.Request.URL)
		case m.Method == "Log.entryAdded" && m.Params.Entry.Level == "error":
			b.said = append(b.said, m.Params.Entry.Text+" "+m.Params.Entry.URL)
		case m.Method == "Runtime.exceptionThrown":
			b.said = append(b.said, m.Params.ExceptionDetails.Text)
		}
		b.mu.Unlock()
	}
}

// call sends a command and waits for its answer.
func (b *chromium) call(t *testing.T, method string, params, into any) {
	t.Helper()
	if err := b.try(t, method, params, into); err != nil {
		t.Fatal(err)
	}
}

// try is call for a command that may fail.
func (b *chromium) try(t *testing.T, method string, params, into any) error {
	t.Helper()
	b.mu.Lock()
	b.next++
	id, answered := b.next, make(chan devtoolsAnswer, 1)
	b.answers[id] = answered
	b.mu.Unlock()
	message := map[string]any{"id": id, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	if _, err := b.commands.Write(append(sure(json.Marshal(message)), 0)); err != nil {
		t.Fatal(err)
	}
	select {
	case a := <-answered:
		if a.Error != nil {
			return fmt.Errorf("%s: %s", method, a.Error.Message)
		}
		if into != nil {
			check(json.Unmarshal(a.Result, into))
		}
	case <-time.After(patience):
		t.Fatalf("%s is not answered within %s", method, patience)
	}
	return nil
}

// run evaluates an expression in the page, also one that the policy of the page would refuse.
func (b *chromium) run(t *testing.T, expression string, into any) {
	t.Helper()
	if err := b.evaluate(t, expression, into); err != nil {
		t.Fatal(err)
	}
}

// evaluate is run where the page may be left meanwhile.
func (b *chromium) evaluate(t *testing.T, expression string, into any) error {
	t.Helper()
	var a struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := b.try(t, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &a); err != nil {
		return err
	}
	if a.ExceptionDetails != nil {
		return fmt.Errorf("%.200s: %s %s", expression, a.ExceptionDetails.Text, a.ExceptionDetails.Exception.Description)
	}
	if into != nil {
		check(json.Unmarshal(a.Result.Value, into))
	}
	return nil
}

// goTo opens an address and waits until it is loaded.
func (b *chromium) goTo(t *testing.T, address string) {
	t.Helper()
	b.call(t, "Page.navigate", map[string]any{"url": address}, nil)
	eventually(t, address+" is loaded", patience, func() bool {
		var state struct{ Address, State string }
		err := b.evaluate(t, `({address: location.href, state: document.readyState})`, &state)
		return err == nil && state.State == "complete" && state.Address != "about:blank"
	})
}

// screen sets how wide the window is, and whether it is dark.
func (b *chromium) screen(t *testing.T, width int, dark bool) {
	t.Helper()
	b.call(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	scheme := map[bool]string{false: "light", true: "dark"}[dark]
	b.call(t, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// staysWithin checks that pages asked no other host, and that nothing was refused.
func (b *chromium) staysWithin(t *testing.T, host string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range b.asked {
		if !strings.HasPrefix(address, host+"/") && !strings.HasPrefix(address, "data:") {
			t.Errorf("a page asks for %s", address)
		}
	}
	if len(b.asked) == 0 || len(b.said) > 0 {
		t.Errorf("%d requests; the console says %s", len(b.asked), strings.Join(b.said, "\n"))
	}
}
