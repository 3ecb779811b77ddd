/**
 * Returns the UTF-16 code at an index, or NaN. `text.charCodeAt` becomes slow in V8 once it was called on many kinds of
 * strings, such as flat, sliced and concatenated ones. A bound call does not.
 */
const codeAt: (text: string, at: number) => number = /* @__PURE__ */ Function.prototype.call.bind(
  String.prototype.charCodeAt,
);

const none = new Uint16Array(0);
const minLength = 1024;

/**
 * Returns the UTF-16 codes of `text[from, to)`. They are needed several times: for terms, their parts and their hashes.
 * @param reused an array to write to if it is long enough
 * @returns an array that begins with the codes, and may be longer
 */
export function codesOf(text: string, from = 0, to: number = text.length, reused: Uint16Array = none): Uint16Array {
  const length = to - from;
  const codes = reused.length >= length ? reused : new Uint16Array(Math.max(length, minLength));
  for (let at = 0; at < length; at++) codes[at] = codeAt(text, from + at);
  return codes;
}
