import { PalimpsestError } from '@palimpsest/core';
import { z } from 'zod';
import type { CallName, Calls, FromThread } from './worker-protocol.ts';

/**
 * What a worker may send. Its script is ours, but the engine in it shares the port and may post what it likes, so that
 * nothing that arrives is believed.
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
  // What it holds is looked at where events of foreign engines are: in the host the engine was made with.
  z.object({ kind: z.literal('event'), event: z.unknown() }),
  z.object({
    kind: z.literal('summarize'),
    id,
    which: z.enum(['summarizer', 'fallbackSummarizer']),
    // Looked at by the same host.
    request: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('summarize-abort'), id }),
]);

/** A message of a worker, or `null` when it is none. */
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

/** Answers as far as this side relies on them. What a planner answered is judged by its guard. */
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
 * An answer of a worker, when it has the shape this side relies on.
 * @throws {PalimpsestError} `ENGINE_FAILED`
 */
export function readAnswer<Name extends CallName>(name: Name, value: unknown): Calls[Name]['answer'] {
  const schema = answers[name];
  const parsed = schema ? schema.safeParse(value) : ({ success: true, data: value } as const);
  if (parsed.success) return parsed.data as Calls[Name]['answer'];
  const reason = `its worker answered "${name}" with what is no answer to it`;
  throw new PalimpsestError('ENGINE_FAILED', reason, { reason });
}
