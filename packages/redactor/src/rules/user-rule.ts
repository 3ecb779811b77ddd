import type { Matcher } from '../scan/matcher.ts';
import { checkLinear } from './check-linear.ts';

/** A custom rule that finds one kind of secret. Create it with {@link defineRule}, which checks it. */
export interface Rule {
  /** The `kind` of its findings. */
  readonly name: string;
  /** Literals of at least 2 characters. Every secret of this kind must contain one or be near one. ASCII case is ignored. */
  readonly keywords: readonly string[];
  /**
   * Matches the secret. Applied to the line of each keyword, from 128 characters before the keyword to 1,024 after its start.
   * If it has a group named `secret`, only that group is masked. A string is compiled without flags.
   */
  readonly pattern?: RegExp | string | undefined;
  /** Alternative to `pattern`: called with the text and the index of a keyword; returns the range of the secret, or null. */
  readonly scan?: ((text: string, at: number) => { readonly start: number; readonly end: number } | null) | undefined;
  /** Replaces the standard mask: a fixed text, or a function of the secret. Must not reveal the secret. */
  readonly mask?: string | ((secret: string) => string) | undefined;
}

const windowBefore = 128;
const windowAfter = 1024;
/** A keyword within this distance of the previous one is already covered by its window. */
const searched = 512;

function refuse(rule: Rule, why: string): never {
  throw new TypeError(`Rule "${rule.name}" is invalid: ${why}`);
}

function compile(rule: Rule, pattern: RegExp | string): RegExp {
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern);
  } catch (error) {
    return refuse(rule, `its pattern does not compile (${(error as Error).message}).`);
  }
  if (compiled.test('')) refuse(rule, 'its pattern matches the empty string. Require at least one character.');
  const why = checkLinear(compiled);
  if (why) refuse(rule, `its pattern could take more than linear time, because it ${why}. Simplify it, or use scan.`);
  return compiled;
}

/**
 * Checks a custom rule and returns it.
 * @throws {TypeError} if a keyword is missing or shorter than 2 characters, if neither or both of `pattern` and `scan` are
 * set, or if the pattern does not compile, matches the empty string or could take more than linear time. The message names
 * the rule and what to fix.
 */
export function defineRule(rule: Rule): Rule {
  if (!rule.keywords?.length || rule.keywords.some((keyword) => keyword.length < 2)) {
    refuse(rule, 'it needs keywords, each of at least 2 characters.');
  }
  if ((rule.pattern === undefined) === (rule.scan === undefined))
    refuse(rule, 'it needs either pattern or scan, not both.');
  if (rule.pattern === undefined) return rule;
  return { ...rule, pattern: compile(rule, rule.pattern) };
}

/** Checks a custom rule and converts it to a matcher. */
export function toMatcher(given: Rule): Matcher {
  const rule = defineRule(given);
  const { name, keywords, scan, mask: wanted } = rule;
  const mask = typeof wanted === 'string' ? () => wanted : wanted;
  if (scan) {
    return {
      keywords,
      match(state, at) {
        const found = scan(state.text, at);
        if (found)
          state.report({
            kind: name,
            start: Math.max(0, found.start),
            end: Math.min(state.text.length, found.end),
            weight: 2,
            mask,
          });
      },
    };
  }
  const { source: pattern, flags } = rule.pattern as RegExp;
  const search = new RegExp(pattern, `${flags.replace(/[gyd]/g, '')}gd`);
  return {
    keywords,
    match(state, at) {
      const { text } = state;
      if (at < (state.searched.get(name) ?? 0)) return;
      const before = text.slice(Math.max(0, at - windowBefore), at);
      const from = at - before.length + before.lastIndexOf('\n') + 1;
      const to = Math.min(state.next('\n', at), at + windowAfter);
      state.searched.set(name, Math.min(to, at + searched));
      search.lastIndex = 0;
      const window = text.slice(from, to);
      for (let found = search.exec(window); found; found = search.exec(window)) {
        const [start, end] = found.indices?.groups?.secret ?? found.indices![0]!;
        state.report({ kind: name, start: from + start, end: from + end, weight: 2, mask });
      }
    },
  };
}
