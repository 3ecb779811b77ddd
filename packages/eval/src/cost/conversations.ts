import { agentReader } from '@palimpsest/agents';
import type { Message, TokenCounter } from '@palimpsest/core';
import { type Half, halfOf, type NamedTranscript } from '../transcripts/named-transcript.ts';

/** A recorded conversation, as its requests are replayed. */
export interface Conversation {
  readonly name: string;
  readonly half: Half;
  /** All messages as they are sent: without reasoning, which providers leave out of later prompts. */
  readonly messages: readonly Message[];
  /** Tokens of the whole conversation. */
  readonly tokens: number;
  readonly requests: readonly RecordedRequest[];
}

/** A request that the agent made. */
interface RecordedRequest {
  /** Number of messages before the answer. */
  readonly at: number;
  /** Tokens of the answer, with its reasoning. */
  readonly outputTokens: number;
  /** Simulated time, in milliseconds since the start. */
  readonly sentAt: number;
}

/** Assumed times, because the transcripts have none: a step of the agent, and the pauses before a person's messages in turn. */
export const stepMs = 20_000;
export const pausesMs: readonly number[] = [60_000, 600_000];

/** True for a user message with a person's words. */
export const isPersonsMessage = (message: Message): boolean =>
  message.role === 'user' && agentReader.separateSpeech(message).said !== null;

/**
 * Reads a transcript as a conversation.
 * @param overheadTokens tokens of a system prompt and tools that the transcript does not have; a filler stands for them
 */
export function conversationOf(
  { name, messages }: NamedTranscript,
  overheadTokens: number,
  counter: TokenCounter,
): Conversation {
  const system: Message[] = overheadTokens > 0 ? [{ role: 'system', content: fillerOf(overheadTokens) }] : [];
  const sent = messages.map((message) => ({ ...message, reasoning_content: undefined }));
  const requests: RecordedRequest[] = [];
  let sentAt = 0;
  let pauses = 0;
  for (const [at, message] of messages.entries()) {
    if (isPersonsMessage(message)) sentAt += pausesMs[pauses++ % pausesMs.length]!;
    if (message.role !== 'assistant' || at === 0) continue;
    sentAt += stepMs;
    requests.push({ at: at + system.length, outputTokens: outputTokensOf(message, counter), sentAt });
  }
  const all = [...system, ...sent];
  const tokens = all.reduce((total, message) => total + counter.countMessage(message), 0);
  return { name, half: halfOf(name), messages: all, tokens, requests };
}

function outputTokensOf(message: Message, counter: TokenCounter): number {
  const { reasoning_content: reasoning, ...spoken } = message;
  return (
    counter.countMessage(spoken) + (reasoning ? counter.countMessage({ role: 'assistant', content: reasoning }) : 0)
  );
}

/** Text of about so many tokens. */
function fillerOf(tokens: number): string {
  const words = Array.from({ length: tokens }, (_, at) => `tool${at % 97}`);
  return words.join(' ').slice(0, tokens * 4);
}
