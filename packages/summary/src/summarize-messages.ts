import { contentText, type EngineHost, isSystem, readHandoff } from '@palimpsest/core';
import {
  type Draft,
  type LaterInstructions,
  laterInstructions,
  type PlanNotes,
  placeHandoff,
  type Transcript,
  tailLead,
} from '@palimpsest/core/authoring';
import { sourcesOf } from './source/rehydrate.ts';
import type { SummaryInput } from './summary-input.ts';
import { withClosing } from './template/closing.ts';
import { writeSummary } from './write-summary.ts';

/** Input of {@link summarizeMessages}: what a handoff replaces, and how to summarize it. */
export interface SummarizeMessagesInput extends Omit<SummaryInput, 'transcript' | 'sources' | 'fresh'> {
  readonly draft: Draft;
  /** False for a message that the previous summary covers. @default no message is covered */
  readonly isFresh?: ((index: number) => boolean) | undefined;
  /** Half-open range of groups to summarize: the middle. */
  readonly groups: readonly [from: number, to: number];
  /**
   * Maximum tokens of the host's later instructions that stay whole. Others are part of the summary.
   * @default no limit
   */
  readonly instructionTokens?: number | undefined;
  /** A line to add after the summary, inside the handoff. */
  readonly closing?: string | undefined;
}

export type SummarizedMessages =
  | {
      readonly kind: 'written' | 'fallback';
      readonly body: string;
      /** The part of the body that cannot be rebuilt from the messages; `null` for none. */
      readonly carriedSummary: string | null;
      readonly reclaimedTokens: number;
      readonly notes: PlanNotes;
    }
  /**
   * The handoff would not be smaller than the messages it replaces. The draft is unchanged; the notes include the model
   * calls.
   */
  | { readonly kind: 'larger'; readonly notes: PlanNotes & { readonly reason: string } }
  | { readonly kind: 'aborted'; readonly notes: PlanNotes };

/**
 * Replaces a range of a draft by one handoff: finds the messages to summarize, gets the summary and places it. The
 * host's instructions stay whole, in their newest copy.
 */
export async function summarizeMessages(input: SummarizeMessagesInput, host: EngineHost): Promise<SummarizedMessages> {
  const { draft, groups, closing, isFresh, instructionTokens, ...rest } = input;
  const { previousSummary, carriedSummary = previousSummary } = rest;
  const { transcript } = draft;
  const from = transcript.groups[groups[0]]!.from;
  const to = transcript.groups[groups[1] - 1]!.to;
  const started = host.clock.now();
  const { kept, copies, quoted } = laterInstructions(transcript, instructionTokens);
  const summarizedSystems = laterSystemMessages(transcript, from, to).filter((at) => !kept.has(at));
  // An answer kept as the lead-in of the tail is not part of the middle.
  const lead = tailLead(transcript, groups[1]);
  const instructions = quoted.filter(({ at }) => needsQuote(transcript, at, groups));
  const whole = indicesOf(transcript, instructions);
  const sources = sourcesOf(transcript, [from, to], carriedSummary, summarizedSystems).filter(
    (at) => transcript.groupOf(at) !== lead && !copies.has(at) && !whole.has(at),
  );
  const fresh = isFresh ? sources.filter(isFresh) : sources;
  const result = await writeSummary({ ...rest, transcript, sources, fresh }, host);
  const { modelCalls, warnings, failure, auxiliaryFailure } = result;
  const shared = { modelCalls, warnings, failure, auxiliaryFailure };
  if (result.kind === 'aborted') return { kind: 'aborted', notes: shared };
  const body = withClosing(result.body, closing);
  const reason =
    result.kind === 'fallback'
      ? { code: 'drop', note: 'no model could write a summary; written by rules' }
      : { code: 'summarize', note: `summarized by ${result.by}` };
  const reclaimedTokens = placeHandoff(draft, groups, body, {
    reason,
    key: host.handoffKey,
    summarizedSystems,
    instructions: instructions.map(({ text }) => text),
    sources: result.sources,
  });
  if (reclaimedTokens <= 0)
    return {
      kind: 'larger',
      notes: {
        ...shared,
        reason: 'The handoff would have been larger than what it replaces, so nothing was summarized.',
      },
    };
  const phase = { name: 'summarize', durationMs: host.clock.now() - started, reclaimedTokens, messages: to - from };
  return {
    kind: result.kind,
    body,
    carriedSummary: result.carriedSummary,
    reclaimedTokens,
    notes: { ...shared, phases: [phase], summarizedBy: result.by, summaryTokens: result.tokens },
  };
}

/**
 * True for an instruction whose message is replaced. Messages of the current task are carried instead, and user
 * messages directly after the range are quoted whole.
 */
function needsQuote(transcript: Transcript, at: number, [first, end]: readonly [number, number]): boolean {
  const { task } = transcript;
  const group = transcript.groupOf(at);
  if (group < first || group === tailLead(transcript, end)) return false;
  if (readHandoff(transcript.messages[at]!)) return group <= end;
  return group < end && !(task && at >= task.from && at < task.to);
}

/** Indices of messages that are quoted whole, so that the summary need not repeat them. */
function indicesOf({ messages }: Transcript, instructions: LaterInstructions['quoted']): Set<number> {
  const rest = new Map<number, string>();
  for (const { at, text } of instructions)
    rest.set(
      at,
      (rest.get(at) ?? contentText(messages[at]!.content)).replace(text, () => ''),
    );
  return new Set([...rest].filter(([, text]) => text.trim() === '').map(([at]) => at));
}

/** Indices of the system messages in `[from, to)`, without the leading ones. */
function laterSystemMessages({ messages, leading }: Transcript, from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = Math.max(from, leading); at < to; at++) if (isSystem(messages[at]!)) found.push(at);
  return found;
}
