/** Number of bits of a character class. */
export const classBits = 5;
/** One member of each class, in order. All other signs, and everything beyond ASCII, are class 0. */
export const classMembers = ' abcdefghijklmnopqrstuvwxyz0-_/|';

/**
 * Class of each byte. There are 32 classes: letters ignore case and all digits share one. The classes of four neighbours
 * form a 20-bit number. One bit per number says whether a keyword may be at either of two positions.
 */
export const classOfByte: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, code) =>
  Math.max(0, classMembers.indexOf(String.fromCharCode(code).toLowerCase().replace(/\d/, '0'))),
);

/** The code of an ASCII character; 128 for all others. NaN beyond the end of the text. */
export const byteOf = (text: string, at: number): number => Math.min(text.charCodeAt(at), 128);
