package tool

import "context"

type callerKey struct{}

// WithCaller returns a context that carries who calls, for the handlers of
// other transports.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns who calls. Without WithCaller it is a caller that may do
// nothing.
func CallerFrom(ctx context.Context) Caller {
	c, ok := ctx.Value(callerKey{}).(Caller)
	if !ok {
		return Caller{Agent: "nobody"}
	}
	return c
}
