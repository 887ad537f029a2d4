package prose

import (
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// PublishWords are the words of the pages for publishers in one language.
type PublishWords struct {
	Title, Intro string

	// the token
	TokenTitle, TokenIntro, Token, TokenWrong, Enter string

	// files and drafts
	Files, FilesHint, Send, Drafts, DraftsKept, Until, Discard string
	FileTitle, Instead, AsAnother, SendFile                    string

	// what is open
	Problems, Saved, Notes string
	Kinds                  ProblemWords

	// what it is
	About, AboutHint, BudgetTitle, Name, NameHint, Licence, LicenceHint, Country, CountryHint, Start, End string

	// how it is read
	HowRead, Year, YearHint, Sheet, SheetHint, Header, HeaderHint string
	Columns, ColumnsHint, Cells, ReadAs, ByCells, Evidence, Of    string
	Readings                                                      ReadingWords
	Levels, LevelsHint, LabelledBy                                string

	// what no cell says
	Questions, QuestionsHint, Unanswered string
	Asked                                AskedWords
	Choices                              ChoiceWords

	// the totals
	Totals, TotalsHint, Measure, Sum, TotalPrinted, Printed, Agrees, Differs, NoNumber string

	// the end
	Save, Publish, PublishHint, NextVersion, Mend, Descriptor, Overlay string
	Loading, Waiting, LookAgain, Done, Unchanged, Refused, Explore     string
}

// ProblemWords say what is to be done of each kind of problem. In English, the problem says the rest.
type ProblemWords struct{ Year, Header, Sheet, Amounts, Column, Answer, About, Files, Other string }

// ReadingWords say what a column is taken for.
type ReadingWords struct{ Year, Amount, Level, Label, Phase, Direction, Currency, Kind, None string }

// Of gives the word of a reading, or its code.
func (w ReadingWords) Of(reading string) string {
	return wordOf(reading, map[string]string{"year": w.Year, "amount": w.Amount, "level": w.Level, "label": w.Label, "phase": w.Phase,
		"direction": w.Direction, "currency": w.Currency, "kind": w.Kind, "none": w.None})
}

// AskedWords are the questions that no cell answers, by the beginning of their keys.
type AskedWords struct{ Title, Marks, Statements, Currency, Unit, Direction, Phase string }

// Of gives the question of a key, or "" where its words are not known.
func (w AskedWords) Of(key string) string {
	kind, about, _ := strings.Cut(key, ":")
	text := wordOf(kind, map[string]string{"title": w.Title, "marks": w.Marks, "statements": w.Statements, "currency": w.Currency,
		"unit": w.Unit, "direction": w.Direction, "phase": w.Phase})
	if text == kind {
		return ""
	}
	return strings.ReplaceAll(text, "%s", about)
}

// ChoiceWords are the answers that there are.
type ChoiceWords struct {
	Approved, Proposed, Adjusted, Executed, Expenditure, Revenue, Alone, Since, Thousands, Decimals, One, Thousand, Million string
}

// Of gives the words of an answer, or the answer.
func (w ChoiceWords) Of(choice string) string {
	return wordOf(choice, map[string]string{"approved": w.Approved, "proposed": w.Proposed, "adjusted": w.Adjusted, "executed": w.Executed,
		"expenditure": w.Expenditure, "revenue": w.Revenue, "alone": w.Alone, "since": w.Since, "thousands": w.Thousands, "decimals": w.Decimals,
		"1": w.One, "1000": w.Thousand, "1000000": w.Million})
}

func wordOf(code string, words map[string]string) string {
	if word := words[code]; word != "" {
		return word
	}
	return code
}

// Publish gives the words of the pages for publishers.
func Publish(l cube.Language) PublishWords { return in(publishTexts, l) }

// mostTyped is how many characters a number has at most that a person types.
const mostTyped = 60

// ReadDecimal reads a number that a person types with the marks of the locale. Spaces and apostrophes group digits everywhere; a mark of
// groups that stands before other than three digits, once and with no mark of decimals, can be of decimals alone.
func (l Locale) ReadDecimal(text string) (decimal.Decimal, bool) {
	m := l.marks()
	text = strings.TrimSpace(strings.NewReplacer("\u00a0", "", "\u202f", "", " ", "", "'", "", "’", "", "−", "-").Replace(text))
	unsigned := strings.TrimPrefix(text, "-")
	if unsigned == "" || len(text) > mostTyped {
		return decimal.Zero, false
	}
	whole, decimals, hasPoint := strings.Cut(unsigned, m.point)
	groups := []string{whole}
	if m.group != "\u00a0" {
		groups = strings.Split(whole, m.group)
	}
	if len(groups) == 2 && !hasPoint && len(groups[1]) != 3 {
		groups, decimals, hasPoint = groups[:1], groups[1], true
	}
	for i, digits := range groups {
		if !isNumber(digits) || i > 0 && len(digits) != 3 || i == 0 && len(groups) > 1 && len(digits) > 3 {
			return decimal.Zero, false
		}
	}
	if hasPoint && !isNumber(decimals) {
		return decimal.Zero, false
	}
	number := strings.Join(groups, "")
	if hasPoint {
		number += "." + decimals
	}
	if strings.HasPrefix(text, "-") {
		number = "-" + number
	}
	d, err := decimal.NewFromString(number)
	return d, err == nil
}

func isNumber(digits string) bool {
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
