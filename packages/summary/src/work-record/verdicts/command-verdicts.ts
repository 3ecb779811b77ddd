import type { Message } from '@palimpsest/core';
import { readCalls } from '../calls/read-calls.ts';
import { lastVerdicts, type Verdict } from './verdicts.ts';

/**
 * Returns how the last command of each tool family ended in messages without a person's words: failed ones first, then
 * newest first. The same as `verdicts` of a work record, for callers that need nothing else.
 */
export function commandVerdicts(messages: readonly Message[]): Verdict[] {
  return lastVerdicts(readCalls(messages, () => false));
}
