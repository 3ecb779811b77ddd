import { printable } from '@palimpsest/command-line/printable';
import type { CompressOptions, CompressResult, ContextEngine, Message, Outcome, Summarizer } from '@palimpsest/core';
import { PalimpsestError } from '@palimpsest/core';
import type { Engines } from '@palimpsest/eval/engines/engines';
import { dialectOf, type Sample } from '@palimpsest/eval/inputs/sample';
import { createEngineHost } from '@palimpsest/registry';
import { type MeasuredPrompt, measurePrompt } from './measure-prompt.ts';

/** The result of one engine on one transcript, as `--json` prints it. Tokens are estimates of the whole prompt. */
export interface EngineRow extends MeasuredPrompt {
  readonly engine: string;
  /** `failed`: the engine threw; `reason` says why. */
  readonly outcome: Outcome | 'failed';
  readonly reason: string;
  readonly thresholdTokens: number;
  /** Whether the prompt reached the threshold at which an agent compacts automatically. */
  readonly reachedThreshold: boolean;
  /** The last phase that changed a message; `null` if none did. */
  readonly phaseThatWasEnough: string | null;
  /** Calls of a language model, as the engine reports them. */
  readonly modelCalls: number;
  readonly milliseconds: number;
  readonly warnings: readonly string[];
}

/** Options that apply to every engine in a run. */
export interface EngineRunOptions {
  readonly summarizer: Summarizer;
  readonly targetTokens?: number | undefined;
  readonly focusTopic?: string | undefined;
  readonly force?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** One run of an engine: its figures, and its result. */
export interface EngineRun {
  readonly row: EngineRow;
  /** `null` when the engine threw. */
  readonly result: CompressResult<Message> | null;
}

/** Runs a new engine on a sample and measures the output independently of the engine's report. */
export async function runEngine(
  engines: Engines,
  name: string,
  sample: Sample,
  options: EngineRunOptions & { readonly windowTokens: number },
): Promise<EngineRun> {
  const { messages, overheadTokens } = sample;
  const { summarizer, windowTokens } = options;
  const host = createEngineHost({ tokens: sample.tokens, summarizer, ...dialectOf(sample) });
  const engine = await engines.start(name, host);
  await engine.updateModel({ id: 'unnamed', contextLength: windowTokens });
  const asked: CompressOptions = {
    overheadTokens,
    targetTokens: options.targetTokens,
    focusTopic: options.focusTopic,
    force: options.force,
    signal: options.signal,
  };
  // Read before the run, which may raise it.
  const { thresholdTokens } = engine.state;
  const started = performance.now();
  const attempt = await compactOnce(engine, messages, asked);
  const milliseconds = performance.now() - started;
  const result = typeof attempt === 'string' ? null : attempt;
  const output = result?.messages ?? messages;
  const report = result?.report;
  const row: EngineRow = {
    engine: name,
    outcome: result?.outcome ?? 'failed',
    reason: report?.reason ?? (attempt as string),
    thresholdTokens,
    reachedThreshold: sample.promptTokens >= thresholdTokens,
    ...measurePrompt(sample, output as readonly Message[], result?.provenance ?? null, windowTokens),
    phaseThatWasEnough: report?.phases.findLast((phase) => phase.messages > 0)?.name ?? null,
    modelCalls: report?.modelCalls ?? 0,
    milliseconds: Math.round(milliseconds * 10) / 10,
    warnings: report?.warnings ?? [],
  };
  return { row, result };
}

/** True if the result breaks the contract: the engine threw, lost the task, or produced an invalid transcript. */
export function isBroken(row: EngineRow): boolean {
  return row.outcome === 'failed' || row.wireViolations > 0 || row.taskKept === false;
}

/** Why an engine threw, in one line. */
export function describeFailure(error: unknown): string {
  const reason = PalimpsestError.is(error) ? (error.details.reason ?? error.message) : (error as Error)?.message;
  return printable(String(reason ?? error), 400);
}

/** The result, or the reason for the error in one line. */
async function compactOnce(
  engine: ContextEngine,
  messages: readonly Message[],
  asked: CompressOptions,
): Promise<CompressResult<Message> | string> {
  try {
    return await engine.compress(messages, asked);
  } catch (error) {
    return describeFailure(error);
  }
}
