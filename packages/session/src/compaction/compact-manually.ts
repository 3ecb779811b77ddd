import type { Message } from '@palimpsest/core';
import {
  checkOptions,
  countRule,
  fingerprint,
  type RulesOf,
  signalRule,
  switchRule,
  textRule,
} from '@palimpsest/core/authoring';
import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { commitCompaction } from './commit-compaction.ts';
import { type CompactFeedback, compactFeedback } from './compact-feedback.ts';
import { type PlannedCompaction, planCompaction } from './plan-compaction.ts';

export interface CompactOptions {
  /** The conversation. @default the conversation of the last request */
  readonly messages?: readonly Message[] | undefined;
  /** Topic to keep in detail. */
  readonly focusTopic?: string | undefined;
  /** Keep at least this many of the newest turns unchanged. */
  readonly keepLastTurns?: number | undefined;
  /**
   * Report what would be done without doing it. The next `compact` with the same options on the same conversation uses
   * the plan. @default false
   */
  readonly preview?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const rules: RulesOf<CompactOptions> = {
  messages: { expected: 'a list of messages', isValid: Array.isArray },
  focusTopic: textRule,
  keepLastTurns: countRule,
  preview: switchRule,
  signal: signalRule,
};

/** @throws {PalimpsestError} `OPTION_INVALID` */
export function checkCompactOptions(options: CompactOptions): void {
  checkOptions('session.compact', options, rules);
}

/** A plan that was previewed but not used yet. */
export interface Preview {
  readonly key: string;
  readonly planned: PlannedCompaction;
}

/**
 * Compacts on request, regardless of thresholds, strikes and cooldowns.
 * @param earlier the last preview; its plan is used if it still fits
 */
export async function compactManually(
  parts: SessionParts,
  input: RequestInput,
  options: CompactOptions,
  earlier: Preview | null = null,
): Promise<{ readonly feedback: CompactFeedback; readonly preview: Preview | null }> {
  const { viewer } = parts;
  const { automatic } = parts.compactions;
  const view = viewer.view(input);
  const { focusTopic, keepLastTurns, preview = false } = options;
  const key = JSON.stringify([
    focusTopic ?? null,
    keepLastTurns ?? null,
    view.projection.checkpoint?.number ?? null,
    parts.provider.model.tokens,
    parts.compactions.forgotten,
    fingerprint(input.intake.messages),
  ]);
  const request = { trigger: 'manual', effort: 'full', force: true, focusTopic, keepLastTurns } as const;
  const planned = earlier?.key === key ? earlier.planned : await planCompaction(parts, input, view, request);
  if (planned?.edits && preview)
    return { feedback: compactFeedback(planned, viewer.view(input), true), preview: { key, planned } };
  if (planned?.edits) {
    automatic.isHeld = false;
    await commitCompaction(parts, input, planned);
  }
  return { feedback: compactFeedback(planned, viewer.view(input), preview), preview: null };
}
