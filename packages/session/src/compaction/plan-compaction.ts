import { type CompressOptions, type CompressResult, compose, type Edit, type Message } from '@palimpsest/core';
import { fingerprint, orAborted } from '@palimpsest/core/authoring';
import { type Checkpoint, coverage } from '../checkpoints/checkpoint.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import { errorReason } from '../events/error-reason.ts';
import { memoryBefore } from '../hooks/compaction-hooks.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';
import { abortError } from '../scheduling/one-at-a-time.ts';
import type { AskedCompaction } from './asked-compaction.ts';
import { lastingRewrites, lastingSource } from './lasting-rewrites.ts';

/** A compaction planned by the engine, for the conversation as it was at that time. */
export interface PlannedCompaction {
  readonly number: number;
  readonly asked: AskedCompaction;
  /** The checkpoint it builds on; `null` for the first. */
  readonly base: Checkpoint | null;
  /** Relative to the repaired conversation; `null` when nothing is to be done. */
  readonly edits: readonly Edit[] | null;
  /** The messages that the edits cover. */
  readonly covered: readonly Message[];
  readonly fingerprint: string;
  readonly result: CompressResult<Message>;
  readonly before: RequestView;
  readonly durationMs: number;
}

/**
 * Lets the engine plan a compaction of what the model sees now, or of the history behind it. Nothing takes effect until the plan is committed.
 * @returns `null` when the engine failed; `compaction-failed` reports it
 * @throws {PalimpsestError} `ABORTED`
 */
export async function planCompaction(
  parts: SessionParts,
  input: RequestInput,
  view: RequestView,
  asked: AskedCompaction,
): Promise<PlannedCompaction | null> {
  const { events } = parts;
  const { log } = parts.compactions;
  const { requests } = parts.conversation;
  const number = log.takeNumber();
  const plan = async (): Promise<PlannedCompaction | null> => {
    try {
      return await askEngine(parts, number, input, { view, asked });
    } catch (error) {
      if (input.signal?.aborted) throw abortError(input.signal);
      events.publish({ type: 'compaction-failed', trigger: asked.trigger, reason: errorReason(error) }, number);
      return null;
    }
  };
  return events.duringPlan(number, () => requests.duringPlanning(input, plan));
}

async function askEngine(
  { clock, compactions: { turns }, engine, hooks, id, provider: { meter } }: SessionParts,
  number: number,
  input: RequestInput,
  { view, asked }: { readonly view: RequestView; readonly asked: AskedCompaction },
): Promise<PlannedCompaction> {
  const started = clock.now();
  const source = input.intake.messages;
  const { assembled, projection, size } = view;
  const { signal } = input;
  const memory =
    asked.effort === 'full'
      ? await orAborted(
          memoryBefore(
            hooks,
            {
              sessionId: id,
              trigger: asked.trigger,
              messages: assembled.messages,
              tokens: size.tokens,
              signal,
            },
            number,
          ),
          signal,
        )
      : null;
  const overheadTokens = meter.overhead({ messages: [], tools: input.tools, system: view.system });
  const { checkpoint: base } = projection;
  const history = base && { messages: lastingSource(base, source), origins: projection.provenance.output };
  const result = await engine.ready.compress(projection.messages, {
    ...compressOptions(asked, view),
    ...(asked.trigger === 'manual' ? {} : { abortOnSummaryFailure: true }),
    ...(history ? { source: history } : {}),
    overheadTokens,
    signal,
    hold: true,
    ...(memory === null ? {} : { memoryContext: memory }),
  });
  if (signal?.aborted) throw abortError(signal);
  if (countsTowardLimit(asked, result)) turns.countModelCall();
  const isChanged = result.edits.length > 0 && (result.outcome === 'compacted' || result.outcome === 'degraded');
  const planned = result.basis === 'source' ? lastingRewrites(base, source) : baseEdits(base, source);
  const edits = isChanged ? compose(source, planned, result.edits) : null;
  const covered = edits ? source.slice(0, coverage(source, edits)) : [];
  return {
    number,
    asked,
    base,
    edits,
    covered,
    fingerprint: fingerprint(covered),
    result,
    before: view,
    durationMs: clock.now() - started,
  };
}

/** Converts a requested compaction to the engine's terms. */
function compressOptions(
  { effort, force, targetTokens, focusTopic, nextStep, keepLastTurns }: AskedCompaction,
  { size }: RequestView,
): CompressOptions {
  return {
    currentTokens: size.tokens,
    effort,
    force,
    ...(targetTokens === undefined ? {} : { targetTokens: Math.max(1, Math.round(targetTokens / size.ratio)) }),
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(nextStep === undefined ? {} : { nextStep }),
    ...(keepLastTurns === undefined ? {} : { keepLastTurns }),
  };
}

/**
 * True for an automatic compaction that called a model. A failed summarizer call does not count, because the engine has
 * its own cooldown for those.
 */
export function countsTowardLimit({ trigger }: AskedCompaction, { report }: CompressResult<Message>): boolean {
  return trigger !== 'manual' && report.modelCalls > 0 && report.failure === null;
}

/** The edits of the checkpoint in effect; empty without one. */
export function baseEdits(base: Checkpoint | null, source: readonly Message[]): readonly Edit[] {
  return base?.plan.edits(source.slice(0, base.covers)) ?? [];
}
