"""The server under the Python client of the protocol's own SDK: python_client.py SERVER"""

import asyncio
import pathlib
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PATCH = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch\n"


def error(result):
    return getattr(result, "is_error", None) or getattr(result, "isError", None) or False


async def check(server):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "a.txt")
        file.write_text("one\ntwo\nthree\n")
        parameters = StdioServerParameters(command=server, args=["-C", folder])
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
            start = await session.initialize()
            tools = (await session.list_tools()).tools
            assert [tool.name for tool in tools] == ["apply_patch", "edit_file"], tools

            dry = await session.call_tool("apply_patch", {"patch": PATCH, "dry_run": True})
            assert not error(dry) and "+2" in dry.content[0].text, dry
            assert file.read_text() == "one\ntwo\nthree\n"

            done = await session.call_tool("apply_patch", {"patch": PATCH})
            assert not error(done) and done.content[0].text.startswith("Done: 1 file changed."), done
            assert file.read_text() == "one\n2\nthree\n"

            edits = [{"old_text": "four", "new_text": "4"}]
            refused = await session.call_tool("edit_file", {"path": "a.txt", "edits": edits})
            assert error(refused) and "[not-found]" in refused.content[0].text, refused

            wrong = await session.call_tool("apply_patch", {"text": PATCH})
            assert error(wrong) and "unknown field `text`" in wrong.content[0].text, wrong
            assert file.read_text() == "one\n2\nthree\n"
    version = getattr(start, "protocol_version", None) or getattr(start, "protocolVersion", None)
    print("The Python client and the server agree on", version)


asyncio.run(check(sys.argv[1]))
