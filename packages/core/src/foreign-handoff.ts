import type { Handoff } from './handoff.ts';

/**
 * How other systems mark the summary they insert: Hermes Agent (`[CONTEXT COMPACTION` with either dash, before that
 * `[CONTEXT SUMMARY]:`), and Claude Code. What they wrote is state to carry on, never a request.
 */
const openings: readonly RegExp[] = [
  /^\s{0,8}\[CONTEXT SUMMARY\]:?[ \t]*\n?/,
  /^\s{0,8}\[CONTEXT COMPACTION(?:[ \t]{0,4}[-\u2013\u2014][^\]\n]{0,80})?\][^\n]*\n?/,
  /^\s{0,8}This session is being continued from a previous conversation[^\n]*\n?/,
];

/** Hermes Agent's end mark, with either dash; what follows it is the user's own message. */
const hermesEnd: RegExp = /\n{0,2}--- END OF CONTEXT SUMMARY\b[^\n]{0,200}---[ \t]*(?:\n{1,2}|$)/;

/** Reads another system's summary from a user text: version 0, its body, and the text behind its end mark. */
export function readForeignHandoff(text: string): Handoff | null {
  for (const opening of openings) {
    const found = opening.exec(text);
    if (!found) continue;
    const end = hermesEnd.exec(text);
    const start = found[0].length;
    if (!end || end.index < start - 1) return { version: 0, body: text.slice(start).trim(), rest: '' };
    return {
      version: 0,
      body: text.slice(start, Math.max(start, end.index)).trim(),
      rest: text.slice(end.index + end[0].length),
    };
  }
  return null;
}
