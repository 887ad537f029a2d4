package e2e

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Scripts show a number above its view, copy, type ahead, and keep the old view where the new one is late or cannot be had.
func TestExplorer_Scripts(t *testing.T) {
	t.Parallel()
	server := seeded.onDuckDB(t)
	server.settles(t)
	j := &journalist{startChromium(t), "mouse"}
	j.screen(t, 1280, false)
	view := server.url + "/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&lang=en"
	j.goTo(t, view)
	is := func(what, expression string) {
		t.Helper()
		eventually(t, what, patience, func() (so bool) {
			j.run(t, "!!("+expression+")", &so)
			return so
		})
	}

	is("what can be copied has a button, and nothing else", `document.querySelectorAll(".copy").length === 1 && document.querySelector("main textarea + .copy")`)
	j.use(t, "table.cells tbody td.number a")
	is("a number opens above its view", `document.querySelector("dialog[open] h1") && location.pathname.endsWith("/number") && document.querySelector("main table.cells")`)
	var links struct{ View, Dialog string }
	j.run(t, `({view: document.querySelector("main .years a").href, dialog: document.querySelector("dialog a[href*=lines]").href})`, &links)
	for _, link := range []string{links.View, links.Dialog} {
		readPage(t, link)
	}
	j.run(t, `document.querySelector("dialog blockquote + .copy").focus()`, nil)
	j.press(t, "Enter", 13, "\r")
	is("the citation is copied", `document.querySelector("dialog blockquote + .copy").textContent === "Copied"`)
	j.press(t, "Escape", 27, "")
	is("Escape leads back to the view", `!document.querySelector("dialog") && location.href === "`+view+`" && document.activeElement.closest("td.number")`)
	j.use(t, "table.cells tbody td.number a")
	is("it opens again", `document.querySelector("dialog[open]")`)
	j.back(t)
	is("Back closes it too", `!document.querySelector("dialog") && location.href === "`+view+`"`)

	j.use(t, "#q")
	j.call(t, "Input.insertText", map[string]any{"text": "minist"}, nil)
	is("hits stand below the search box", `document.querySelectorAll("#ahead a[href*=explore]").length > 2`)
	j.press(t, "ArrowDown", 40, "")
	var hit string
	j.run(t, `document.activeElement.href`, &hit)
	readPage(t, hit)
	j.press(t, "Escape", 27, "")
	is("Escape leads back to the box", `!document.getElementById("ahead") && document.activeElement.id === "q"`)

	network := func(offline bool, latency int) {
		t.Helper()
		j.call(t, "Network.emulateNetworkConditions", map[string]any{"offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
	}
	network(false, 1500)
	j.use(t, ".years a[data-key=ArrowLeft]")
	is("a slow page is said to be loading above the old view", `document.documentElement.getAttribute("aria-busy") && document.getElementById("status").textContent.startsWith("Loading") && location.href === "`+view+`" && document.querySelector("table.cells")`)
	is("and comes", `location.href.includes("Year:2017") && !document.documentElement.hasAttribute("aria-busy")`)
	j.staysWithin(t, server.url)

	network(true, 0)
	j.use(t, ".years a[data-key=ArrowLeft]")
	is("without a connection the view stays", `document.querySelector("#notice button") && document.querySelector("table.cells") && location.href.includes("Year:2017")`)
	network(false, 0)
	is("what was asked comes with the connection", `!document.getElementById("notice") && location.href.includes("Year:2016")`)
}

// A page that was refused since too many came asks once more, when it may.
func TestExplorer_AsksAgainAfterWaiting(t *testing.T) {
	t.Parallel()
	server := serveCroatia(t, freshDuckDB(t), "--rate", "2")
	b := startChromium(t)
	b.goTo(t, server.url+"/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&lang=en")
	crowd, leave := context.WithCancel(t.Context())
	var gone sync.WaitGroup
	gone.Go(func() {
		for crowd.Err() == nil {
			if response, err := http.Get(server.url + "/cubes"); err == nil {
				_ = response.Body.Close()
			}
		}
	})
	defer gone.Wait()
	defer leave()
	eventually(t, "others use up what may be asked", patience, func() bool {
		status, _ := server.get(t, "/cubes")
		return status == http.StatusTooManyRequests
	})
	b.run(t, `document.querySelector(".years a[data-key=ArrowLeft]").click()`, nil)
	main := func() (text string) {
		b.run(t, `document.querySelector("main").textContent`, &text)
		return text
	}
	eventually(t, "the page counts down", patience, func() bool { return strings.Contains(main(), "Asks again in ") })
	leave()
	eventually(t, "the view comes by itself", patience, func() bool { return strings.Contains(main(), "MINISTARSTVO") })
}
