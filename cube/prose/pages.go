package prose

import "fiscube/cube"

// PageWords are the words of the pages in one language.
type PageWords struct {
	Language string // its own name

	// around every page
	Skip, Search, SearchHint, Languages, Footer, APIList, Reference, MadeUp string

	// the start page
	Tagline, Loaded, NothingLoaded, NothingLoadedHint         string
	Country, Publisher, Years, Rows, LoadedOn, Budget, Ask    string
	Explore, ByLevel, ByYears, Largest, Overview, Description string

	// a view
	Measure, Year, AllYears, BreakDown, Nothing, Filters, Remove, Add, AddHint, Find, Show string
	Amount, Share, Earlier, Change, New, Gone, Total, Missing, Code, Down, Open            string
	Others, Cells                                                                          string // how many
	Download, AsJSON, CSV, ExcelCSV, Workbook, Parquet, Package, PermanentLink, Newer      string
	Page, Next, Previous, Table, Bars, Treemap, Line, Changes, Sankey, Figure              string
	NoRows, NoRowsHint, Without, Exactly, Pinned, ServedNow                                string
	EarlierYear, LaterYear, SortBy, Ascending, Descending                                  string

	// mistakes
	Mistake, NotFound, GonePage, TooMany, Unavailable, Broken, TryAgain, Home string
}

// Page gives the words of the pages. Those with a %s or a %d are templates for Locale.Fill.
func Page(l cube.Language) PageWords { return in(pageTexts, l) }
