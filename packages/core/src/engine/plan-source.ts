import { PalimpsestError } from '../errors.ts';
import type { EngineHost } from '../host/host.ts';
import { checkMessages } from '../messages/message-check.ts';
import type { Origin } from '../plans/provenance.ts';
import { Transcript } from '../transcript/transcript.ts';
import type { CompressSource } from './compress-options.ts';
import type { PlanSource } from './planner.ts';

/**
 * Indexes the history behind a projection.
 * @throws {PalimpsestError} `MESSAGES_INVALID` when it is not an array of messages, or its origins do not fit the
 *   projection
 */
export function planSource(
  { messages, origins }: CompressSource,
  projection: Transcript,
  host: EngineHost,
): PlanSource {
  checkMessages(messages);
  if (!Array.isArray(origins) || origins.length !== projection.length)
    throw invalid(-1, `"origins" must have one entry for each of the ${projection.length} messages`);
  origins.forEach((origin: Origin, at) => {
    if (!isWithin(origin, messages.length)) throw invalid(at, `origin ${at} is not a place in the source`);
  });
  return { transcript: Transcript.of(messages, host.tokens, host), origins };
}

function isWithin(origin: Origin | null | undefined, length: number): boolean {
  if (origin?.kind !== 'inserted') return isIndex(origin?.from, length - 1);
  const { from, to } = origin.covers;
  return isIndex(to, length) && isIndex(from, to);
}

function isIndex(value: number | undefined, max: number): boolean {
  return Number.isInteger(value) && value! >= 0 && value! <= max;
}

function invalid(index: number, problem: string): PalimpsestError {
  return new PalimpsestError(
    'MESSAGES_INVALID',
    `The source of the compaction does not fit its messages: ${problem}.`,
    {
      index,
      field: 'source',
    },
  );
}
