import type { Dialect, Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { createTokenCounter, type MessageTokenCounter } from '@palimpsest/tokens';
import type { FoundTranscript } from './read-transcripts.ts';

/** A transcript with its size. */
export interface Sample {
  readonly found: FoundTranscript;
  readonly messages: readonly Message[];
  /** Counted once, and remembered for every engine that runs on it. */
  readonly tokens: MessageTokenCounter;
  /** Tokens of what is sent beside the messages: the tool schemas. */
  readonly overheadTokens: number;
  /** Tokens of the whole prompt. */
  readonly promptTokens: number;
}

/** The part of a host that tells an engine how strictly the sample's provider reads roles. */
export function dialectOf({ found }: Sample): { readonly dialect?: Dialect } {
  return found.dialect ? { dialect: found.dialect } : {};
}

export function measureSample(found: FoundTranscript): Sample {
  const { messages, tools } = found;
  const tokens = createTokenCounter();
  const overheadTokens = tools.length > 0 ? tokens.countRequest({ messages: [], tools }) : 0;
  const promptTokens = Math.round(Transcript.of(messages, tokens).totalTokens + overheadTokens);
  return { found, messages, tokens, overheadTokens, promptTokens };
}
