import type { TokenCounter } from '@palimpsest/core';
import { cutSizes } from '../transcripts/cuts.ts';
import type { NamedTranscript } from '../transcripts/named-transcript.ts';

const [smallest, largest] = [cutSizes.smallest, cutSizes.largest].map((tokens) => tokens.toLocaleString('en-US'));

/** Why transcripts cannot be used, and what to pass instead. */
const causes = {
  small: { reason: `fewer than ${smallest} tokens`, advice: 'Pass longer conversations.' },
  large: { reason: `more than ${largest} tokens`, advice: 'Pass shorter conversations, or a part of one.' },
  unneeded: {
    reason: 'no later use of anything from before a cut',
    advice: 'Pass conversations whose second half uses names, values or text of the first one again.',
  },
};

/** The reason why a transcript has no cuts, as the end of "it has ...". */
export function whyUnusable({ messages }: NamedTranscript, counter: TokenCounter): string {
  const tokens = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  if (tokens < cutSizes.smallest) return causes.small.reason;
  return (tokens > cutSizes.largest ? causes.large : causes.unneeded).reason;
}

/** Says why there is nothing to evaluate, and what to pass instead. @param skipped all transcripts */
export function noneUsable(skipped: readonly { readonly reason: string }[]): string {
  if (skipped.length === 0) return 'There are no transcripts. Pass recorded conversations.';
  const found = Object.values(causes)
    .map((cause) => ({ ...cause, number: skipped.filter(({ reason }) => reason === cause.reason).length }))
    .filter(({ number }) => number > 0);
  const advice = found.map((cause) => cause.advice).join(' ');
  if (skipped.length === 1) return `The transcript cannot be used: it has ${skipped[0]!.reason}. ${advice}`;
  const reasons = found.map(({ number, reason }) => `${number} ${number === 1 ? 'has' : 'have'} ${reason}`).join(', ');
  return `None of the ${skipped.length} transcripts can be used: ${reasons}. ${advice}`;
}
