import type { Message, TokenCounter } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { headAndTail } from '../compactors/baselines.ts';
import { textsOf } from '../transcripts/texts.ts';

/** Writes messages as a log for a model, with secrets masked. Of a longer log, the beginning and the end are kept. */
export function renderTranscript(messages: readonly Message[], mostTokens: number, counter: TokenCounter): string {
  const total = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const shown = total > mostTokens ? (headAndTail(messages, mostTokens, counter) as readonly Message[]) : messages;
  const log = shown.map((message) => `[${message.role}] ${textsOf(message).join('\n')}`).join('\n\n');
  return redact(log, { boundary: true });
}
