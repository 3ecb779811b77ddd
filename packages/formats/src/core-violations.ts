import { validateTranscript } from '@palimpsest/core';
import type { Decoded, NativeViolation } from './codec.ts';

/** Lists what providers would reject in a conversation that an SDK translates for them, with the rules of core. */
export function coreViolations({
  native,
  messages,
  origins,
}: Decoded<{ readonly messages: readonly unknown[] }>): readonly NativeViolation[] {
  if (native.messages.length === 0)
    return [{ index: -1, rule: 'no-messages', reason: 'a request needs at least one message' }];
  return validateTranscript(messages).map(({ index, rule, reason }) => ({
    index: origins[index]!.pieces[0]!.index,
    rule,
    reason,
  }));
}
