// Joins a loopback port to the daemon's Unix socket, for clients that only know
// URLs. It adds the headers of HEADERS (a JSON object) to every request, prints
// its address, and ends with its standard input.
import http from "node:http";

const [socketPath] = process.argv.slice(2);
const headers = JSON.parse(process.env.HEADERS ?? "{}");

const server = http.createServer((request, response) => {
  const upstream = http.request(
    { socketPath, method: request.method, path: request.url, headers: { ...request.headers, ...headers } },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    },
  );
  upstream.on("error", (error) => {
    if (!response.headersSent) response.writeHead(502);
    response.end(String(error));
  });
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
});

server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.resume().on("end", () => process.exit(0));
