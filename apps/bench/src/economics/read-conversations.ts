import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenCounter } from '@palimpsest/core';
import { type Conversation, conversationOf, type NamedTranscript } from '@palimpsest/eval/measures';
import { readTranscripts } from '../transcripts.ts';

/** Reads the transcripts with at least two requests. A system prompt stands for what the provider billed besides the messages, if that is known. */
export function readConversations(dataFolder: string | null, counter: TokenCounter): Conversation[] {
  return readTranscripts(dataFolder).flatMap((transcript) => {
    const conversation = conversationOf(transcript, overheadOf(transcript, dataFolder, counter), counter);
    return conversation.requests.length < 2 ? [] : [conversation];
  });
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
