import type { Handoff } from '@palimpsest/core';

/**
 * How other systems begin the summaries they insert: Hermes Agent, in user or assistant messages (`[CONTEXT COMPACTION`
 * with either dash, in older versions `[CONTEXT SUMMARY]:`), and Claude Code. Such summaries are not requests.
 */
const openings: readonly RegExp[] = [
  /^\s{0,8}\[CONTEXT SUMMARY\]:?[ \t]*\n?/,
  /^\s{0,8}\[CONTEXT COMPACTION(?:[ \t]{0,4}[-\u2013\u2014][^\]\n]{0,80})?\][^\n]*\n?/,
  /^\s{0,8}This session is being continued from a previous conversation[^\n]*\n?/,
];

/** Hermes Agent's end mark, with either dash; the text after it is the user's own message. */
const hermesEnd: RegExp = /\n{0,2}--- END OF CONTEXT SUMMARY\b[^\n]{0,200}---[ \t]*(?:\n{1,2}|$)/;

/**
 * Typical contents of those summaries: the headings of Hermes Agent, this library and Claude Code, or the sentence that
 * follows the opening. Required as well, because a person may begin a request with the same words.
 */
const contents: RegExp = new RegExp(
  [
    String.raw`^[ \t]{0,3}(?:#{1,4}[ \t]+|\*\*)(?:\d{1,2}\. )?(?:(?:Historical|Active|Current|Open|Standing|Key|Prior) )?(?:Tasks?|Goals?|Objectives?|Constraints|Preferences|Instructions|Completed|Progress|In[ -]Progress|Done|Blocked|State|Decisions|Discoveries|Accomplished|Resolved|Pending|Relevant|Remaining|Next Steps|Critical Context|Context|Notes|Summary|User)\b`,
    String.raw`^[ \t]{0,3}(?:</?(?:analysis|summary)>|(?:Analysis|Summary):[ \t]*$)`,
    String.raw`^[ \t]{0,3}(?:\d{1,2}\.[ \t]+)?(?:\*\*)?(?:Primary Request and Intent|Key Technical Concepts|All user messages|Pending Tasks|Current Work)\b`,
    String.raw`^[ \t]{0,8}\[CONTEXT COMPACTION[^\]\n]{0,80}\][ \t]{0,4}Earlier turns\b[^\n]{0,80}\bcompacted\b`,
    String.raw`^[ \t]{0,8}This session is being continued[^\n]{0,120}\. The (?:conversation is summarized|summary(?: is)?) below\b`,
  ].join('|'),
  'im',
);

/** Reads another system's summary from a text: version 0, its body, and the text after its end mark. */
export function readForeignHandoff(text: string): Handoff | null {
  for (const opening of openings) {
    const found = opening.exec(text);
    const end = found && hermesEnd.exec(text);
    if (!found || !(end || contents.test(text))) continue;
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
