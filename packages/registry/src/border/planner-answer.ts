import { type Budget, type Decision, PalimpsestError, type PlanBasis, type TriggerOptions } from '@palimpsest/core';
import type { EngineTools, PlanNotes } from '@palimpsest/core/authoring';
import { z } from 'zod';

/** Schemas for the answers of a foreign planner. Unknown fields are dropped, other violations are rejected. */

const tokens = z.number().nonnegative();
const duration = z.number();

const failure = z.object({
  class: z.string(),
  message: z.string(),
  cooldownMs: z.union([z.number().nonnegative(), z.array(z.number().nonnegative())]),
  summarizer: z.string().optional(),
});

const notes: z.ZodType<PlanNotes> = z.object({
  reason: z.string().optional(),
  phases: z
    .array(z.object({ name: z.string(), durationMs: duration, reclaimedTokens: z.number(), messages: z.number() }))
    .optional(),
  modelCalls: z.number().int().nonnegative().optional(),
  summarizedBy: z.string().nullish(),
  summaryTokens: tokens.optional(),
  warnings: z.array(z.string()).optional(),
  failure: failure.nullish(),
  auxiliaryFailure: failure.nullish(),
});

/** A plan whose edits have not been validated yet; core validates them. */
export interface PlanEnvelope {
  readonly edits: readonly unknown[];
  readonly basis?: PlanBasis | undefined;
  readonly state?: unknown;
  readonly outcome?: 'degraded' | 'aborted' | undefined;
  readonly notes?: PlanNotes | undefined;
}

export const planEnvelope: z.ZodType<PlanEnvelope> = z.object({
  edits: z.array(z.unknown()),
  basis: z.enum(['transcript', 'source']).optional(),
  state: z.unknown(),
  outcome: z.enum(['degraded', 'aborted']).optional(),
  notes: notes.optional(),
});

export const budgetAnswer: z.ZodType<Budget> = z.object({
  contextLength: tokens,
  usableTokens: tokens,
  thresholdTokens: tokens,
  latestThresholdTokens: tokens.optional(),
  tailTokens: tokens,
  summaryTokens: tokens,
  warnings: z.array(z.string()).optional(),
});

export const decisionAnswer: z.ZodType<Decision> = z.object({
  compress: z.boolean(),
  effort: z.enum(['none', 'free', 'full']),
  reason: z.enum([
    'no-window',
    'below-threshold',
    'over-threshold',
    'probe',
    'cooldown',
    'blocked-dense',
    'blocked-ineffective',
  ]),
  message: z.string(),
  retryAt: z.number().nullable(),
});

export const triggerFigures: z.ZodType<Partial<TriggerOptions>> = z.object({
  minimumSaving: z.number().min(0).max(1).exactOptional(),
  maximumStrikes: z.number().int().positive().exactOptional(),
  probeAfterMs: z.number().nonnegative().exactOptional(),
});

export const toolSchemas: z.ZodType<EngineTools['schemas']> = z.array(
  z.object({
    type: z.literal('function'),
    function: z.object({
      name: z.string().min(1),
      description: z.string().optional(),
      parameters: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
);

/**
 * Validates an answer and returns it.
 * @param what the answer's name in error messages, such as `Its plan`
 * @throws {PalimpsestError} `PLAN_INVALID` with the first problem
 */
export function answer<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const where = path.length > 0 ? `, at ${path.map(String).join('.')}` : '';
  throw new PalimpsestError('PLAN_INVALID', `${what} is malformed${where}: ${message}.`, { what });
}
