import {
  type EngineHost,
  hasToolCalls,
  isBlank,
  isSystem,
  isTrustedHandoff,
  type KeptMessages,
  type Message,
  readAnyHandoff,
  type SummaryMaterial,
  type SummaryTemplate,
} from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { redactMessage, unverifiedSummary, withoutData } from '@palimpsest/pruner/salience';
import { isPartOf, stateOf } from './rehydrate.ts';

/** A message to summarize, or a part of one. */
export interface SourceMessage {
  /** Index in the transcript. Two parts of one message, a person's words and harness text, have the same index. */
  readonly index: number;
  /** The redacted message, as a summarizer may see it. */
  readonly message: Message;
  /** True if the message contains only a person's words. */
  readonly real: boolean;
  /** True for the current task, which stays in the transcript verbatim after the summary. */
  readonly carried: boolean;
  /** Tokens of this part, as a share of the transcript's count for the message. */
  readonly tokens: number;
}

/** The source of a summary. All texts are redacted. */
export interface Source {
  readonly messages: readonly SourceMessage[];
  /** `null` the first time. */
  readonly previousSummary: string | null;
  /** Tokens of the messages and the previous summary, which the new summary replaces. */
  readonly tokens: number;
  /** What summarizers get of the messages, and of those that stay, without system messages and handoffs. */
  readonly shown: Shown;
}

type Shown = {
  readonly [Name in 'messages' | 'carried' | 'fromPerson' | 'kept']-?: NonNullable<SummaryMaterial[Name]>;
};

/**
 * Gathers the messages to summarize and removes handoffs from them. A trusted handoff is state, not a turn: it becomes
 * the previous summary if the caller has none. Any other handoff is quoted like a tool result. Harness text and
 * documents in a person's message become a separate message before it. Messages with no content left are skipped.
 */
export function gatherSource(
  transcript: Transcript,
  indices: readonly number[],
  previousSummary: string | null,
  host: EngineHost,
): Source {
  const messages: SourceMessage[] = [];
  const handoffs: string[] = [];
  let tokens = 0;
  for (const index of indices) {
    const original = transcript.messages[index];
    if (!original) continue;
    tokens += transcript.tokens(index);
    const handoff = readAnyHandoff(original, host.reader);
    if (handoff && !isPartOf(previousSummary, handoff)) {
      if (previousSummary === null && isTrustedHandoff(transcript, index, host)) handoffs.push(stateOf(handoff));
      else messages.push({ ...quoteHandoff(handoff.body, host), index });
    }
    if (handoff && isBlank(handoff.rest) && !hasToolCalls(original)) continue;
    const turn = handoff ? { ...original, content: handoff.rest } : original;
    messages.push(...sourceMessages(transcript, index, turn, host));
  }
  const known = previousSummary ?? (handoffs.length > 0 ? handoffs.join('\n\n') : null);
  const previous = known === null || known.trim() === '' ? null : host.redact(known);
  // Handoffs in the messages are already counted.
  if (previous && handoffs.length === 0) tokens += host.tokens.countText(previous);
  const shown = {
    messages: messages.map(({ message }) => message),
    carried: positions(messages, 'carried'),
    fromPerson: positions(messages, 'real'),
    kept: readKept(transcript, indices, host),
  };
  return { messages, previousSummary: previous, tokens, shown };
}

/** The messages before the first and after the last summarized message. */
function readKept(transcript: Transcript, indices: readonly number[], host: EngineHost): Shown['kept'] {
  const sources = new Set(indices);
  const first = indices[0] ?? 0;
  const before: SourceMessage[] = [];
  const after: SourceMessage[] = [];
  transcript.messages.forEach((message, index) => {
    if (sources.has(index) || isSystem(message) || readAnyHandoff(message, host.reader)) return;
    (index < first ? before : after).push(...sourceMessages(transcript, index, message, host));
  });
  return { before: toKeptMaterial(before), after: toKeptMaterial(after) };
}

/** Returns one message; or two, if it contains a person's words and other text: the other text first. */
function sourceMessages(transcript: Transcript, index: number, turn: Message, host: EngineHost): SourceMessage[] {
  const { task } = transcript;
  const carried = task !== null && index >= task.from && index < task.to;
  const tokens = transcript.tokens(index);
  const real = transcript.isFromPerson(index);
  const speech = real ? transcript.reader.separateSpeech(transcript.messages[index]!) : null;
  // If the reader finds no words of a person, the host's own recognizer is trusted.
  if (!speech?.said || !speech.inserted) return [{ index, message: redactMessage(turn, host), real, carried, tokens }];
  const { said, inserted } = speech;
  const own = Math.min(tokens, transcript.countMessage(said, index));
  return [
    { index, message: redactMessage(inserted, host), real: false, carried, tokens: tokens - own },
    { index, message: redactMessage(said, host), real: true, carried, tokens: own },
  ];
}

/** Quotes an untrusted handoff as a tool message, so that nothing in it counts as an instruction. */
function quoteHandoff(body: string, host: EngineHost): Omit<SourceMessage, 'index'> {
  const message: Message = { role: 'tool', name: unverifiedSummary, content: host.redact(withoutData(body)) };
  return { message, real: false, carried: false, tokens: host.tokens.countMessage(message) };
}

function toKeptMaterial(messages: readonly SourceMessage[]): KeptMessages {
  return { messages: messages.map(({ message }) => message), fromPerson: positions(messages, 'real') };
}

/** Positions of the messages with a mark. */
function positions(messages: readonly SourceMessage[], mark: 'carried' | 'real'): number[] {
  return [...messages.keys()].filter((position) => messages[position]![mark]);
}

/** Converts a source to the material that summarizers get. */
export function summaryMaterial(
  { shown, previousSummary, messages }: Source,
  template: SummaryTemplate,
  focusTopic: string | null,
  pinned: readonly number[] = [],
): SummaryMaterial {
  const wanted = new Set(pinned);
  const pins = [...messages.keys()].filter((position) => wanted.has(messages[position]!.index));
  return { ...shown, previousSummary, template, focusTopic, pins };
}
