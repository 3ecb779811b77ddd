import { contentText, isToolResult, type Message, toolCallInput, toolCalls } from '@palimpsest/core';
import { eachIdentifier, failingLines, oneLine, readTurns } from '@palimpsest/salience';
import { appended, type Grounded, type GroundTruth } from './grounded.ts';

/** Of the budget, what anchors may take; and how many there may be. */
const share = 0.08;
const most = 60;
const mostErrors = 3;
/** How many identifiers are looked for in the summary. */
const looked = 400;
/** Characters of tool output that are read for anchors, the newest first; what was said and called is read throughout. Bounds the time. */
const outputRead = 200_000;
/** Of a text somebody said or a call says, to the end of the name that stands there. */
const spokenRead = 4_000;
const longestName = 200;
const label = 'Exact values:';

interface Tally {
  messages: number;
  last: number;
  spoken: boolean;
}

/**
 * Exact identifiers that the turns mention often or late and the summary lost are added, within bounds: paths, ids,
 * hashes, URLs, figures with units, and the newest unresolved error lines.
 */
export function addAnchors(grounded: Grounded, truth: GroundTruth): Grounded {
  const body = grounded.sections.join('\n');
  const messages = truth.source.messages.map(({ message }) => message);
  const newest = newestOutput(messages);
  const tallies = tally(messages, newest, truth.source.previousSummary);
  const total = messages.length + 1;
  const candidates = [...tallies]
    .filter(([, { messages: count, last, spoken }]) => count > 1 || spoken || last > total * 0.7)
    .map(([identifier, { messages: count, last, spoken }]) => ({
      identifier,
      worth: Math.log(1 + Math.min(count, 12)) * (spoken ? 1 : 0.4) * (0.3 + 0.7 * (last / total)),
    }));
  const best = mostWorth(candidates)
    .sort((a, b) => b.worth - a.worth || (a.identifier < b.identifier ? -1 : 1))
    .slice(0, looked)
    .filter(({ identifier }) => !body.includes(identifier));
  let room = truth.budgetTokens * share;
  const errors: string[] = [];
  for (const text of lostErrors(messages.slice(newest), body)) {
    const cost = truth.countText(text) + 3;
    if (cost > room / 2) continue;
    room -= cost;
    errors.push(`- ${oneLine(text)}`);
  }
  const added: string[] = [];
  for (const { identifier } of best) {
    const cost = truth.countText(identifier) + 2;
    if (cost > room || added.length >= most) break;
    room -= cost;
    added.push(`\`${identifier}\``);
  }
  const lines = [...errors, ...(added.length > 0 ? [`${label} ${added.join(', ')}`] : [])];
  if (lines.length === 0) return grounded;
  return {
    ...grounded,
    sections: appended(grounded.sections, truth.roles.place('context'), lines.join('\n'), truth.template),
  };
}

/** Those that can be among the first {@link looked}: to order what a whole session names takes longer than to read it. */
function mostWorth<One extends { readonly worth: number }>(all: readonly One[]): One[] {
  const least =
    Float64Array.from(all, ({ worth }) => worth)
      .sort()
      .at(-looked) ?? 0;
  return all.filter(({ worth }) => worth >= least);
}

/** Identifiers one would have to look up again: with a digit, a joint inside, or a path. */
function isExact(identifier: string): boolean {
  return identifier.length <= 120 && /\d|[/_@:]|\.\w/.test(identifier) && !/^\d{1,3}$/.test(identifier);
}

/** Index of the message from which on tool output is read. */
function newestOutput(messages: readonly Message[]): number {
  let at = messages.length;
  for (let read = 0; at > 0 && read < outputRead; at--)
    if (isToolResult(messages[at - 1]!)) read += contentText(messages[at - 1]!.content).length;
  return at;
}

/** Counts the identifiers of all that was said and called, and of tool output from the message `newest` on. */
function tally(messages: readonly Message[], newest: number, previous: string | null): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  const count = (identifiers: readonly string[], at: number, spoken: boolean): void => {
    for (const identifier of identifiers) {
      const known = tallies.get(identifier);
      if (!known) tallies.set(identifier, { messages: 1, last: at, spoken });
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
    if (spoken || index >= newest) count(namedIn(message, spoken), index + 1, spoken);
  });
  return tallies;
}

// What a summarizer may see of a message is made once and never changed: the next compression finds the same names in it.
const named = new WeakMap<Message, readonly string[]>();

/** The exact identifiers in a message, each once. */
function namedIn(message: Message, spoken: boolean): readonly string[] {
  const known = named.get(message);
  if (known) return known;
  const text = contentText(message.content);
  const found = spoken ? exactIn([text, ...toolCalls(message).map(toolCallInput)].map(beginningOf)) : exactIn([text]);
  named.set(message, found);
  return found;
}

/** A name cut off would be given as an exact value, and is none. */
function beginningOf(text: string): string {
  const rest = text.slice(spokenRead, spokenRead + longestName).search(/[^\w$@~/.:#%+=?&-]/);
  return text.slice(0, spokenRead + (rest < 0 ? longestName : rest));
}

function exactIn(texts: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) eachIdentifier(text, (identifier) => found.add(identifier));
  return [...found].filter(isExact);
}

function lostErrors(messages: readonly Message[], body: string): string[] {
  const failing = failingLines(readTurns(messages, () => true)).filter(
    (one) => !one.resolved && !body.includes(one.text),
  );
  return [...new Set(failing.reverse().map((one) => one.text))].slice(0, mostErrors);
}
