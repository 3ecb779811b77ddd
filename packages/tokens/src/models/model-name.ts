/** A normalized model name, without host prefixes and dates. */
export interface ModelName {
  /** Name in lower case, with hyphens for dots between digits: `claude-sonnet-4-6`, `gpt-4-1-mini`. */
  readonly name: string;
  /** Model family, recognized by the beginning of the name. */
  readonly family: 'claude' | 'openai' | 'gemini' | 'other';
  /** Major version plus a tenth of the minor version, of which 9 is the largest: 4.5 is 4.5, and 4.10 is 4.9. 0 if the name has none. */
  readonly version: number;
}

/**
 * Normalizes a model name in any common form: `claude-opus-4-8`, `anthropic/claude-sonnet-4.6`,
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `gpt-4o-2024-11-20`, `models/gemini-2.5-flash`.
 */
export function readModelName(given: string): ModelName {
  const bare = String(given)
    .toLowerCase()
    .replaceAll('%3a', ':')
    .replace(/^.*\//, '')
    .replace(/^(?:us|eu|apac|jp|au|global)\./, '')
    .replace(/^[a-z]+\.(?=[a-z])/, '')
    .replace(/@.*$/, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/:[a-z]+$/, '')
    .replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d|\d\d-20\d\d)\b/, '')
    .replace(/-(?:latest|preview(?:-\d\d-\d\d)?|exp)$/, '');
  const name = bare.replace(/(\d)\.(\d)/g, '$1-$2');
  const family = /^claude/.test(name)
    ? 'claude'
    : /^(?:gpt|chatgpt|o\d|codex)/.test(name)
      ? 'openai'
      : /^gemini/.test(name)
        ? 'gemini'
        : 'other';
  const found = /(?:^|[a-z-])(\d{1,2})(?:-(\d{1,2}))?(?![\da-z])/.exec(name) ?? /(\d+)/.exec(name);
  const version = found ? Number(found[1]) + Math.min(Number(found[2] ?? 0), 9) / 10 : 0;
  return { name, family, version };
}
