// Package analysis turns text into tokens: the one reading of words, numbers
// and codes that documents, rules and queries share.
//
// Its one job is the text itself: where its words stand, which term each of
// them is looked up by, which of them are stop words or negations, where its
// sentences end, and how the words of a query met the words of a text. It
// knows nothing of stores, indexes, scores or vectors, reads no file, keeps no
// state but a cache of pure results, and imports only the stemmer and
// golang.org/x/text. The same text gives the same tokens on every machine.
//
// # Tokens and terms
//
// A text is cut into atoms, each a word, a number, a code or a pair of letters
// of a script that is written without spaces, and every atom takes one
// position. Each token has two terms:
//
//   - Term is what an index stores and a score is added up from. Words carry
//     their stem, numbers their value, codes their joined form. It is empty
//     for stop words and for the small parts of codes, which weigh nothing.
//   - Exact is the form as written, after Unicode normalisation and case
//     folding: what a quoted phrase and an exact mark compare.
//
// Over its atoms a compound adds tokens marked Extra: "PO-1234" is the atoms
// "po" and "1234" and over both of them the code "po1234"; "multi-site" is
// "multi" and "site" and over both the word "multisite". So a compound is
// found whole, in parts and joined, whichever way text and query wrote it.
// Extra tokens are indexed and scored like others, and not counted in the
// length of a field, which stays the number of words that carry weight.
//
// Terms of different kinds never collide, because each begins with the name of
// its kind: "stem:approv", "word:approval", "num:1000", "code:po1234",
// "gram:報告".
package analysis
