import {
  type CompressResult,
  compose,
  type Edit,
  type EngineSnapshot,
  type Message,
  PalimpsestError,
} from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import { type Checkpoint, coverage } from '../conversation/checkpoint.ts';
import { aborted } from '../one-at-a-time.ts';
import type { SessionCore, View, Work } from '../session-core.ts';
import type { CompactionTrigger } from '../session-event.ts';
import { memoryBefore } from './hooks.ts';

/** A compaction that is wanted. */
export interface Wish {
  readonly trigger: CompactionTrigger;
  readonly effort: 'free' | 'full';
  readonly force: boolean;
  /** Where to land, in the provider's tokens. @default the engine's own */
  readonly targetTokens?: number | undefined;
  readonly focusTopic?: string | undefined;
  readonly keepLastExchanges?: number | undefined;
}

/** What an engine planned, on the conversation as it was then. */
export interface Planned {
  readonly number: number;
  readonly wish: Wish;
  readonly base: Checkpoint | null;
  /** Relative to the conversation; `null` when nothing is to be done. */
  readonly edits: readonly Edit[] | null;
  /** The messages the edits are about. */
  readonly covered: readonly Message[];
  readonly fingerprint: string;
  readonly result: CompressResult<Message>;
  readonly before: View;
  readonly engineBefore: EngineSnapshot | null;
  readonly durationMs: number;
}

/**
 * Has the engine plan a compaction of what the model sees now. Nothing is in effect until the plan is committed.
 * @returns `null` when the engine failed; that is said
 * @throws {PalimpsestError} `ABORTED`
 */
export async function planCompaction(core: SessionCore, work: Work, view: View, wish: Wish): Promise<Planned | null> {
  const { ready: engine } = core;
  const number = core.next++;
  const outer = core.compaction;
  core.compaction = number;
  core.underWay = work;
  const started = core.clock.now();
  const source = work.intake.messages;
  try {
    const memory = wish.effort === 'full' ? await memoryBefore(core, work, view, wish.trigger) : null;
    const engineBefore = engine.snapshot();
    const { size, projection } = view;
    const overheadTokens = core.meter.overhead({ messages: [], tools: work.tools, system: view.system });
    const result = await engine.compress(projection.messages, {
      currentTokens: size.tokens,
      overheadTokens,
      effort: wish.effort,
      force: wish.force,
      signal: work.signal,
      ...(wish.targetTokens === undefined
        ? {}
        : { targetTokens: Math.max(1, Math.round(wish.targetTokens / size.ratio)) }),
      ...(wish.focusTopic === undefined ? {} : { focusTopic: wish.focusTopic }),
      ...(wish.keepLastExchanges === undefined ? {} : { keepLastExchanges: wish.keepLastExchanges }),
      ...(memory === null ? {} : { memoryContext: memory }),
    });
    if (work.signal?.aborted) throw aborted(work.signal);
    if (isCounted(wish, result)) core.turns.called();
    const changed = result.edits.length > 0 && (result.outcome === 'compressed' || result.outcome === 'degraded');
    const edits = changed ? compose(source, baseEdits(projection.checkpoint, source), result.edits) : null;
    const covered = edits ? source.slice(0, coverage(source, edits)) : [];
    return {
      number,
      wish,
      base: projection.checkpoint,
      edits,
      covered,
      fingerprint: fingerprint(covered),
      result,
      before: view,
      engineBefore,
      durationMs: core.clock.now() - started,
    };
  } catch (error) {
    if (work.signal?.aborted) throw aborted(work.signal);
    core.publish({ type: 'compress-failed', trigger: wish.trigger, reason: reasonOf(error) });
    return null;
  } finally {
    core.compaction = outer;
    if (core.underWay === work) core.underWay = null;
  }
}

/**
 * True for an automatic compaction that called a model. A failed summarizer call does not count, because the engine has
 * its own cooldown for those.
 */
export function isCounted({ trigger }: Wish, { report }: CompressResult<Message>): boolean {
  return trigger !== 'manual' && report.modelCalls > 0 && report.failure === null;
}

export function baseEdits(base: Checkpoint | null, source: readonly Message[]): readonly Edit[] {
  return base?.plan.edits(source.slice(0, base.covers)) ?? [];
}

/** In our own words where they are ours: a stranger's message may quote the conversation. */
export function reasonOf(error: unknown): string {
  if (PalimpsestError.is(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : 'It threw a value that is not an Error.';
}
