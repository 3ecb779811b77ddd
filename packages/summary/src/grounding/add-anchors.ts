import { contentText, isToolResult, type Message, toolCallInput, toolCalls } from '@palimpsest/core';
import { eachIdentifier, failingLines, oneLine, readTurns } from '@palimpsest/pruner/salience';
import { remembering } from '../source/remembering.ts';
import { appended, type Grounded, type GroundTruth } from './grounded.ts';

/** Maximum share of the budget for anchors. */
const share = 0.08;
const mostAnchors = 60;
const mostErrors = 3;
/** Maximum number of candidates to search for in the summary. */
const mostCandidates = 400;
/** Occurrences in more messages than this do not increase the worth. */
const mostCounted = 12;
/** Worth of an identifier by the number of messages that contain it. */
const frequencyWorth: readonly number[] = Array.from({ length: mostCounted + 1 }, (_, count) => Math.log(1 + count));
/** Maximum amount of tool output to search for anchors, newest first, to bound the time. Characters. */
const outputSearched = 200_000;
/** Maximum amount of any other text to search, extended to the end of the name at the cut. Characters. */
const textSearched = 4_000;
const longestName = 200;
const label = 'Exact values:';

/** How often and where an identifier occurs. */
interface Occurrence {
  messages: number;
  /** Position of the newest message, from 1; 0 for the previous summary. */
  last: number;
  /** True if the identifier occurs outside tool output. */
  spoken: boolean;
}

/**
 * Adds anchors that the summary lacks, within a share of the budget: exact identifiers that occur often or late, such
 * as paths, ids, hashes, URLs and numbers, and the newest unresolved errors.
 */
export function addAnchors(grounded: Grounded, truth: GroundTruth): Grounded {
  const { source, countText, budgetTokens } = truth;
  const body = grounded.sections.join('\n');
  const { messages } = source.shown;
  const newest = newestOutput(messages);
  let room = budgetTokens * share;
  const lines: string[] = [];
  for (const text of lostErrors(messages.slice(newest), body)) {
    const cost = countText(text) + 3;
    if (cost > room / 2) continue;
    room -= cost;
    lines.push(`- ${oneLine(text)}`);
  }
  const anchors: string[] = [];
  for (const identifier of bestIdentifiers(occurrences(messages, newest, source.previousSummary), messages.length)) {
    if (body.includes(identifier)) continue;
    const cost = countText(identifier) + 2;
    if (cost > room || anchors.length >= mostAnchors) break;
    room -= cost;
    anchors.push(`\`${identifier}\``);
  }
  if (anchors.length > 0) lines.push(`${label} ${anchors.join(', ')}`);
  if (lines.length === 0) return grounded;
  const sections = appended(grounded.sections, truth.roles.place('context'), lines.join('\n'), truth.template);
  return { ...grounded, sections };
}

/**
 * Returns the identifiers of the highest worth, best first.
 * @param length number of messages
 */
function bestIdentifiers(all: ReadonlyMap<string, Occurrence>, length: number): string[] {
  const total = length + 1;
  const candidates: { readonly identifier: string; readonly worth: number }[] = [];
  for (const [identifier, { messages: count, last, spoken }] of all) {
    if (count <= 1 && !spoken && last <= total * 0.7) continue;
    const frequency = frequencyWorth[Math.min(count, mostCounted)]!;
    candidates.push({ identifier, worth: frequency * (spoken ? 1 : 0.4) * (0.3 + 0.7 * (last / total)) });
  }
  return best(candidates)
    .sort((a, b) => b.worth - a.worth || (a.identifier < b.identifier ? -1 : 1))
    .slice(0, mostCandidates)
    .map(({ identifier }) => identifier);
}

/**
 * Returns the candidates that can be among the best {@link mostCandidates}. Sorting all identifiers of a session would
 * take longer than reading it.
 */
function best<Candidate extends { readonly worth: number }>(all: readonly Candidate[]): Candidate[] {
  const least =
    Float64Array.from(all.map(({ worth }) => worth))
      .sort()
      .at(-mostCandidates) ?? 0;
  return all.filter(({ worth }) => worth >= least);
}

/** Matches what looks exact and tells nothing: a short number, `/dev/null`, the `/theme.go` of `"$P"/theme.go`. */
const inexact: RegExp = /^(?:\d{1,3}|\/dev\/\w+|\/[\w-]+\.\w{1,5})$/;
/** Matches the number of a line in the output of a tool. */
const lineNumbers: RegExp = /^[ \t]{0,8}\d{1,7}(?=[\t\u2192|]|:(?!\d))/gm;

/**
 * True for an identifier that would have to be looked up again: it contains a digit or an inner separator, or is a
 * path.
 */
function isExact(identifier: string): boolean {
  return identifier.length <= 120 && /\d|[/_@:]|\.\w/.test(identifier) && !inexact.test(identifier);
}

/** Index of the first message whose tool output is searched. */
function newestOutput(messages: readonly Message[]): number {
  let at = messages.length;
  for (let read = 0; at > 0 && read < outputSearched; at--)
    if (isToolResult(messages[at - 1]!)) read += contentText(messages[at - 1]!.content).length;
  return at;
}

/** Counts the identifiers in all messages; tool output is included only from message `newest` on. */
function occurrences(messages: readonly Message[], newest: number, previous: string | null): Map<string, Occurrence> {
  const all = new Map<string, Occurrence>();
  const count = (identifiers: readonly string[], at: number, spoken: boolean): void => {
    for (const identifier of identifiers) {
      const known = all.get(identifier);
      if (!known) all.set(identifier, { messages: 1, last: at, spoken });
      else {
        known.messages++;
        known.last = at;
        known.spoken ||= spoken;
      }
    }
  };
  if (previous !== null) count(exactIn([previous]), 0, true);
  messages.forEach((message, index) => {
    const spoken = !isToolResult(message);
    if (spoken || index >= newest) count(identifiersOf(message), index + 1, spoken);
  });
  return all;
}

/** The distinct exact identifiers in a message. */
const identifiersOf = /* @__PURE__ */ remembering((message): readonly string[] => {
  const text = contentText(message.content);
  return isToolResult(message)
    ? exactIn([text.replace(lineNumbers, '')])
    : exactIn([text, ...toolCalls(message).map(toolCallInput)].map(beginningOf));
});

/** The beginning of a text. The cut does not split a name, because half of a name would be a wrong value. */
function beginningOf(text: string): string {
  if (text.length <= textSearched) return text;
  const rest = text.slice(textSearched, textSearched + longestName).search(/[^\w$@~/.:#%+=?&-]/);
  return text.slice(0, textSearched + (rest < 0 ? longestName : rest));
}

function exactIn(texts: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) eachIdentifier(text, (identifier) => found.add(identifier));
  return [...found].filter(isExact);
}

/** The newest unresolved errors that the summary does not contain. */
function lostErrors(messages: readonly Message[], body: string): string[] {
  const failing = failingLines(readTurns(messages, () => true)).filter(
    (one) => !one.resolved && !body.includes(one.text),
  );
  return [...new Set(failing.reverse().map((one) => one.text))].slice(0, mostErrors);
}
