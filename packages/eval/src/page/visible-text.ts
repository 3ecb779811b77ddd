/** Control characters that HTML forbids, and bidirectional characters that reorder the surrounding text. */
const invisible: RegExp = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces invisible characters by control pictures or code points, and normalizes line breaks to `\n`. */
export function visibleText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(invisible, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `[U+${code.toString(16).padStart(4, '0').toUpperCase()}]`;
  });
}
