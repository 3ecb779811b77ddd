import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentReader } from '@palimpsest/agents';
import type { Message, TokenCounter } from '@palimpsest/core';
import { type Half, halfOf } from '../fidelity/index.ts';
import { type NamedTranscript, readTranscripts } from '../transcripts.ts';

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
export const isRequest = (message: Message): boolean =>
  message.role === 'user' && agentReader.separateSpeech(message).said !== null;

/** Reads the transcripts with at least two requests. A system prompt stands for what the provider billed besides the messages, if that is known. */
export function readConversations(dataFolder: string | null, counter: TokenCounter): Conversation[] {
  return readTranscripts(dataFolder).flatMap((transcript) => {
    const conversation = conversationOf(transcript, overheadOf(transcript, dataFolder, counter), counter);
    return conversation.requests.length < 2 ? [] : [conversation];
  });
}

function conversationOf({ name, messages }: NamedTranscript, overhead: number, counter: TokenCounter): Conversation {
  const system: Message[] = overhead > 0 ? [{ role: 'system', content: fillerOf(overhead) }] : [];
  const sent = messages.map((message) => ({ ...message, reasoning_content: undefined }));
  const requests: RecordedRequest[] = [];
  let sentAt = 0;
  let pauses = 0;
  for (const [at, message] of messages.entries()) {
    if (isRequest(message)) sentAt += pausesMs[pauses++ % pausesMs.length]!;
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

/** Tokens that the provider billed for the first prompt besides its messages: tools, and a system prompt that was not recorded. */
function overheadOf({ name, messages }: NamedTranscript, dataFolder: string | null, counter: TokenCounter): number {
  if (dataFolder === null) return 0;
  const file = join(dataFolder, 'transcripts', `${name}.json`);
  const { usage } = JSON.parse(readFileSync(file, 'utf8')) as {
    usage?: readonly { readonly message_index: number; readonly prompt_tokens: number }[];
  };
  const first = usage?.[0];
  if (!first) return 0;
  const known = messages.slice(0, first.message_index).reduce((total, one) => total + counter.countMessage(one), 0);
  return Math.max(0, Math.round(first.prompt_tokens - known));
}

/** Text of about so many tokens. */
function fillerOf(tokens: number): string {
  const words = Array.from({ length: tokens }, (_, at) => `tool${at % 97}`);
  return words.join(' ').slice(0, tokens * 4);
}
