package prose

import (
	"fiscube/cube"
	"fiscube/cube/findings"
)

// PageWords are the words of the pages in one language.
type PageWords struct {
	Language string // its own name

	// around every page
	Skip, Search, SearchHint, Languages, Footer, APIList, Reference, MadeUp, MadeUpShort, AllBudgets string

	// what scripts say
	Loading, Offline, Waiting, Close, Copy, Copied, NotCopied string

	// the start page
	Tagline, Loaded, MadeUpBudgets, NothingLoaded, NothingLoadedHint  string
	Country, Currency, Publisher, License, Years, Rows, LoadedOn, Ask string
	ByLevel, ByYears                                                  string

	// what a search finds
	Results, Budget, CalledIn, CalledNow, CalledThen, FoundBy, WiderThan, WithCode                                               string
	Divisions, PhaseAsked, WordsRead, WordsUnknown, NotInYear, YearLacking, Nearest                                              string
	NothingCalled                                                                                                                string // a level, and a text that none of its members is called
	PartOf                                                                                                                       string // of what a member of the same name is a part
	WhoSpends, WhatFor, OnWhat, WhoCollects, FromWhat                                                                            string // what a classification divides by, of expenditure and of revenue
	AmountsWhere, AmountsElsewhere, AmountsRoundTo, CurrencyLacking                                                              string
	AmountAlone, AmountsTitle, AmountsEqual, AmountsRead, AmountsRounded, AmountsPending, AmountsLeft, AmountsFirst, AmountsSame string

	// a view
	Terms, AsPublished, InPrices, PerHead, PerHeadInPrices                                                  string // how amounts are counted
	MadeOf, SameIn                                                                                          string // how a measure is put together, and what has the amount of another
	Measure, Year, AllYears, BreakDown, Deeper, BreakIt, Nothing, Filters, Remove, Add, AddHint, Find, Show string
	Share, Earlier, Change, New, Gone, Total, Missing, Down                                                 string
	Others, Cells                                                                                           string // how many
	Download, AsJSON, CSV, ExcelCSV, Workbook, Parquet, Package, PermanentLink                              string
	Next, Previous                                                                                          string
	FinancingToo, SameWithout                                                                               string // of figures
	NoRowsHere, FirstPage, NoSuchView                                                                       string
	NoRows, NoRowsHint, Without, Exactly, Pinned, ServedNow                                                 string
	PinnedServed, PinnedSame, PinnedTotal, PinnedNone, PinnedHas                                            string
	PinnedMore, PinnedLess, PinnedRows, PinnedCannot                                                        string
	EarlierYear, LaterYear, SortBy, Ascending, Descending                                                   string

	// what is said beside the numbers
	AddedUp, Times, MoreBy string // what adding up all snapshots would come to, and how much more that is
	Spent, Received        string
	OneYear                string // the only year, which cannot be compared
	YearsAdded             string // the years that a number adds up

	// two selections side by side
	CompareWith, TwoOf, MoreThan, AsMuch, Difference, Minus, ChangeSince, ChangeBetween, NotInCommon, TwoFiles string
	UnlikeUnits, UnlikePhases, UnlikeDirections, OtherMeasure                                                  string

	// figures
	Controls, Table, Bars, Treemap, OverYears, Flows                                         string
	NewOnes, GoneOnes, IncomparableOnes                                                      string // how many
	NothingIn                                                                                string // a search, and the budget that it was for
	Incomparable                                                                             string
	AlmostAll                                                                                string // of a figure of areas
	UpToThen, AsInReport                                                                     string // how far amounts go: up to a report that is numbered, or as in one that is named by a word
	ShareIt, Embed, Source, OpenHere, ChangeWhole, ChangeMost, ChangeLeast, NoData, GapYears string

	// prepared questions, with choices in them
	AskSum, AskGrowth, AskParts, AskYears, AskIt string

	// one number, and the lines of a file
	Names, UpTo, From, Lines, MoreLines, Line, LineOf, Files, Hash, Before, After    string
	FileRows, ReadPacked                                                             string // a copy of the rows; what compressed file was read
	LinesShown, LinesAlike, FirstLines, AllLines, BackToNumber, Around               string
	CiteAs, BackToView, OtherVersions, Version                                       string
	WhereFrom, WhereFromOf, WhereFromWithout                                         string // lead to the page of a number: of the only one, of a measure, and without financing
	NoSuchLine                                                                       string // the line asked for, and the last one
	CheckPacked                                                                      string // where a file was read compressed
	Check, CheckHow, CheckNoSum, CheckMade, CheckTotals, CheckEncoding, CheckInexact string
	CheckWorkbook                                                                    string

	// how the data was loaded
	Report, ReportHow, FilesRead, TotalsMatch, TotalsDiffer                           string
	AsDeclared, NotDeclared, NotChecked, Declared, LeftRepeats, LeftMissing, LeftRows string
	ControlTotals, TotalsHow, TotalsSame, TotalsNot, TotalsOfAll, Answered            string
	Coverage, NoGaps, Gaps, OtherFields, Field, Filled, EmptyIn                       string
	WholeBudget                                                                       string // what a finding touches that names no field
	NothingFound, MoreFound, Cases, FirstCases, AtLines                               string
	Found                                                                             map[findings.Kind]FoundWords

	// mistakes
	Mistake, NotFound, GonePage, TooMany, Unavailable, Broken, TryAgain, Home string
}

// Phase names a phase of a budget, or says that it is not known.
func Phase(phase string, l cube.Language) string { return in(phaseTexts, l)[phase] }

// Page gives the words of the pages. Those with a %s or a %d are templates for Locale.Fill.
func Page(l cube.Language) PageWords { return in(pageTexts, l) }

// FoundWords are the words for findings of a kind: how many there are, and what the kind means.
type FoundWords struct{ Count, Means string }
