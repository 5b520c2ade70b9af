"""Gives the command whole responses of the OpenAI and the Anthropic API, as their clients print them.

Needs the packages `openai` and `anthropic`; the command is in APPLY_PATCH, or on the path.
"""
import json
import os
import pathlib
import subprocess
import tempfile

from anthropic.types import Message
from openai.types.responses import Response

COMMAND = os.environ.get("APPLY_PATCH", "apply-patch")


def operation(nth, diff):
    call = {"type": "update_file", "path": "greet.py", "diff": diff}
    return {
        "type": "apply_patch_call", "id": f"apc_{nth}", "call_id": f"call_{nth}", "status": "completed", "operation": call
    }


def response(*output):
    return Response.model_validate({
        "id": "resp_1", "object": "response", "created_at": 0, "model": "m", "status": "completed", "output": output,
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [{"type": "apply_patch"}],
    })


def message(*content):
    return Message.model_validate({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    })


def tool_use(nth, arguments):
    return {"type": "tool_use", "id": f"toolu_{nth}", "name": "str_replace_based_edit_tool", "input": arguments}


def answers(style, text, root):
    command = [COMMAND, "--reply", style, "-C", root]
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def main():
    with tempfile.TemporaryDirectory() as root:
        file = pathlib.Path(root, "greet.py")
        file.write_text("def greet():\n    print('helo')\n")
        first = operation(1, "@@ def greet():\n-    print('helo')\n+    print('hello')\n")
        broken = answers("openai", response(first, operation(2, "@@\n-nowhere\n+x\n")).model_dump_json(), root)
        assert [answer["status"] for answer in broken] == ["failed", "failed"], broken
        assert "helo" in file.read_text()
        whole = response(first, operation(2, "@@\n-def greet():\n+def hail():\n")).model_dump_json()
        replies = answers("openai", whole, root)
        assert [(answer["call_id"], answer["status"]) for answer in replies] == [
            ("call_1", "completed"), ("call_2", "completed")
        ], replies
        assert file.read_text() == "def hail():\n    print('hello')\n"

        edit = {"command": "str_replace", "path": "greet.py", "old_str": "hello", "new_str": "hi"}
        text = {"type": "text", "text": "I change the greeting."}
        replies = answers("anthropic", message(text, tool_use(1, edit)).model_dump_json(), root)
        assert [(answer["tool_use_id"], answer["is_error"]) for answer in replies] == [("toolu_1", False)], replies
        assert file.read_text() == "def hail():\n    print('hi')\n"
    print("openai, anthropic: 3 responses answered, 1 of them refused.")


main()
