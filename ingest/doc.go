// Package ingest is the write path: it reads what people have (markdown with
// front matter, rules as JSON lines, CSV or spreadsheets, single edits), checks
// it, works out what would change, embeds the texts whose vectors are missing
// and writes the result to the store in batches.
//
// Its one job is to let nothing wrong in and lose nothing right: every file and
// every row ends in exactly one line of the report, with the line and the reason
// when it was refused. It never searches, serves or opens a database, it reads
// no configuration, and it does not import search or server.
package ingest
