/**
 * A piece of a sentence. `winner` is the name of the engine to choose, `engine` that of any other, `bad` a problem,
 * `term` a word with a definition, `name` a path or another exact name of the transcript.
 */
export interface VerdictPart {
  readonly kind: 'text' | 'winner' | 'engine' | 'bad' | 'term' | 'name';
  readonly text: string;
}

/** A sentence, or a piece of one, in parts. */
export type Words = readonly VerdictPart[];

/** Builds words from a template. Strings in it are plain text. */
export function words(strings: TemplateStringsArray, ...values: readonly (string | Words)[]): Words {
  return strings.flatMap((text, at): Words => {
    const value = values[at] ?? '';
    return [...word('text', text), ...(typeof value === 'string' ? word('text', value) : value)];
  });
}

/** A text as one part; nothing for an empty text. */
export function word(kind: VerdictPart['kind'], text: string): Words {
  return text === '' ? [] : [{ kind, text }];
}

/** Joins items: `a`, `a and b`, `a, b and c`. */
export function joinWords(items: readonly Words[], separator = ', ', last = ' and '): Words {
  return items.flatMap((item, at): Words => {
    if (at === 0) return item;
    return [...word('text', at === items.length - 1 ? last : separator), ...item];
  });
}

/** The words as plain text. */
export function plainText(parts: Words): string {
  return parts.map(({ text }) => text).join('');
}
