// Package search finds members of all cubes by name, and cubes, dimensions, levels and measures. The stores have no
// folding, trigrams or ranking in common, so the index is in memory: one immutable part for each served version, which is
// read in the background with the members and their amounts. A search does not ask the store.
//
// The rules, in the order in which they apply:
//
//  1. A text is split into words: runs of letters and digits, without case and accents.
//  2. An entry matches if it matches each word of the query: by a whole word, by the beginning of a word, or with typing
//     errors: a letter left out, added, replaced, or swapped with the next. A word of four letters or more may have one
//     error, a word of eight or more two. Articles, pronouns, prepositions and conjunctions need not match if there are other words, and
//     only match whole words.
//     If nothing matches, the words of a question ("what did … spend on, and who spends it") are left out. They have no errors, and those that
//     ask, and verbs, match whole words only. Those that say a phase (phase.go) choose the measure of which amounts are shown.
//  3. A word with a digit is a code, and so is the key of a member with a label. Codes match whole or by their beginning,
//     never with errors.
//  4. An entry also matches if it matches some words itself and the entries above it match the others. Above an entry are
//     its cube and, for a member, the members in its path. This does not apply if one of those matches all words, since
//     that one is meant.
//  5. A word that names a function of government, or a kind of revenue, debt or expense (functions.go), also matches what other words and
//     languages call it: it is meant. A word that is meant has no errors, nor has one of the names of any cube. So does a word for a kind of
//     body (ministry, agency …) or of programme, which may be lacking. What is looked for with a kind of body is a member of an administrative
//     classification: those that match come first, of a ministry those of the first level, which are ministries whatever they are called, and
//     then everything else, whether it has the word or not. With a kind of programme what has the word comes first. A word after "by" is left
//     out of a cube where nothing matches it. Of several functions with a conjunction between them, what is called by one and has no other words
//     comes after what is called by all and has no others, and before everything else. What is only called a ministry matches no words of the members above it.
//  6. Hits of published cubes come before those of made-up ones. Of each, hits are ranked by words, then by meaning, then by errors: first a
//     text that equals the query, then one that begins with it, then whole words, then beginnings of words; then the others, by errors, the
//     fewest first, of equals first a text that has no other words, then by the number of words that are only meant, not nearly written so,
//     and last what is wider than one of them. If the dictionary has all words, what has them among other words is ranked with
//     these. Last come matches with words from above, by errors, then by the number of words that are only meant or from above, and then what
//     is wider. Of equal hits those of the largest part of their budget come first, which counts by the rows of the budget, so
//     that those of an excerpt are not before those of the whole; then those of the most rows. Words that the name of a cube has whole say where to look: its entries are also ranked as if they were not asked for, with the small words that are
//     then first or last, and the better counts.
//  7. A number that may be a year, of several the latest, is the year of what the other words match, in cubes that have it, of members with rows of it. It also is a
//     word like others: what has it in its name comes after all that, those of made-up cubes too. If nothing is of it, cubes that are named
//     and do not have it are searched for the other words in any year.
//  8. A member with several names is one hit. It has the name that matches the most words of the query, of equals that with
//     the most whole words, and of these the latest; its years and its amount are those of this name.
//  9. A member that has the name of the one above it, or of a fiscal year, and no other rows is the same thing: it is found where the other
//     is not.
//
// A text that is an amount (figure.go) is also looked for among the sums of each measure by year, of all rows and of the members of each
// level that has no more than 10,000 (sums.go). They are added up in the background once a first amount is looked for, and are sorted, so
// that the amounts between two bounds are neighbours (cells.go). Words beside the amount say in which cubes and year to look (asked.go).
//
// A query visits every entry once, so its cost depends on the size of the index and not on the number of hits. (2026-11: posting lists would be faster for rare words and no faster for frequent ones, which take longest.)
package search
