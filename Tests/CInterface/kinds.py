#!/usr/bin/env python3
"""Writes a program in C that calls each function that takes a handle with a handle of each other kind, and with none.

    Tests/CInterface/kinds.py > kinds.c

The functions are those of the header, so that a new one is called, too. A function with an error must answer
`handle_wrong` (`argument_missing` for none) and give nothing; others must answer nothing. No handle may be freed by it,
which AddressSanitizer knows: the program needs it. A new kind of handle needs a maker in `kinds.h`. All calls are made within a function that fetches keys: a fetch lives only there, and is freed by no function.
"""
import re
import sys

import header

KINDS = list(header.HANDLES.values())
# What the caller frees.
OWNED = [kind for kind in KINDS if kind != "ts_fetch"]
# Arguments that are accepted, so that a handle is all that is wrong. What receives something is set to MARK before.
VALUES = {
    "int": "0", "uint32_t": "0", "int64_t": "0", "size_t": "1", "const char *": '"a"', "const uint8_t *": '(const uint8_t *)"a"',
    "const char *const *": "texts", "const size_t *": "lengths", "ts_fetch_function": "NULL", "void *": "NULL",
}
RECEIVED = {"const char **": "const char *", "size_t *": "size_t", "int64_t *": "int64_t", "int *": "int"}


def parts(declaration):
    """The type and the name of a declaration."""
    found = re.fullmatch(r"(.*?[ *])(\w+)", declaration)
    return found[1].strip(), found[2]


def calls(start, parameters):
    """The statements of one function."""
    result, name = parts(start)
    listed = [parts(parameter) for parameter in parameters]
    has_error = listed[-1:] == [("ts_error **", "error")]
    for position, (kind, _) in enumerate(listed):
        if kind.removesuffix(" *") not in KINDS:
            continue
        for other in KINDS + [None]:
            if other != kind.removesuffix(" *"):
                yield call(result, name, listed, position, other, has_error)


def call(result, name, listed, position, other, has_error):
    before, arguments, after = [], [], []
    given = f"given_{other}" if other else "NULL"
    for place, (kind, label) in enumerate(listed):
        handle = kind.removesuffix(" *")
        if place == position:
            arguments.append(f"({kind})({given})")
        elif handle in KINDS:
            arguments.append(f"given_{handle}")
        elif has_error and place == len(listed) - 1:
            before.append("ts_error *error = NULL;")
            arguments.append("&error")
        elif kind.endswith(" **") and kind.removesuffix(" **") in KINDS:
            before.append(f"{kind.removesuffix('*')}{label} = MARK;")
            arguments.append(f"&{label}")
            after.append(f"{label} == NULL")
        elif kind in RECEIVED:
            before.append(f"{RECEIVED[kind]} {label} = 0;")
            arguments.append(f"&{label}")
            after.append(f"!{label}")
        else:
            arguments.append(VALUES[kind])
    what = f'"{name}", "{listed[position][1]}", "{other or "NULL"}"'
    statement = f"{name}({', '.join(arguments)})"
    if has_error:
        statement = f'{result} status = {statement};\n    refused({what}, status, error, "{"handle_wrong" if other else "argument_missing"}");'
    elif result == "void":
        statement += ";"
    else:
        statement = f"{result} answer = {statement};\n    empty({what}, answer == 0);"
    lines = before + [statement] + ([f"empty({what}, {' && '.join(after)});"] if after else [])
    if other:
        again = f"given_{other} = make_{other}()" if other in OWNED else "return TS_FETCH_FAILED"
        lines.append(f"if (is_freed({what}, given_{other})) {again};")
    return "{\n    " + "\n    ".join(lines) + "\n    calls++;\n    }"


def main():
    functions = [(start, parameters) for start, parameters, comment in header.functions() if comment is not None]
    print('/* Written by kinds.py. */\n#include "kinds.h"\n\nstatic int all(void *context, ts_fetch *given_ts_fetch) {')
    print("    const char *texts[] = {\"a\"};\n    const size_t lengths[] = {1};\n    int calls = 0;")
    for kind in OWNED:
        print(f"    {kind} *given_{kind} = make_{kind}();")
    for start, parameters in functions:
        for statements in calls(start, parameters):
            print("    " + statements)
    for kind in OWNED:
        print(f'    {kind}_free(given_{kind});\n    was_freed("{kind}", given_{kind});')
    print('    printf("kinds: %d calls, %d failures\\n", calls, failures);\n    *(int *)context = calls;\n    return TS_FETCH_FAILED;\n}')
    print("\nint main(void) {\n    int calls = 0;\n    within_a_fetch(all, &calls);\n    return failures != 0 || calls == 0;\n}")


if __name__ == "__main__":
    sys.exit(main())
