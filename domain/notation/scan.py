"""Split characters into lines of tokens, without comments and blanks.

A token is a word, a quoted text or a sign. Every line ends with an `end` token, so that a missing
token has a position too.
"""

import re
from typing import Literal

from msgspec import Struct

from domain.notation.problem import Problem, Unreadable, printable

TokenKind = Literal["word", "text", "sign", "end"]

BOM = "\ufeff"
ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t"}
_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANK = re.compile(r"[ \t\f\v\u00a0\u202f]+")
_WORD = re.compile(r'[^\s()\[\]{};"]+')
_SIGN = re.compile(r"[()\[\]]")
_TEXT = re.compile(r'"((?:[^"\\\r\n]|\\.)*)(")?')
# The closing mark of each opening mark, as phones and word processors write them.
_CLOSING = {
    "“": '”“"',
    "„": '“”"',
    "”": '”"',
    "«": "»",
    "»": "«»",
    "\u2039": "\u203a",  # single guillemets
    "\u203a": "\u2039\u203a",
    "'": "'",
    "‘": "’‘",
    "\u201a": "‘’",  # a German single mark
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    "\uff02": "\uff02",  # full-width
    "\u275d": "\u275e",  # ornaments
    "\u275b": "\u275c",
}
# A mark inside a word, as in ‘O’Neil’, ends nothing.
_TYPESET = {
    mark: re.compile(rf"{mark}((?:[^\\\r\n{closing}]|\\.|[{closing}](?=\w))*)([{closing}])?")
    for mark, closing in _CLOSING.items()
}
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|(.))")
_UNICODE_END = 0x110000
_SURROGATES = range(0xD800, 0xE000)


class Token(Struct, frozen=True):
    kind: TokenKind
    text: str
    line: int
    column: int

    def problem(self, expected: str) -> Problem:
        return Problem(
            line=self.line, column=self.column, found=printable(self.text), expected=expected
        )

    def unreadable(self, expected: str) -> Unreadable:
        return Unreadable(self.problem(expected))

    def is_sign(self, sign: str) -> bool:
        return self.kind == "sign" and self.text == sign


def scan(text: str) -> tuple[list[list[Token]], list[Problem]]:
    """Split a text into its non-empty lines, each with its `end` token.

    A faulty line is left out and reported as a problem.
    """
    return _Scanner(text.removeprefix(BOM)).lines()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._line_start = 0
        self._problems: list[Problem] = []

    def lines(self) -> tuple[list[list[Token]], list[Problem]]:
        lines: list[list[Token]] = []
        while self._at < len(self._text):
            tokens, sound = self._one_line()
            if sound and len(tokens) > 1:
                lines.append(tokens)
        return lines, self._problems

    def _one_line(self) -> tuple[list[Token], bool]:
        tokens: list[Token] = []
        sound = True
        while self._at < len(self._text):
            end = _LINE_END.match(self._text, self._at)
            if end is not None:
                tokens.append(self._token("end", ""))
                self._next_line(end.end())
                return tokens, sound
            try:
                token = self._next()
            except Unreadable as fault:
                self._problems.append(fault.problem)
                sound = False
                continue
            if token is not None:
                tokens.append(token)
        tokens.append(self._token("end", ""))
        return tokens, sound

    def _next(self) -> Token | None:
        sign = self._text[self._at]
        if blank := _BLANK.match(self._text, self._at):
            self._at = blank.end()
            return None
        if sign == ";":
            end = _LINE_END.search(self._text, self._at)
            self._at = end.start() if end else len(self._text)
            return None
        if sign == "{":
            self._pass_comment()
            return None
        if sign == '"':
            return self._read_quoted(_TEXT)
        if sign in _TYPESET:
            return self._read_quoted(_TYPESET[sign])
        for kind, pattern in (("sign", _SIGN), ("word", _WORD)):
            if match := pattern.match(self._text, self._at):
                token = self._token("sign" if kind == "sign" else "word", match[0])
                self._at = match.end()
                return token
        token = self._token("word", sign)
        self._at += 1
        raise token.unreadable("a word, a text in quotation marks, or a sign of the notation")

    def _pass_comment(self) -> None:
        begin = self._token("sign", "{")
        end = self._text.find("}", self._at)
        if end < 0:
            self._at = len(self._text)
            raise begin.unreadable("a comment that ends: { … }")
        for line_end in _LINE_END.finditer(self._text, self._at, end):
            self._next_line(line_end.end())
        self._at = end + 1

    def _read_quoted(self, pattern: "re.Pattern[str]") -> Token:
        match = pattern.match(self._text, self._at)
        assert match is not None  # noqa: S101 the pattern begins with the mark that stands here
        whole = self._token("text", match[1])
        self._at = match.end()
        if match[2] is None:
            raise whole.unreadable("a closing quotation mark")
        begin = match.start(1)
        parts: list[str] = []
        for escape in _ESCAPE.finditer(self._text, begin, match.end(1)):
            parts += [self._text[begin : escape.start()], self._resolve_escape(escape)]
            begin = escape.end()
        parts.append(self._text[begin : match.end(1)])
        text = "".join(parts)
        # French sets a blank inside of its marks.
        return Token("text", text if pattern is _TEXT else text.strip(), whole.line, whole.column)

    def _resolve_escape(self, escape: "re.Match[str]") -> str:
        if escape[1] is not None:
            code = int(escape[1], 16)
            if code < _UNICODE_END and code not in _SURROGATES:
                return chr(code)
        elif escape[2] in ESCAPES:
            return ESCAPES[escape[2]]
        column = escape.start() - self._line_start + 1
        place = Token("word", escape[0], self._line, column)
        raise place.unreadable(r"an escape: \" \\ \n \r \t or \u{…}")

    def _next_line(self, at: int) -> None:
        self._at = self._line_start = at
        self._line += 1

    def _token(self, kind: TokenKind, text: str) -> Token:
        return Token(kind, text, self._line, self._at - self._line_start + 1)
