// The scripted session of the official TypeScript SDK, over stdio and over HTTP.
//
// usage: node session.mjs WAYMARK SOCKET URL REVISION
//
// With SDK=v2 in the environment it uses version 2 of the SDK, which has packages
// of its own.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [waymark, socket, url, revision] = process.argv.slice(2);
// The packages are not beside this script, but where it is run.
const require = createRequire(process.cwd() + "/");
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

let Client, StdioClientTransport, StreamableHTTPClientTransport;
if (process.env.SDK === "v2") {
  ({ Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client"));
  ({ StdioClientTransport } = await load("@modelcontextprotocol/client/stdio"));
} else {
  ({ Client } = await load("@modelcontextprotocol/sdk/client/index.js"));
  ({ StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js"));
  ({ StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js"));
}

let failures = 0;
function check(what, good, got) {
  if (good) return;
  failures++;
  console.log(`    FAIL ${what}: ${JSON.stringify(got)}`);
}

async function session(name, transport) {
  const options = process.env.SDK === "v2" && revision === "2026-07-28" ? { versionNegotiation: { mode: "auto" } } : {};
  const client = new Client({ name: "session", version: "1" }, options);
  await client.connect(transport);
  const agreed = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? revision;
  check("revision", agreed === revision, agreed);
  check("name", client.getServerVersion().name === "waymark", client.getServerVersion());
  check("instructions", client.getInstructions().includes("search_trail_rules"), client.getInstructions());
  // Listing the tools also makes the client check each answer by its schema.
  const tools = (await client.listTools()).tools.map((t) => t.name);
  check("tools", tools.length === 8 && tools.includes("search_trail_rules"), tools);

  const found = await client.callTool({ name: "search_trail_rules", arguments: { query: "who signs off an invoice over 10,000?", limit: 3 } });
  check("search", !found.isError && found.structuredContent.results.length === 3, found);
  for (const rule of found.structuredContent.results) {
    check("text", found.content[0].text.includes(rule.id) && found.content[0].text.includes(rule.trail.name), found.content[0].text);
  }
  const documents = await client.callTool({ name: "kb_search", arguments: { query: "hotel", limit: 1 } });
  const document = documents.structuredContent.hits[0].id;
  const whole = await client.callTool({ name: "kb_get", arguments: { id: document } });
  check("kb_get", whole.structuredContent.id === document && whole.structuredContent.text.length > 100, whole);

  for (const [tool, args, code] of [
    ["search_trail_rules", { query: "x", limit: "many" }, "invalid_argument"],
    ["search_trail_rules", { query: "x", trails: ["Invoyces"] }, "unknown_trail"],
    ["search_trail_rules", { query: " " }, "query_missing"],
    ["kb_get", { id: "no such document" }, "unknown_document"],
    ["no_such_tool", {}, "unknown_tool"],
  ]) {
    const wrong = await client.callTool({ name: tool, arguments: args });
    check(code, wrong.isError && wrong.structuredContent.error.code === code && wrong.content[0].text.includes(code), wrong);
  }

  const rule = found.structuredContent.results[0];
  let read = await client.readResource({ uri: `trail://rule/${rule.id}` });
  check("rule", read.contents[0].text.includes(rule.text.slice(0, 40)), read);
  read = await client.readResource({ uri: `kb://doc/${document}` });
  check("document", read.contents[0].text.includes(document), read);
  const templates = (await client.listResourceTemplates()).resourceTemplates.map((t) => t.uriTemplate);
  check("templates", JSON.stringify(templates) === '["kb://doc/{id}","trail://rule/{id}"]', templates);
  const prompts = (await client.listPrompts()).prompts.map((p) => p.name);
  check("prompts", JSON.stringify(prompts) === '["check_action"]', prompts);
  const prompt = await client.getPrompt({ name: "check_action", arguments: { action: "pay an invoice" } });
  check("prompt", prompt.messages[0].content.text.includes("search_trail_rules"), prompt);
  const completed = await client.complete({ ref: { type: "ref/prompt", name: "check_action" }, argument: { name: "trail", value: "inv" } });
  check("completion", JSON.stringify(completed.completion.values) === '["Invoices"]', completed);
  await client.close();
  console.log(`  ${name}, ${revision}: done`);
}

await session("stdio", new StdioClientTransport({ command: waymark, args: ["mcp", "-w", "acme", "--socket", socket] }));
await session("http", new StreamableHTTPClientTransport(new URL(url + "/mcp")));
if (failures) {
  console.log(`  ${failures} checks failed`);
  process.exit(1);
}
process.exit(0);
