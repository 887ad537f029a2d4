package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fiscube/internal/testrequire"
)

// A slow phone: its processor is four times slower than this machine, and its network carries 1.6 Mbit/s, or hardly anything.
const (
	slowerBy       = 4
	bytesPerSecond = 1_600_000 / 8
	hardlyAnything = 100_000 / 8 // styles, scripts and pages come one after the other
)

// mostShift is by how much what is seen may move while a page comes (web.dev/cls).
const mostShift = 0.02

// What is seen on a slow phone comes at once and then stays in its place, also when a number or the next level is opened. How long it
// takes is told and not judged: it depends on what else the machine does.
func TestExplorer_SpeedOfASlowPhone(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	server := seeded.onDuckDB(t)
	server.settles(t)
	j := &journalist{startChromium(t), "mouse"}
	j.call(t, "Emulation.setCPUThrottlingRate", map[string]any{"rate": slowerBy}, nil)
	network := func(bytesPerSecond int) {
		j.call(t, "Network.emulateNetworkConditions", map[string]any{
			"offline": false, "latency": 0, "downloadThroughput": bytesPerSecond, "uploadThroughput": bytesPerSecond,
		}, nil)
	}
	const view = "/explore/example-croatia?drilldown=admin1_code&cut=Year:2018"
	for _, width := range []int{360, 1280} {
		j.screen(t, width, false)
		network(hardlyAnything)
		j.paints(t, server, view)
		network(bytesPerSecond)
		for _, path := range []string{"/", "/?q=salud", "/explore/example-croatia", view, view + "&_view=treemap", "/explore/example-croatia/number?cut=Year:2018"} {
			j.paints(t, server, path)
		}
		j.goTo(t, server.url+"/explore/example-mexico?drilldown=ID_RAMO&cut=CICLO:2018&lang=en")
		for _, step := range []string{"table.cells tbody th a", "table.cells tbody th a", "table.cells tbody td.number a"} {
			j.run(t, watchStep, nil)
			j.follow(t, step)
			var seen struct{ Took, Shift float64 }
			eventually(t, step+" is painted", patience, func() bool {
				j.run(t, `window.step`, &seen)
				return seen.Took > 0
			})
			t.Logf("%d px, %s: %.0f ms, shift %.3f", width, step, seen.Took, seen.Shift)
			if seen.Shift > mostShift {
				t.Errorf("%d px, %s: shift %.3f", width, step, seen.Shift)
			}
		}
	}
}

// paints opens a page for the first time, and checks that nothing moves in it. Where the machine is so busy that a table is painted
// before all its rows are there, its columns may move: what has to move does so again.
func (j *journalist) paints(t *testing.T, server *service, path string) {
	t.Helper()
	var seen struct {
		Width, Paint, Shift float64
		Moved               []string
	}
	for range 3 {
		j.call(t, "Network.clearBrowserCache", nil, nil)
		j.goTo(t, server.url+withLanguage(path, "en"))
		j.run(t, paintAndShift, &seen)
		t.Logf("%.0f px, %s: largest paint after %.0f ms, shift %.3f", seen.Width, path, seen.Paint, seen.Shift)
		if seen.Paint > 0 && seen.Shift <= mostShift {
			return
		}
	}
	t.Errorf("%.0f px, %s: largest paint after %.0f ms, shift %.3f:\n%s", seen.Width, path, seen.Paint, seen.Shift, strings.Join(seen.Moved, "\n"))
}

// paintAndShift gives when the largest part of a page was painted, and by how much parts moved until a while later.
const paintAndShift = `new Promise((resolve) => {
  const seen = { width: innerWidth, paint: 0, shift: 0, moved: [] };
  const watch = (type, see) => new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => (seen.paint = entry.startTime));
  watch("layout-shift", (entry) => {
    seen.shift += entry.hadRecentInput ? 0 : entry.value;
    const place = ({ x, y, width, height }) => [x, y, width, height].join(" ");
    for (const { node, previousRect, currentRect } of entry.sources) seen.moved.push((node?.outerHTML || node?.textContent || "").slice(0, 80) + ": " + place(previousRect) + " to " + place(currentRect));
  });
  setTimeout(() => resolve(seen), 500);
})`

// watchStep measures from the next click until what it leads to is painted. The script is then in the page, which stays.
const watchStep = `(() => {
  const step = (window.step = { took: 0, shift: 0 });
  addEventListener("click", (event) => {
    const changed = new MutationObserver(() => {
      changed.disconnect();
      requestAnimationFrame(() => setTimeout(() => (step.took = performance.now() - event.timeStamp)));
    });
    changed.observe(document.body, { childList: true });
  }, { capture: true, once: true });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (step.shift += entry.hadRecentInput ? 0 : entry.value))).observe({ type: "layout-shift" });
})()`

// Who looks around quickly is not refused by a server with the limit that its manual has, and each step is one request.
func TestExplorer_ManyDrills(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	const drills, within = 40, 20 * time.Second
	server := serveCroatia(t, freshDuckDB(t), "--rate", "10")
	j := &journalist{startChromium(t), "mouse"}
	j.screen(t, 1280, false)
	j.goTo(t, server.url+"/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&lang=en")
	begun := time.Now()
	for range drills {
		j.leaves(t, "a drill", func() { j.use(t, `.controls a[href*="?drilldown="]:not([aria-current]):not([href*="aggregates="])`) })
	}
	took := time.Since(begun)
	j.staysWithin(t, server.url) // a refusal would stand in the console
	j.mu.Lock()
	defer j.mu.Unlock()
	pages := len(slices.DeleteFunc(j.asked, func(address string) bool { return !strings.Contains(address, "/explore/") }))
	t.Logf("%d drills in %s, %d pages", drills, took, pages)
	if pages != 1+drills || took > within {
		t.Errorf("%d drills took %s and %d pages", drills, took, pages)
	}
}
