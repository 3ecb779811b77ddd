import type { Matcher } from './rule.ts';

/** A user's rule, checked. Make one with {@link defineRule}. */
export interface Rule {
  /** The `kind` of its findings. */
  readonly name: string;
  /** Literals, one of which stands in every secret of this kind; the text around each is searched. Case is ignored. */
  readonly keywords: readonly string[];
  /** Matches the secret, within the line and 1,024 characters around a keyword. A group named `secret` narrows what is masked. */
  readonly pattern?: RegExp | undefined;
  /** Instead of a pattern: called with the text and the keyword's index; answers where the secret stands, or null. */
  readonly scan?: ((text: string, at: number) => { readonly start: number; readonly end: number } | null) | undefined;
  /** Replaces the standard mask: fixed text, or made from the secret. */
  readonly mask?: string | ((secret: string) => string) | undefined;
}

/** A pattern sees so much of the line before a keyword, and so much after it. */
const WINDOW_BEFORE = 128;
const WINDOW_AFTER = 896;

/** Checks a rule and returns it. Throws a `TypeError` that says what is wrong. */
export function defineRule(rule: Rule): Rule {
  if (rule.keywords.length === 0 || rule.keywords.some((keyword) => keyword.length < 2)) {
    throw new TypeError(`Rule "${rule.name}": every rule needs a literal keyword of at least 2 characters.`);
  }
  if ((rule.pattern === undefined) === (rule.scan === undefined)) {
    throw new TypeError(`Rule "${rule.name}": give either a pattern or a scan function.`);
  }
  return rule;
}

/** The rule as a matcher of the one pass. */
export function matcherOf(rule: Rule): Matcher {
  const mask = typeof rule.mask === 'string' ? () => rule.mask as string : rule.mask;
  const pattern =
    rule.pattern && new RegExp(rule.pattern.source, [...new Set(`${rule.pattern.flags.replace('y', '')}dg`)].join(''));
  return {
    keywords: rule.keywords,
    caseSensitive: false,
    match(source, at) {
      const { text } = source;
      if (rule.scan) {
        const found = rule.scan(text, at);
        if (found) source.report(rule.name, found.start, found.end, 2, mask);
        return;
      }
      if (!pattern) return;
      const from = Math.max(text.lastIndexOf('\n', at) + 1, at - WINDOW_BEFORE, 0);
      const window = text.slice(from, Math.min(source.next('\n', at), at + WINDOW_AFTER));
      pattern.lastIndex = 0;
      for (let found = pattern.exec(window); found; found = pattern.exec(window)) {
        const [start, end] = found.indices?.groups?.secret ?? found.indices![0]!;
        source.report(rule.name, from + start, from + end, 2, mask);
        if (end === start) pattern.lastIndex += 1;
      }
    },
  };
}
