import type { EngineSnapshot } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import type { Overlay } from '../checkpoints/checkpoint.ts';
import { isHandoffKey } from '../checkpoints/handoff-key.ts';
import type { OfferedSnapshot } from '../conversation/offered-tools.ts';
import type { KnownConversation } from '../conversation/recent-requests.ts';
import { isSealedText, type SealedText } from '../conversation/sealed-text.ts';
import type { CompactionRecord } from '../events/compaction-record.ts';
import type { HygieneState } from '../parts/hygiene.ts';
import type { ProviderSnapshot } from '../provider/provider-state.ts';

/** A checkpoint in its stored form, without text of the conversation. */
export interface SealedCheckpoint {
  readonly number: number;
  readonly parent: number | null;
  readonly covers: number;
  readonly fingerprint: string;
  readonly plan: SealedText;
  /** Rewrites that later compactions start from. Absent for none. */
  readonly lasting?: SealedText | undefined;
  readonly overlay: Overlay;
  readonly engineBefore: EngineSnapshot | null;
}

/** The state of a session that survives a restart. JSON, without secrets and without the conversation. */
export interface SessionSnapshot extends ProviderSnapshot {
  readonly format: 'palimpsest-session';
  readonly version: 1;
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  readonly engine: EngineSnapshot | null;
  readonly checkpoints: readonly SealedCheckpoint[];
  readonly records: readonly CompactionRecord[];
  /** Number of the next compaction. */
  readonly next: number;
  readonly hygiene: HygieneState;
  /** True after `undo`, until the prompt no longer fits the window. */
  readonly held: boolean;
  readonly lastActivity: number | null;
  /** Number of writes before. Absent in a store that is not shared. */
  readonly revision?: number | undefined;
  /** Chosen by the first write; another one means that the state was deleted since. Absent in a store that is not shared. */
  readonly life?: string | undefined;
  /** How often the conversation was forgotten. */
  readonly forgotten: number;
  readonly conversation: KnownConversation | null;
  readonly offered: OfferedSnapshot;
  /**
   * Calls of `recall` and `expand` that were answered inside a fetch. What the answers quote is read again from the history.
   * Absent for none.
   */
  readonly rounds?: readonly unknown[] | undefined;
  /** Key that signs the session's handoffs. Absent when it is derived from the host's key. */
  readonly handoffKey?: string | undefined;
}

/** Why a snapshot cannot be used, or `null`. Checks every field, because others may write to the store. */
export function sessionSnapshotProblem(value: unknown, sessionId: string): string | null {
  if (!isRecord(value) || value.format !== 'palimpsest-session') return 'It is not a snapshot of a session.';
  if (value.version !== 1)
    return `It has version ${String(value.version).slice(0, 20)}, but this release reads version 1.`;
  if (value.sessionId !== sessionId) return 'It belongs to another session.';
  const { checkpoints, records, next, meter, limits, outputCaps, hygiene } = value;
  const isComplete =
    Array.isArray(checkpoints) &&
    checkpoints.every(isCheckpoint) &&
    Array.isArray(records) &&
    records.every(isRecordOfCompaction) &&
    isCount(next) &&
    isRecord(meter) &&
    isRecord(meter.calibration) &&
    (meter.anchor === null || isAnchor(meter.anchor)) &&
    isCounts(limits) &&
    isCounts(value.refused) &&
    isTexts(value.settled) &&
    isCounts(outputCaps) &&
    isRecord(hygiene) &&
    isCount(hygiene.failures) &&
    isCount(hygiene.until) &&
    isCount(value.savedAt) &&
    (value.revision === undefined || isCount(value.revision)) &&
    (value.life === undefined || typeof value.life === 'string') &&
    isCount(value.forgotten) &&
    (value.conversation === null || isConversation(value.conversation)) &&
    isOffered(value.offered) &&
    (value.stripped === undefined || isStripped(value.stripped)) &&
    (value.lastActivity === null || isCount(value.lastActivity)) &&
    (value.handoffKey === undefined || isHandoffKey(value.handoffKey)) &&
    (value.engine === null || isRecord(value.engine));
  return isComplete ? null : 'Parts of it are missing or damaged.';
}

function isRecordOfCompaction(value: unknown): boolean {
  return isRecord(value) && isCount(value.number) && isCount(value.at) && isCount(value.historyMessages);
}

function isCheckpoint(value: unknown): value is SealedCheckpoint {
  if (!isRecord(value) || !isRecord(value.overlay)) return false;
  const { todo, system } = value.overlay;
  return (
    isCount(value.number) &&
    isCount(value.covers) &&
    (value.parent === null || isCount(value.parent)) &&
    typeof value.fingerprint === 'string' &&
    isSealedText(value.plan) &&
    (value.lasting === undefined || isSealedText(value.lasting)) &&
    (system === null || typeof system === 'string') &&
    (todo === null || (isRecord(todo) && Number.isInteger(todo.at) && typeof todo.text === 'string')) &&
    (value.engineBefore === null || isRecord(value.engineBefore))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function isConversation(value: unknown): boolean {
  return isRecord(value) && typeof value.first === 'string' && isCount(value.length);
}

function isOffered(value: unknown): boolean {
  return isRecord(value) && typeof value.hasHostTools === 'boolean' && isTexts(value.refusedBy);
}

function isStripped(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.plain)) return false;
  return (
    isCount(value.reasoningBefore) && Object.values(value.plain).every((what) => what === 'tools' || what === 'all')
  );
}

function isAnchor(value: unknown): boolean {
  return (
    isRecord(value) &&
    isCount(value.covers) &&
    typeof value.fingerprint === 'string' &&
    isCount(value.promptTokens) &&
    typeof value.outsideTokens === 'number'
  );
}

function isCounts(value: unknown): value is Record<string, number> {
  return isRecord(value) && Object.values(value).every(isCount);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
