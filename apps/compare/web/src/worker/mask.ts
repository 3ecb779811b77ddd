import { redact } from '@palimpsest/redactor';

/** Masks secrets as an engine's host does by default, and remembers each text: many runs read the same transcript. */
export interface Mask {
  redact(text: string): string;
  clear(): void;
}

/** More characters than this are not kept. */
const capacity = 20_000_000;

export function createMask(): Mask {
  const known = new Map<string, string>();
  let characters = 0;
  const clear = (): void => {
    known.clear();
    characters = 0;
  };
  return {
    clear,
    redact(text) {
      const remembered = known.get(text);
      if (remembered !== undefined) return remembered;
      const masked = redact(text, { boundary: true });
      characters += text.length;
      if (characters > capacity) clear();
      known.set(text, masked);
      return masked;
    },
  };
}
