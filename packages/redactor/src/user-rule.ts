import { whyNotLinear } from './linear.ts';
import type { Matcher } from './rule.ts';

/** A rule of a user's own. Make one with {@link defineRule}, which checks it. */
export interface Rule {
  /** The `kind` of its findings. */
  readonly name: string;
  /** Literals of at least 2 characters, one of which stands in or beside every secret of this kind. ASCII case is ignored. */
  readonly keywords: readonly string[];
  /**
   * Matches the secret. Searched for around each keyword: on its line, from 128 characters before it to 1,024 after.
   * A group named `secret` narrows what is masked. Text is compiled without flags.
   */
  readonly pattern?: RegExp | string | undefined;
  /** Instead of a pattern: told the text and where a keyword stands, answers where the secret stands, or null. */
  readonly scan?: ((text: string, at: number) => { readonly start: number; readonly end: number } | null) | undefined;
  /** Replaces the standard mask: a fixed text, or one made from the secret. Must not bring back what it hides. */
  readonly mask?: string | ((secret: string) => string) | undefined;
}

const WINDOW_BEFORE = 128;
const WINDOW_AFTER = 1024;
/** Keywords so far into a window already searched need no window of their own. */
const SEARCHED = 512;

function refuse(rule: Rule, why: string): never {
  throw new TypeError(`Rule "${rule.name}" is refused: ${why}`);
}

function compile(rule: Rule, pattern: RegExp | string): RegExp {
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern);
  } catch (error) {
    return refuse(rule, `its pattern does not compile (${(error as Error).message}).`);
  }
  if (compiled.test('')) refuse(rule, 'its pattern matches the empty text.');
  const why = whyNotLinear(compiled);
  if (why) refuse(rule, `its pattern may not be linear: it ${why}.`);
  return compiled;
}

/**
 * Checks a rule and returns it. Throws a `TypeError` that says what to mend when the rule has no literal
 * keyword of at least 2 characters, neither or both of `pattern` and `scan`, or a pattern that does not compile,
 * matches the empty text or could take more than linear time.
 */
export function defineRule(rule: Rule): Rule {
  if (!rule.keywords?.length || rule.keywords.some((keyword) => keyword.length < 2)) {
    refuse(rule, 'it needs keywords of at least 2 characters.');
  }
  if ((rule.pattern === undefined) === (rule.scan === undefined)) refuse(rule, 'it needs either pattern or scan.');
  if (rule.pattern === undefined) return rule;
  return { ...rule, pattern: compile(rule, rule.pattern) };
}

/** The rule as a matcher of the one pass; checks it first. */
export function matcherOf(given: Rule): Matcher {
  const rule = defineRule(given);
  const { name, keywords, scan, mask: wanted } = rule;
  const mask = typeof wanted === 'string' ? () => wanted : wanted;
  if (scan) {
    return {
      keywords,
      match(source, at) {
        const found = scan(source.text, at);
        if (found) source.report(name, Math.max(0, found.start), Math.min(source.text.length, found.end), 2, mask);
      },
    };
  }
  const { source: pattern, flags } = rule.pattern as RegExp;
  const search = new RegExp(pattern, `${flags.replace(/[gyd]/g, '')}gd`);
  return {
    keywords,
    match(source, at) {
      const { text } = source;
      if (at < (source.searched.get(name) ?? 0)) return;
      const before = text.slice(Math.max(0, at - WINDOW_BEFORE), at);
      const from = at - before.length + before.lastIndexOf('\n') + 1;
      const to = Math.min(source.next('\n', at), at + WINDOW_AFTER);
      source.searched.set(name, Math.min(to, at + SEARCHED));
      search.lastIndex = 0;
      const window = text.slice(from, to);
      for (let found = search.exec(window); found; found = search.exec(window)) {
        const [start, end] = found.indices?.groups?.secret ?? found.indices![0]!;
        source.report(name, from + start, from + end, 2, mask);
      }
    },
  };
}
