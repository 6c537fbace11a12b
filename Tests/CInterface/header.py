#!/usr/bin/env python3
"""Writes the header of the C interface from its Swift declarations and their documentation.

    Tests/CInterface/header.py            prints the header
    Tests/CInterface/header.py --check    fails if the header in the tree is another one, or Python's numbers are others
    Tests/CInterface/header.py --symbols  prints the names and prototypes of the functions
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
module = root / "Sources/Programs/TokenSecurityC"
header = module / "include/tokensecurity.h"
requests = root / "python/token_security/requests.py"
calls = root / "python/token_security/_library.py"

# The order of the header.
FILES = [
    "Handles/ErrorFunctions.swift", "Tokens/VerifierFunctions.swift", "Tokens/FetchFunctions.swift", "Tokens/TokenFunctions.swift", "Tokens/ProofFunctions.swift",
    "Tokens/SignerFunctions.swift",
    "Requests/RequestFunctions.swift", "Requests/SigningFunctions.swift", "Requests/VerifyingFunctions.swift",
    "Sessions/SessionKeysFunctions.swift", "Sessions/SessionFunctions.swift",
    "Passwords/SRPFunctions.swift", "Codes/TOTPFunctions.swift",
]
HANDLES = {
    "ErrorHandle": "ts_error", "BufferHandle": "ts_buffer", "VerifierHandle": "ts_verifier", "FetchHandle": "ts_fetch", "TokenHandle": "ts_token",
    "ProofVerifierHandle": "ts_proof_verifier", "SignerHandle": "ts_signer", "RequestHandle": "ts_request", "RequestVerifierHandle": "ts_request_verifier",
    "SessionKeysHandle": "ts_session_keys", "SessionHandle": "ts_session",
    "SRPClientHandle": "ts_srp_client", "SRPServerHandle": "ts_srp_server",
}
TYPES = {
    "Int32": "int", "UInt32": "uint32_t", "Int64": "int64_t", "UInt": "size_t", "UnsafePointer<CChar>?": "const char *",
    "UnsafePointer<UInt8>?": "const uint8_t *", "UnsafePointer<UnsafePointer<CChar>?>?": "const char *const *",
    "UnsafeMutablePointer<UnsafePointer<CChar>?>?": "const char **", "UnsafePointer<UInt>?": "const size_t *",
    "UnsafeMutablePointer<UInt>?": "size_t *", "UnsafeMutablePointer<Int64>?": "int64_t *", "UnsafeMutablePointer<Int32>?": "int *",
    "FetchFunction?": "ts_fetch_function", "UnsafeMutableRawPointer?": "void *",
}
for swift, c in HANDLES.items():
    # What only reads a handle does not say so by const: the object behind it may write texts when they are first read.
    TYPES[f"{swift}?"] = f"{c} *"
    TYPES[f"UnsafeMutablePointer<{swift}?>?"] = f"{c} **"

TOP = """\
/* libtokensecurity: verify and issue tokens, sign and verify requests, sign in by password, one-time codes.
 *
 * Written from the library's sources; do not edit.
 *
 * Functions that can fail return 0 for success and 1 for an error, and describe the error in a ts_error. What a function
 * gives to the caller is freed with the function of its type. Arguments are copied: they can be freed or changed when the
 * function has returned. Handles can be used by several threads at the same time, but freed once, when no thread uses them.
 * A handle of another kind is refused; a handle that was freed must not be used.
 *
 * Lengths are in bytes. An argument has at most 16 MiB. Where no length is passed, a text ends with a zero byte. */
#ifndef TOKENSECURITY_H
#define TOKENSECURITY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The current time, where a time is passed. */
#define TS_NOW INT64_MIN

"""
OPTIONS = "/* Options of ts_request_verifier_create_with_options. */\n"
RESULTS = "/* What a function of ts_verifier_set_fetch or ts_session_keys_set_fetch returns. */\n"
FUNCTION = """\
/* A function of the caller that fetches one document, on the thread that called the library: see ts_verifier_set_fetch and
   ts_session_keys_set_fetch. */
typedef int (*ts_fetch_function)(void *context, ts_fetch *fetch);

"""
BOTTOM = """\
#ifdef __cplusplus
}
#endif

#endif
"""


def split(text):
    """The parts of a parameter list."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += character in "<(" and 1 or 0
        depth -= character in ">)" and 1 or 0
        if character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def declared(c, name):
    return f"{c}{name}" if c.endswith("*") else f"{c} {name}"


def snake(name):
    return re.sub(r"([a-z0-9])([A-Z]+)", lambda found: f"{found[1]}_{found[2].lower()}", name).replace("_milliseconds", "_ms")


def functions():
    """The heading of a file, or the comment and the prototype of a function."""
    for file in FILES:
        text = (module / file).read_text()
        heading = re.search(r"^// (.+)$", text, re.M)
        yield heading[1], None, None
        for found in re.finditer(r"((?:^///.*\n)+)@c\((\w+)\)\npublic func \w+\(([^{]*?)\)(?:\s*->\s*([^{]+?))?\s*\{", text, re.M):
            comment, name, parameters, returned = found.groups()
            listed = []
            for parameter in split(parameters):
                label, swift = parameter.split(":", 1)
                label = label.strip().removeprefix("_").strip()
                listed.append(declared(TYPES["".join(swift.split())], snake(label)))
                comment = re.sub(rf"\b{label}\b", snake(label), comment) if label != snake(label) else comment
            result = TYPES["".join(returned.split())] if returned else "void"
            yield declared(result, name), listed, comment


def written(comment):
    lines = [line.removeprefix("///").removeprefix(" ") for line in comment.rstrip().split("\n")]
    text = "\n".join(lines).replace("`", "")
    text = re.sub(r"^- Parameters:\n", "", text, flags=re.M)
    text = re.sub(r"^- Parameter (\w+): ", r"  \1: ", text, flags=re.M)
    text = re.sub(r"^  - (\w+): ", r"  \1: ", text, flags=re.M)
    text = re.sub(r"^- Returns: ", "Returns ", text, flags=re.M)
    return "/* " + "\n".join(f" * {line}".rstrip() if index else line for index, line in enumerate(text.split("\n"))) + " */\n"


def prototype(start, parameters):
    line = f"{start}({', '.join(parameters) or 'void'});"
    if len(line) <= 120:
        return line + "\n"
    lines, current = [], f"{start}("
    for index, parameter in enumerate(parameters):
        part = parameter + (", " if index < len(parameters) - 1 else ");")
        if len(current) + len(part.rstrip()) > 120:
            lines.append(current.rstrip())
            current = "    "
        current += part
    return "\n".join(lines + [current]) + "\n"


def options():
    """The options of verifiers of requests, with their values."""
    text = (module / "Requests/VerifyingFunctions.swift").read_text()
    found = re.findall(r"static let (\w+) = RequestOptions\(rawValue: (\w+)\)", text)
    assert len(found) == text.count("= RequestOptions("), "an option's value is written in another way"
    return {snake(name).upper(): int(value) for name, value in found}


def options_in_python():
    """The same in the Python package."""
    names, values = re.search(r"^((?:_[A-Z_]+, )+_[A-Z_]+) = ([\d, ]+)$", requests.read_text(), re.M).groups()
    return dict(zip([name.strip().removeprefix("_") for name in names.split(",")], map(int, values.split(",")), strict=True))


def results():
    """What a function that fetches returns."""
    text = (module / "Tokens/FetchObject.swift").read_text()
    cases = re.search(r"enum FetchResult: Int32, CaseIterable \{\n(.*?)\n\}", text, re.S)[1]
    return {name.upper(): int(value) for name, value in re.findall(r"case (\w+) = (\d+)", cases)}


def results_in_python():
    """The same in the Python package."""
    names, values = re.search(r"^((?:FETCH_[A-Z]+, )+FETCH_[A-Z]+) = ([\d, ]+)$", calls.read_text(), re.M).groups()
    return dict(zip([name.strip().removeprefix("FETCH_") for name in names.split(",")], map(int, values.split(",")), strict=True))


def text():
    output = TOP + RESULTS + "".join(f"#define TS_FETCH_{name} {value}\n" for name, value in results().items()) + "\n"
    output += OPTIONS + "".join(f"#define TS_REQUESTS_{name} {value}\n" for name, value in options().items()) + "\n"
    output += "".join(f"typedef struct {name} {name};\n" for name in HANDLES.values()) + "\n" + FUNCTION
    for start, parameters, comment in functions():
        output += f"/* {start} */\n\n" if comment is None else written(comment) + prototype(start, parameters) + "\n"
    return output + BOTTOM


def symbols():
    return sorted(" ".join(prototype(start, parameters).split()) for start, parameters, comment in functions() if comment is not None)


if __name__ == "__main__":
    exported = sum(file.read_text().count("\n@c(") for file in module.rglob("*.swift"))
    assert exported == len(symbols()), f"{exported} functions are exported, {len(symbols())} are in the header"
    if sys.argv[1:] == ["--check"]:
        if header.read_text() != text():
            sys.exit(f"{header} is not what the sources say; write it with {sys.argv[0]} > {header}")
        if options_in_python() != options():
            sys.exit(f"{requests} has other options than the sources: {options_in_python()}, not {options()}")
        if results_in_python() != results():
            sys.exit(f"{calls} has other results of fetches than the sources: {results_in_python()}, not {results()}")
    elif sys.argv[1:] == ["--symbols"]:
        print("\n".join(symbols()))
    else:
        sys.stdout.write(text())
