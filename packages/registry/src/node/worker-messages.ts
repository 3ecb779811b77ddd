import { PalimpsestError } from '@palimpsest/core';
import { z } from 'zod';
import type { CallName, Calls, FromThread } from './worker-protocol.ts';

/**
 * Schemas for messages from a worker. The worker script is trusted, but the engine in it shares the port and can post
 * anything, so every message is validated.
 */

const id = z.number().int().nonnegative();

const sentError = z.object({
  message: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
  status: z.number().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  ours: z.boolean(),
});

const fromThread = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), id, value: z.unknown() }),
  z.object({ kind: z.literal('failed'), id, error: sentError }),
  // The guarded host validates the content, as for all foreign engines.
  z.object({ kind: z.literal('event'), event: z.unknown() }),
  z.object({
    kind: z.literal('summarize'),
    id,
    which: z.enum(['summarizer', 'fallbackSummarizer']),
    // Validated by the guarded host.
    request: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('summarize-abort'), id }),
]);

/** Validates a message from a worker; `null` when it is invalid. */
export function readMessage(message: unknown): FromThread | null {
  const parsed = fromThread.safeParse(message);
  return parsed.success ? (parsed.data as FromThread) : null;
}

const issue = z.object({
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
  code: z.string().optional(),
  keys: z.array(z.string()).optional(),
  known: z.array(z.string()).optional(),
});

/** Schemas of the answer fields the main thread relies on. Plans are validated by the guarded planner. */
const answers: { readonly [Name in CallName]?: z.ZodType } = {
  describe: z.object({
    name: z.unknown(),
    apiVersion: z.unknown(),
    stateVersion: z.unknown().optional(),
    migrates: z.boolean(),
  }),
  validate: z.array(issue),
  create: z.object({ initial: z.unknown(), tools: z.unknown(), trigger: z.unknown() }),
  plan: z.object({ plan: z.unknown(), status: z.unknown(), statusFailure: sentError.nullable() }),
};

/**
 * Validates the answer of a worker to a call.
 * @throws {PalimpsestError} `ENGINE_FAILED` when the answer is malformed
 */
export function readAnswer<Name extends CallName>(name: Name, value: unknown): Calls[Name]['answer'] {
  const schema = answers[name];
  const parsed = schema ? schema.safeParse(value) : ({ success: true, data: value } as const);
  if (parsed.success) return parsed.data as Calls[Name]['answer'];
  const reason = `its worker returned an invalid answer to "${name}"`;
  throw new PalimpsestError('ENGINE_FAILED', reason, { reason });
}
