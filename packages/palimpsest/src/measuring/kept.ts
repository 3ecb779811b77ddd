import type { Message } from '@palimpsest/core';
import { filesChanged } from '@palimpsest/eval/continuation/changed-files';
import { filesIn } from '@palimpsest/eval/continuation/kept-files';
import { readCompactedOutput } from '@palimpsest/eval/continuation/output-reading';
import { messagesIn, userLog } from '@palimpsest/eval/continuation/user-log';
import { identifiersIn } from '@palimpsest/eval/future/identifier-occurrences';
import { textsOf } from '@palimpsest/eval/transcripts/texts';

/** A count out of a total. */
export interface Share {
  readonly kept: number;
  readonly of: number;
}

/** A count out of a total, with names of what was not kept. */
export interface NamedShare extends Share {
  /** At most 100 names. */
  readonly lost: readonly string[];
}

/** What an output keeps of a transcript, by the measures of `@palimpsest/eval`. */
export interface Kept {
  /** Messages that a person wrote, by their beginnings. */
  readonly userMessages: Share;
  /** Files that the agent changed and that the output says are changed. */
  readonly changedFiles: NamedShare;
  /** Exact names from user and assistant messages that still appear anywhere in the output. */
  readonly names: NamedShare;
}

/** Maximum number of names in {@link NamedShare}. */
const maxNames = 100;

/** Measures what an output keeps of a transcript. */
export function measureKept(input: readonly Message[], output: readonly Message[]): Kept {
  const reading = readCompactedOutput(output);
  const log = userLog(input);
  const files = filesChanged(input);
  const present = new Set(output.flatMap(namesIn));
  return {
    userMessages: { kept: messagesIn(log, reading).length, of: log.length },
    changedFiles: shareOfNames(
      files.map(({ path }) => path),
      new Set(filesIn(files, reading).map(({ path }) => path)),
    ),
    names: shareOfNames([...firstMentions(input).keys()], present),
  };
}

function shareOfNames(wanted: readonly string[], found: ReadonlySet<string>): NamedShare {
  const lost = wanted.filter((name) => !found.has(name));
  return { kept: wanted.length - lost.length, of: wanted.length, lost: lost.slice(0, maxNames) };
}

const known = new WeakMap<Message, readonly string[]>();

/** The exact names in a message: paths, identifiers, hashes, URLs, and figures with a unit. */
export function namesIn(message: Message): readonly string[] {
  const read = known.get(message);
  if (read) return read;
  const all = textsOf(message, false).flatMap((text) => identifiersIn(text).map(({ name }) => name));
  // Bare numbers, such as durations in a log, would hide what can be recognized.
  const names = all.filter((name) => /\D/.test(name));
  known.set(message, names);
  return names;
}

/** The exact names in user and assistant messages, each with the index of the first message that has it. */
export function firstMentions(messages: readonly Message[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  messages.forEach((message, at) => {
    if (message.role !== 'user' && message.role !== 'assistant') return;
    for (const name of namesIn(message)) if (!first.has(name)) first.set(name, at);
  });
  return first;
}
