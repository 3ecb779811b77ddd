/**
 * Returns the UTF-16 code at an index, or NaN. `text.charCodeAt` becomes slow in V8 once it was called on many kinds of
 * strings, such as flat, sliced and concatenated ones. A bound call does not.
 */
export const codeAt: (text: string, at: number) => number = /* @__PURE__ */ Function.prototype.call.bind(
  String.prototype.charCodeAt,
);
