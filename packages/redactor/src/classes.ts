/** Bits of a class. */
export const BITS = 5;
/** One character of each class, in order; every other sign, and everything beyond ASCII, is class 0. */
export const MEMBERS = ' abcdefghijklmnopqrstuvwxyz0-_/|';

/**
 * Bytes fold into 32 classes (letters by case, all digits one), so that four neighbours make a 20 bit number, and one bit
 * tells of two of them at once whether a keyword may be there.
 */
export const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, code) =>
  Math.max(0, MEMBERS.indexOf(String.fromCharCode(code).toLowerCase().replace(/\d/, '0'))),
);

/** A character as a byte: everything beyond ASCII is one. */
export const byteOf = (text: string, at: number): number => Math.min(text.charCodeAt(at), 128);
