import { type EngineHost, hasToolCalls, isBlank, isTrustedHandoff, type Message, readHandoff } from '@palimpsest/core';
import { separateSpeech, type Transcript } from '@palimpsest/core/authoring';
import { redactedMessage, unverifiedSummary, withoutData } from '@palimpsest/salience';
import { isPartOf, stateOf } from './rehydrate.ts';

/** One message to condense. */
export interface SourceMessage {
  /** Index in the transcript. Two share one if a message held both a person's words and harness text. */
  readonly index: number;
  /** What a writer may see of it. */
  readonly message: Message;
  /** True if it holds only what a person typed. */
  readonly real: boolean;
  /** True for the current request: whatever becomes of the rest, it stands behind the summary word for word. */
  readonly carried: boolean;
  /** Of the whole message, as the transcript counts it. */
  readonly tokens: number;
}

/** What a summary is written from. Everything in it is redacted. */
export interface Source {
  readonly messages: readonly SourceMessage[];
  /** The summary so far; `null` the first time. */
  readonly previousSummary: string | null;
  /** Tokens of what is replaced: the messages and the summary so far. */
  readonly tokens: number;
}

/**
 * Gathers the messages to condense and cuts handoffs out of them. A trusted handoff is state, not a turn: it becomes
 * the previous summary if the caller has none. Any other handoff is quoted like a tool result. Harness text and
 * documents beside a person's words become a separate message before them. Messages with nothing left are skipped.
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
  const { request } = transcript;
  for (const index of indices) {
    const original = transcript.messages[index];
    if (!original) continue;
    const size = transcript.tokens(index);
    tokens += size;
    const handoff = readHandoff(original);
    if (handoff && !isPartOf(previousSummary, handoff)) {
      if (previousSummary === null && isTrustedHandoff(transcript, index, host)) handoffs.push(stateOf(handoff));
      else messages.push({ ...quotedHandoff(handoff.body, host), index });
    }
    if (handoff && isBlank(handoff.rest) && !hasToolCalls(original)) continue;
    const whole = handoff ? restOf(original, handoff.rest) : original;
    const carried = request !== null && index >= request.from && index < request.to;
    const add = (message: Message, real: boolean, tokens: number): void => {
      messages.push({ index, message: redactedMessage(message, host), real, carried, tokens });
    };
    if (!transcript.isRequest(index)) {
      add(whole, false, size);
      continue;
    }
    const { said, inserted } = separateSpeech(original);
    // If the default rules find no words of a person, the host's own recognizer is trusted.
    if (!said || !inserted) {
      add(whole, true, size);
      continue;
    }
    const own = Math.min(size, transcript.countMessage(said, index));
    add(inserted, false, size - own);
    add(said, true, own);
  }
  const known = previousSummary ?? (handoffs.length > 0 ? handoffs.join('\n\n') : null);
  const previous = known === null || known.trim() === '' ? null : host.redact(known);
  if (previous && handoffs.length === 0) tokens += host.tokens.countText(previous);
  return { messages, previousSummary: previous, tokens };
}

/** Quotes an untrusted handoff as a tool message, so that nothing in it counts as an instruction. */
function quotedHandoff(body: string, host: EngineHost): Omit<SourceMessage, 'index'> {
  const message: Message = { role: 'tool', name: unverifiedSummary, content: host.redact(withoutData(body)) };
  return { message, real: false, carried: false, tokens: host.tokens.countMessage(message) };
}

function restOf(message: Message, rest: Message['content']): Message {
  return { ...message, content: rest };
}
