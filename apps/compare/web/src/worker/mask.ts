import { redact } from '@palimpsest/redactor';

/** The default redactor with a cache per text, because many runs read the same transcript. */
export interface Mask {
  redact(text: string): string;
  clear(): void;
}

/** Maximum characters of cached texts. The cache is cleared beyond it. */
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
