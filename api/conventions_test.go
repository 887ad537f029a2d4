package api_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image/png"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/xuri/excelize/v2"

	"fiscube/api"
	"fiscube/api/harvest"
	"fiscube/api/reply"
	"fiscube/cube"
)

// The reference says of each code what a problem says, and as JSON what it says as YAML.
func TestConventions_Reference(t *testing.T) {
	h := handler(t, newFake(t))
	r := ask(t, h, "/openapi.json")
	var read [2]any
	for i, text := range [][]byte{[]byte(r.body), documentBytes(t)} {
		doc, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Fatal(err)
		}
		written, err := json.Marshal(doc)
		if err != nil || json.Unmarshal(written, &read[i]) != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(read[0], read[1]) || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("they differ, or it is no JSON but %s", r.header.Get("Content-Type"))
	}
	var parts struct {
		Components struct {
			Problems map[cube.Code]struct {
				Title, Description string
				Status             int
			} `json:"x-problems"`
		}
	}
	r.read(t, &parts)
	table := document(t).Components.Schemas["Error"].Value.Description
	for code, status := range reply.Statuses {
		p := parts.Components.Problems[code]
		says(t, table, fmt.Sprintf("| `%s` | %d | %s |", code, status, p.Description))
		if p.Status != status || !strings.EqualFold(p.Title, strings.ReplaceAll(string(code), "-", " ")) {
			t.Errorf("%s: %+v", code, p)
		}
	}
	if len(parts.Components.Problems) != len(reply.Statuses) {
		t.Errorf("%d problems, %d codes", len(parts.Components.Problems), len(reply.Statuses))
	}
	for _, path := range []string{"/", "/cubes", "/cubes/croatia"} {
		says(t, strings.Join(ask(t, h, path).header.Values("Link"), ", "), `<http://example.com/openapi.json>; rel="service-desc"; type="application/json"`,
			`<http://example.com/docs>; rel="service-doc"; type="text/html"`)
	}
}

// A workbook says whose it is and of which day, and is the same bytes again.
func TestConventions_Workbook(t *testing.T) {
	h := handler(t, newFake(t))
	const address = "/cubes/croatia/aggregate?drilldown=Year&aggregates=approved_value.sum&order=Year&format=xlsx&version=3"
	body := ask(t, h, address).body
	for range 5 {
		if ask(t, h, address).body != body {
			t.Fatal("it is other bytes")
		}
	}
	file, err := excelize.OpenReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	got, err := file.GetDocProps()
	if err != nil {
		t.Fatal(err)
	}
	want := excelize.DocProperties{
		Title: "Croatia <Budget> & More: drilldown=Year & aggregates=approved_value.sum & order=Year:asc", Creator: "Ministry", LastModifiedBy: "fiscube", Keywords: "budget",
		Subject: "http://example.com/cubes/croatia/aggregate?drilldown=Year&aggregates=approved_value.sum&order=Year%3Aasc&version=3", Language: "en", Identifier: "f3", Version: "3",
		Created: "2018-05-02T10:00:00Z", Modified: "2018-05-02T10:00:00Z",
	}
	if *got != want {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
}

// Whom to tell of a hole is said where the operator says it, and for less than a year.
func TestConventions_Security(t *testing.T) {
	const path = "/.well-known/security.txt"
	if r := ask(t, handler(t, newFake(t)), path); r.status != http.StatusNotFound {
		t.Errorf("without a contact: %d", r.status)
	}
	h := api.New(newFake(t), api.Options{
		Log: slog.New(slog.DiscardHandler), PublicURL: "https://budgets.example", Operator: harvest.Operator{Security: "mailto:hole@example.org"},
	})
	fields := map[string]string{}
	for line := range strings.Lines(ask(t, h, path).body) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		fields[name] = value
	}
	until, err := time.Parse(time.RFC3339, fields["Expires"])
	if left := time.Until(until); err != nil || left < 30*24*time.Hour || left > 365*24*time.Hour {
		t.Errorf("it holds until %v: %v", until, err)
	}
	if fields["Contact"] != "mailto:hole@example.org" || fields["Canonical"] != "https://budgets.example"+path || len(fields) != 3 {
		t.Errorf("%v", fields)
	}
}

// The icon is one that programs read which have no SVG.
func TestConventions_Icon(t *testing.T) {
	r := ask(t, handler(t, newFake(t)), "/favicon.ico")
	icon := []byte(r.body)
	if r.header.Get("Content-Type") != "image/x-icon" || r.header.Get("Cache-Control") != "max-age=86400" || binary.LittleEndian.Uint16(icon[4:]) != 3 {
		t.Fatalf("%v", r.header)
	}
	for i, size := range []int{16, 32, 48} {
		entry := icon[6+16*i:]
		length, start := binary.LittleEndian.Uint32(entry[8:]), binary.LittleEndian.Uint32(entry[12:])
		picture, err := png.Decode(bytes.NewReader(icon[start : start+length]))
		if err != nil || picture.Bounds().Dx() != size || int(entry[0]) != size {
			t.Errorf("%d: %v", size, err)
		}
	}
}
