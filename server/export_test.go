package server

// Routes lists the route table, as "METHOD /path".
func Routes(s *Server) []string {
	var all []string
	for _, r := range s.routes() {
		all = append(all, r.method+" "+r.pattern)
	}
	return all
}
