"""The scripted session of the official Python SDK, over stdio and over HTTP.

usage: session.py WAYMARK SOCKET URL
"""
import asyncio
import sys

from mcp import Client, StdioServerParameters
from mcp.types import PromptReference, ResourceTemplateReference

failures = 0


def check(what, good, got=""):
    global failures
    if not good:
        failures += 1
        print(f"    FAIL {what}: {got}")


async def session(name, server, mode, revision):
    async with Client(server, mode=mode) as client:
        check("revision", client.protocol_version == revision, client.protocol_version)
        check("name", client.server_info.name == "waymark", client.server_info)
        check("instructions", "search_trail_rules" in (client.instructions or ""), client.instructions)
        tools = [t.name for t in (await client.list_tools()).tools]
        check("tools", len(tools) == 8 and "search_trail_rules" in tools, tools)

        found = await client.call_tool("search_trail_rules", {"query": "who signs off an invoice over 10,000?", "limit": 3})
        structured = found.structured_content
        check("search", not found.is_error and len(structured["results"]) == 3, found)
        for rule in structured["results"]:
            check("text", rule["id"] in found.content[0].text and rule["trail"]["name"] in found.content[0].text, found.content[0].text)

        documents = await client.call_tool("kb_search", {"query": "hotel", "limit": 1})
        document = documents.structured_content["hits"][0]["id"]
        whole = await client.call_tool("kb_get", {"id": document})
        check("kb_get", whole.structured_content["id"] == document and len(whole.structured_content["text"]) > 100, whole)

        for tool, arguments, code in [
            ("search_trail_rules", {"query": "x", "limit": "many"}, "invalid_argument"),
            ("search_trail_rules", {"query": "x", "trails": ["Invoyces"]}, "unknown_trail"),
            ("search_trail_rules", {"query": " "}, "query_missing"),
            ("kb_get", {"id": "no such document"}, "unknown_document"),
            ("no_such_tool", {}, "unknown_tool"),
        ]:
            wrong = await client.call_tool(tool, arguments)
            check(code, wrong.is_error and wrong.structured_content["error"]["code"] == code and code in wrong.content[0].text, wrong)

        rule = structured["results"][0]
        read = await client.read_resource(f"trail://rule/{rule['id']}")
        check("rule", rule["text"][:40] in read.contents[0].text, read)
        read = await client.read_resource(f"kb://doc/{document}")
        check("document", document in read.contents[0].text, read)
        templates = [t.uri_template for t in (await client.list_resource_templates()).resource_templates]
        check("templates", templates == ["kb://doc/{id}", "trail://rule/{id}"], templates)

        prompts = [p.name for p in (await client.list_prompts()).prompts]
        check("prompts", prompts == ["check_action"], prompts)
        prompt = await client.get_prompt("check_action", {"action": "pay an invoice"})
        check("prompt", "search_trail_rules" in prompt.messages[0].content.text, prompt)
        completed = await client.complete(PromptReference(name="check_action"), {"name": "trail", "value": "inv"})
        check("completion", completed.completion.values == ["Invoices"], completed)
        completed = await client.complete(ResourceTemplateReference(uri="kb://doc/{id}"), {"name": "id", "value": document[:3]})
        check("completion of an id", document in completed.completion.values, completed)
    print(f"  {name}, {revision}: done")


async def main():
    waymark, socket, url = sys.argv[1:]
    stdio = StdioServerParameters(command=waymark, args=["mcp", "-w", "acme", "--socket", socket])
    for name, server in [("stdio", stdio), ("http", url + "/mcp")]:
        await session(name, server, "auto", "2026-07-28")
        await session(name, server, "legacy", "2025-11-25")
    if failures:
        sys.exit(f"  {failures} checks failed")


asyncio.run(main())
