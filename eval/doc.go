// Package eval measures answers: it reads judged question sets, asks a daemon
// through its socket like any other caller, and computes the metrics that the
// field reports, with confidence intervals and a paired comparison against an
// earlier run.
//
// It imports the client and the answer types, and opens no database.
package eval
