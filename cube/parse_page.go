package cube

import "strconv"

// ParsePage reads the texts of the parameters page and pagesize; an empty text means the default.
func ParsePage(page, size string) (Page, error) {
	number, err := parseBounded("page", page, 1, 1, 1<<40)
	if err != nil {
		return Page{}, err
	}
	count, err := parseBounded("pagesize", size, DefaultPageSize, 0, MaxPageSize)
	if err != nil {
		return Page{}, err
	}
	return Page{Number: number, Size: count}, nil
}

// notEmpty refuses what would read as the default: who leaves the text out meant something else.
func notEmpty(given map[string]string, name string) error {
	if text, ok := given[name]; ok && text == "" {
		return Errorf(CodeBadPage, "%s is empty", name).at(Position{Parameter: name}).or(leaveOut)
	}
	return nil
}

func parseBounded(parameter, text string, absent, least, most int) (int, error) {
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, Errorf(CodeBadPage, "%s is %q, not a whole number from %d to %d", parameter, text, least, most).
			at(Position{Parameter: parameter}).or(boundsHint(parameter, n, absent, most))
	}
	return n, nil
}
