// Package conflict tells whether two rules cannot both be obeyed, and where they
// part. Its one job is a verdict on two texts: it keeps nothing, reads no files
// and no clock, runs no model per pair, and imports nothing of ours.
//
// A rule is analysed once (Analyze) into frames: per clause its force, act,
// theme, complements, offices, conditions, exceptions, quantities, deadlines and
// frequencies. Two analyses are compared (Compare) slot by slot. What differs is
// evidence; what says that the two rules speak of different matters (another
// scope, another object, a stated exception, the steps of a ladder) is a blocker.
// A logistic regression over a few dozen products of the two decides.
//
// The files, in the order in which a text passes through them:
//
//	input.go      what a rule is to this package, and the limits
//	lexicon.go    the tables in lexicon/: acts, things, offices, contrasts, units
//	token.go      words, numbers and marks
//	reading.go    a text while it is analysed
//	cleft.go      "it is the driver who"
//	number.go     numerals, ordinals, fractions
//	unit.go       units and dimensions
//	comparator.go at least, at most, over, under, between
//	calendar.go   clock times, dates, weekdays
//	quantity.go   numbers with units, and the part they play
//	deadline.go   within, by, before, after, and what the time runs from
//	frequency.go  how often
//	span.go       conditions, exceptions, relative clauses, purposes
//	predicate.go  the verb of a clause and what stands around it
//	force.go      must, may, must not, need not
//	actor.go      the offices that act; agentive.go, those that no table has
//	sentence.go   sentences and the parts of them that have a predicate
//	clause.go     one frame; roles.go, theme.go, inherit.go, normal.go, its slots
//	cues.go       small words by which near copies differ
//	analysis.go   all frames of a rule; encode.go, their stored form
//	match.go      words of one rule found in the other
//	evidence_*.go one file per kind of conflict
//	blocker_*.go  one file per reason why there is none
//	features.go   what the regression sees; model.go, weights and thresholds
//	compare.go    the verdict
//	point.go      what stands against what, in words; explain.go, the rest
//	page.go       all pairs of one page
//
// DESIGN.md says why it is so, with figures.
package conflict
