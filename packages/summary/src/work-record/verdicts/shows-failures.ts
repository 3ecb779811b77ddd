import type { ScriptCommand } from './script-commands.ts';

/** Minimum lines of a cut output; `head` shows a shorter output in full. */
const shortOutput = 10;

/** True if a failure of the command at an index would still be visible after the filters in its pipeline. */
export function showsFailures(commands: readonly ScriptCommand[], at: number, lines: readonly string[]): boolean {
  for (let next = at + 1; commands[next]?.follows === '|'; next++) {
    const { words, text } = commands[next]!;
    const filter = words[0] ?? '';
    if (filter === 'head' && lines.length >= shortOutput) return false;
    if (/^[ef]?grep$|^rg$/.test(filter) && !/\s-\w{0,6}v|fail|error/i.test(text)) return false;
    if (!/^(?:tail|cat|tee|head|[ef]?grep|rg|sed|uniq)$/.test(filter)) return false;
  }
  return true;
}
