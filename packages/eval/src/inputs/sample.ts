import type { Dialect, Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { createTokenCounter, type MessageTokenCounter } from '@palimpsest/tokens';
import type { FoundTranscript } from './read-transcripts.ts';

/** A transcript with its size. */
export interface Sample {
  readonly found: FoundTranscript;
  readonly messages: readonly Message[];
  /** Counter whose cache is shared by all engines that run on the sample. */
  readonly tokens: MessageTokenCounter;
  /** Tokens of the tool schemas, which are sent in addition to the messages. */
  readonly overheadTokens: number;
  /** Tokens of the whole prompt. */
  readonly promptTokens: number;
}

/** The host option for the sample's dialect, which sets how strictly roles are validated. */
export function dialectOf({ found }: Sample): { readonly dialect?: Dialect } {
  return found.dialect ? { dialect: found.dialect } : {};
}

/** Estimates the tokens of a transcript. */
export function measureSample(found: FoundTranscript): Sample {
  const { messages, tools } = found;
  const tokens = createTokenCounter();
  const overheadTokens = tools.length > 0 ? tokens.countRequest({ messages: [], tools }) : 0;
  const promptTokens = Math.round(Transcript.of(messages, tokens).totalTokens + overheadTokens);
  return { found, messages, tokens, overheadTokens, promptTokens };
}
