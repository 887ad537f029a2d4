// Package layers has what every page about amounts is made of, from above: a sentence, the controls, at most one note, pictures in cards,
// and the proof. They are plain values, and the templates draw them and decide nothing.
package layers

import (
	"embed"
	"html/template"
	"io/fs"
	"slices"
	"strings"

	"fiscube/api/explorer/site"
)

//go:embed layers.html
var sources embed.FS

// Template joins the layers with the middle of a page, which is in files, and with what is around all pages.
func Template(middle fs.FS, files ...string) *template.Template {
	return template.Must(site.Template(middle, files...).ParseFS(sources, "layers.html"))
}

// Body is a page about amounts, but for what is folded below it.
type Body struct {
	Said     Sentence
	Pinned   *Pinned
	Controls Controls
	Filters  []Filter
	Noted    Noted
	Asides   []Aside
	Cards    []Card // side by side
	Below    []Card // below the first of them
	Pages    []site.Choice
	Proof    *Proof
}

// Pinned is what a page says of a version other than the served one.
type Pinned struct {
	Text   string // which version it is
	Served string // how the served version answers
	Now    site.Choice
}

// Filter is a part of what is selected, which a link removes.
type Filter struct{ Level, Members, Remove, RemoveText string }

// Noted is what is doubtful about the amounts: what makes a total one that cannot be trusted, one line beside it, and the rest folded.
type Noted struct {
	Stops  []string
	Sight  *Note
	Rest   []string
	Folded string // says how many those are
	Codes  string // and weights, of all
}

// All are the sentences.
func (n *Noted) All() []string {
	all := slices.Concat(n.Stops, n.Rest)
	if n.Sight != nil {
		all = append(all, n.Sight.Text)
	}
	return all
}

// Add folds more sentences, each once.
func (n *Noted) Add(reader site.Reader, others ...string) {
	for _, text := range others {
		if text != "" && !slices.Contains(n.All(), text) {
			n.Rest = append(n.Rest, text)
		}
	}
	n.Folded = reader.Say("caveat.notes", "Count", len(n.Rest))
}

// Fold puts all sentences with the folded ones but for those that others say.
func (n *Noted) Fold(reader site.Reader, others Noted) {
	all := slices.DeleteFunc(n.All(), func(text string) bool { return slices.Contains(others.All(), text) })
	*n = Noted{Codes: n.Codes}
	n.Add(reader, all...)
}

// Aside is a sentence that says why something is not there, with what may be chosen instead.
type Aside struct {
	Text    string
	Choices []site.Choice
}

// Sentence is the heading of a page, and what is said below it.
type Sentence struct {
	Trail    []site.Choice // leads to what is above
	Amount   string        // rounded, with its currency: 12.4 billion kuna; "" where there is none
	What     string        // spent on health in 2017
	Original string        // what the published name is, where What has another one
	Lede     []Phrase
	Doubtful bool // the amount cannot be trusted: it is not bold
}

// Text is the heading in one line.
func (s Sentence) Text() string { return strings.TrimSpace(s.Amount + " " + s.What) }

// Phrase is a part of what is said below the heading.
type Phrase struct {
	Text   string
	Strong bool
}

// Controls are what the reader chooses, above the picture. On a phone the segments stay, with what is taken, and the rest is one sheet.
type Controls struct {
	Title    string // of the sheet
	Segments []Segment
	More     []Segment // in the sheet of a phone
	Menus    []Menu
}

// Segment is a few choices side by side. Before and After lead to the neighbours of the one that is taken, by an arrow key.
type Segment struct {
	Name, Title string // Name is a class
	Choices     []site.Choice
	Before      *site.Choice
	After       *site.Choice
}

// OnPhones names a menu that only phones have.
const OnPhones = "phone"

// Menu is choices that are folded: links, and forms.
type Menu struct {
	Name, Title string // Name is a class
	Taken       string // what is chosen now
	Open        bool
	Links       []site.Choice
	Forms       []Form
	Found       *Found // what a form has found
}

// Form is a choice of one of many, and a text to search for.
type Form struct {
	Title  string
	Hidden [][2]string
	Name   string // of the choice
	Groups []Group
	Search string // the name of the text; "" where none is asked for
	Text   string // that was searched for
	Hint   string
	Button string
}

// Group is choices under a title; one without a title has none above it.
type Group struct {
	Title   string
	Choices []site.Choice
}

// Found is what a form has found.
type Found struct {
	Links []site.Choice
	None  string
}

// Note is one line beside the amount, with what leads out of what it says.
type Note struct {
	Text   string
	Remedy *site.Choice
}

// Card is a picture with what must never part from it: what it shows, in which unit, and from where.
type Card struct {
	ID, Title, Unit string
	TitleLink       string
	Wide, Narrow    template.HTML // drawings for screens and for phones
	Rows            *Rows
	Pairs           []Pair
	Strip           *Strip
	Told            []string // what it says, in sentences
	Refused         string   // why there is no picture
	Choices         []site.Choice
	More            *site.Choice
	Source          string
	Beside          []Card // below it, in the same frame
}

// Rows are members with bars, the largest first.
type Rows struct {
	Now, Was string // what the bars are of, and their shadows; Was is "" where there are none
	Rows     []Row
	Rest     *site.Choice // what is not listed
}

// Row is one member.
type Row struct {
	Name, Code, Original string // Original is the published name, where Name is another one
	Published            string // the same name as it is written, where it is written otherwise
	Down, DownHint       string // leads to what is below it
	Amount, Open         string // short; leads to its number
	Exact                string // the amount with all its digits
	Change               string // since the year before
	Share                string
	NowWide, WasWide     string // of the bars, in percent of the widest; "" for none
	Purpose              string // the class of its colour, or ""
	Mark                 string // a note on this row alone
	Negative             bool
}

// Pair is what was spent in a year against what was approved.
type Pair struct {
	Year            string
	Spent, Approved string // short, with their words
	SpentWide       string
	ApprovedAt      string // where its mark stands, in percent
	Purpose         string
}

// Strip is a whole as one bar of its parts, side by side.
type Strip struct {
	Told  string // the same in words
	Parts []Part
}

// Part is a part of a strip, at a place and of a width in percent.
type Part struct {
	Name, Share, X, Width, Class, Opacity string
	Named                                 bool // below the strip
}

// Proof is the bar that leads from an amount to where it comes from.
type Proof struct {
	Exact, Unit    string // the amount with all its digits, and its currency
	ExactlyText    string // before it
	Links          []site.Choice
	Downloads      []site.Choice
	Pictures       []site.Choice // as files
	DownloadsTitle string
	Share          *Share
	Version        site.Choice // leads to this page for ever
}

// Share is how a picture is shown elsewhere.
type Share struct {
	Title, FrameTitle string
	Frame             string // HTML to copy
}
