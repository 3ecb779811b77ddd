import { checkOptions, invalidOption, maxThresholdShare } from '@palimpsest/core/authoring';
import { sessionRules } from './option-rules.ts';
import type { SessionRecallOptions } from './recall-options.ts';
import type { LimitOptions, SessionOptions, ShapeOptions } from './session-options.ts';

/** The options with their defaults. */
export interface ResolvedOptions {
  readonly auto: boolean | 'window';
  /** Who writes the summaries. */
  readonly summaries: NonNullable<SessionOptions['summaries']>;
  readonly waitUntil: SessionOptions['waitUntil'];
  readonly hygieneShare: number;
  readonly hygieneMessages: number;
  readonly idle: { readonly afterMs: number; readonly at: number } | null;
  readonly cooldownMs: readonly number[];
  readonly attempts: number;
  readonly rapid: NonNullable<LimitOptions['rapid']>;
  readonly compactTool: boolean;
  readonly keepCheckpoints: number;
  readonly hookTimeoutMs: number;
  readonly storeTimeoutMs: number;
  /** `null` when results are sent as they are. */
  readonly shape: Required<{ [Field in keyof ShapeOptions]: number }> | null;
  /** `null` when the tools are off. */
  readonly recall: SessionRecallOptions | null;
  /** True if the host asked for the tools, so that their names are taken. By default, other tools with these names replace them. */
  readonly isRecallGiven: boolean;
}

/** By default, only a result that takes more than this share of the window is shortened before the model sees it. */
const maxUnreadShare = 1 / 3;

/** Checks the options and fills in the defaults. @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once */
export function resolveOptions(options: SessionOptions): ResolvedOptions {
  checkOptions('createSession', options, sessionRules, 'an object with engine and model');
  const { auto = true, hygiene = {}, id, limits = {}, recall, store } = options;
  if (store && id === undefined)
    throw invalidOption('id', 'a name for the stored state, because of store', 'nothing', { owner: 'createSession' });
  const { at = maxThresholdShare, messages = 5_000, idle, cooldownMs = [60_000, 300_000, 900_000] } = hygiene;
  return {
    auto,
    summaries: options.summaries ?? 'model',
    waitUntil: options.waitUntil,
    hygieneShare: at === false ? Number.POSITIVE_INFINITY : at,
    hygieneMessages: messages === false ? Number.POSITIVE_INFINITY : messages,
    idle: idle ? { afterMs: idle.afterMs ?? 300_000, at: idle.at ?? 0.5 } : null,
    cooldownMs,
    attempts: limits.attempts ?? 3,
    rapid: { compactions: 6, requests: 8, withinMs: 600_000, ...limits.rapid },
    compactTool: options.compactTool === true && auto === true,
    keepCheckpoints: options.keepCheckpoints ?? 8,
    hookTimeoutMs: options.hookTimeoutMs ?? 30_000,
    storeTimeoutMs: options.storeTimeoutMs ?? 10_000,
    shape: resolveShape(options.shapeResults),
    recall: recall === false ? null : typeof recall === 'object' ? recall : {},
    isRecallGiven: recall !== undefined,
  };
}

function resolveShape(given: SessionOptions['shapeResults']): ResolvedOptions['shape'] {
  if (given === false) return null;
  if (given === undefined) return { at: maxUnreadShare, files: maxUnreadShare };
  const { at = 0.1, files = 0.25 } = given === true ? {} : given;
  return { at, files };
}
