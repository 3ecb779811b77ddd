import {
  type Clock,
  type ContextEngine,
  type Dialect,
  dialects,
  type EngineHost,
  type ModelInfo,
  PalimpsestError,
  type RequestRecognizer,
} from '@palimpsest/core';
import type { MessageTokenCounter } from '@palimpsest/tokens';
import type { SessionStore } from './persistence/session-store.ts';
import type { SessionHooks } from './session-hooks.ts';

export interface SessionOptions {
  /**
   * The engine, or what makes it from a host. A function gets a host that counts, masks and tells the time as the
   * session does and hands the engine's events on: `engine: (host) => registry.create(config, host)`.
   */
  readonly engine: ContextEngine | ((host: EngineHost) => ContextEngine | Promise<ContextEngine>);
  /** The model the session talks to; `updateModel` changes it. */
  readonly model: ModelInfo;
  /** Names the session in its store and in events. Required with a store. @default a random UUID */
  readonly id?: string | undefined;
  /** Where the state is kept: any `unstorage` storage. Without one it lives as long as the session object. */
  readonly store?: SessionStore | undefined;
  /**
   * A secret that signs the stored state and the handoffs. State without a valid signature is not used. At least 16
   * characters; keep it outside the store, and use the same one after a restart.
   * @default none: damage to the stored state is detected, but forgery is not; handoffs are signed with a random key
   * that is stored with the state
   */
  readonly key?: string | undefined;
  readonly hooks?: SessionHooks | undefined;
  /**
   * False turns off automatic compression: before requests, after refusals, in the background, and between turns.
   * `compact` still works. The provider then refuses requests that are too long. @default true
   */
  readonly auto?: boolean | undefined;
  /** Plan in the background from this share of the threshold on (0.1 to 1), and take the plan over in a later turn. @default off */
  readonly background?: { readonly at: number } | undefined;
  readonly hygiene?: HygieneOptions | undefined;
  readonly limits?: LimitOptions | undefined;
  /** How many checkpoints `undo` can go back. @default 8 */
  readonly keepCheckpoints?: number | undefined;
  /** A hook that takes longer is passed over. @default 30_000 */
  readonly hookTimeoutMs?: number | undefined;
  /** Timeout for each store operation. The first request waits at most 2,000 ms for the store. @default 10_000 */
  readonly storeTimeoutMs?: number | undefined;
  /** @default the estimating counter of `@palimpsest/tokens` */
  readonly tokens?: MessageTokenCounter | undefined;
  /** Masks secrets in events and in what is stored. @default the redactor of `@palimpsest/redactor`, with word boundaries */
  readonly redact?: ((text: string) => string) | undefined;
  readonly isRequest?: RequestRecognizer | undefined;
  /** @default 'openai' */
  readonly dialect?: Dialect | undefined;
  readonly clock?: Clock | undefined;
}

/** When a long-lived chat is compacted whatever the engine's threshold says. `false` turns a limit off. */
export interface HygieneOptions {
  /** Share of the usable window. @default 0.85 */
  readonly at?: number | false | undefined;
  /** Messages as the model sees them. @default 5_000 */
  readonly messages?: number | false | undefined;
  /** After a pause so long that the prompt cache is cold, compact from this share of the threshold on. @default off */
  readonly idle?: { readonly afterMs: number; readonly at?: number | undefined } | undefined;
  /** Waits after a hygiene compaction that failed or achieved nothing: first, second, third time in a row. @default [60_000, 300_000, 900_000] */
  readonly cooldownMs?: readonly number[] | undefined;
}

export interface LimitOptions {
  /**
   * Limits two things: passes and refusals in a row without an answer, and compactions per user turn that call a model.
   * Of the latter, one is given back for every eight answers after a compaction took effect. @default 3
   */
  readonly attempts?: number | undefined;
  /** So many compactions within so many requests and so long a time are a loop, and block further ones. @default { compactions: 6, requests: 8, withinMs: 600_000 } */
  readonly rapid?: { readonly compactions: number; readonly requests: number; readonly withinMs: number } | undefined;
}

/** The options with their defaults. */
export interface ResolvedOptions {
  readonly auto: boolean;
  readonly background: number | null;
  readonly hygieneShare: number;
  readonly hygieneMessages: number;
  readonly idle: { readonly afterMs: number; readonly at: number } | null;
  readonly cooldownMs: readonly number[];
  readonly attempts: number;
  readonly rapid: { readonly compactions: number; readonly requests: number; readonly withinMs: number };
  readonly keepCheckpoints: number;
  readonly hookTimeoutMs: number;
  readonly storeTimeoutMs: number;
}

/** @throws {PalimpsestError} `OPTION_INVALID`, with every problem at once */
export function resolveOptions(options: SessionOptions): ResolvedOptions {
  const issues: { path: string; message: string }[] = [];
  const refuse = (path: string, given: unknown, accepted: string): void => {
    issues.push({ path, message: `${path} is ${shown(given)}; ${accepted}.` });
  };
  const number = (path: string, given: number | undefined, fallback: number, low: number, high: number): number => {
    if (given === undefined) return fallback;
    if (typeof given === 'number' && given >= low && given <= high) return given;
    refuse(path, given, `a number from ${low} to ${high} is accepted`);
    return fallback;
  };
  const optional = (
    path: string,
    given: number | false | undefined,
    fallback: number,
    low: number,
    high: number,
  ): number => (given === false ? Number.POSITIVE_INFINITY : number(path, given, fallback, low, high));

  const { engine, model, id, store, key, auto, background, hygiene = {}, limits = {}, dialect } = options;
  if (typeof engine !== 'function' && typeof engine?.compress !== 'function')
    refuse('engine', typeof engine, 'an engine, or a function that makes one of a host, is accepted');
  if (typeof model?.id !== 'string' || !(model.contextLength >= 0))
    refuse('model', typeof model, '{ id, contextLength } with a window in tokens is accepted, 0 for an unknown one');
  const reserve: unknown = model?.reserveOutputTokens;
  if (reserve !== undefined && !(Number.isFinite(reserve) && (reserve as number) >= 0))
    refuse('model.reserveOutputTokens', typeof reserve, 'a number of tokens from 0 on is accepted');
  if (id !== undefined && (typeof id !== 'string' || id === ''))
    refuse('id', id, 'a text that is not empty is accepted');
  if (store !== undefined && (typeof store?.getItem !== 'function' || typeof store?.setItem !== 'function'))
    refuse(
      'store',
      typeof store,
      'a storage with getItem and setItem is accepted, such as createStorage() of unstorage',
    );
  if (store !== undefined && id === undefined)
    refuse('id', id, 'with a store the session needs a name under which it is found again');
  if (key !== undefined && (typeof key !== 'string' || key.length < 16))
    refuse('key', typeof key, 'a secret text of at least 16 characters is accepted');
  if (auto !== undefined && typeof auto !== 'boolean') refuse('auto', auto, 'true or false is accepted');
  if (dialect !== undefined && !dialects.includes(dialect))
    refuse('dialect', dialect, `${dialects.join(', ')} are accepted`);
  const longest = 2 ** 31 - 1;
  const cooldownMs = hygiene.cooldownMs ?? [60_000, 300_000, 900_000];
  if (!Array.isArray(cooldownMs) || cooldownMs.length === 0 || cooldownMs.some((wait) => !(wait >= 0)))
    refuse('hygiene.cooldownMs', cooldownMs, 'a list of waits in milliseconds is accepted');
  const rapid = limits.rapid ?? { compactions: 6, requests: 8, withinMs: 600_000 };
  const resolved: ResolvedOptions = {
    auto: auto !== false,
    background: background === undefined ? null : number('background.at', background.at, 0.8, 0.1, 1),
    hygieneShare: optional('hygiene.at', hygiene.at, 0.85, 0.1, 1),
    hygieneMessages: optional('hygiene.messages', hygiene.messages, 5_000, 10, 1e9),
    idle: hygiene.idle
      ? {
          afterMs: number('hygiene.idle.afterMs', hygiene.idle.afterMs, 300_000, 1, 1e12),
          at: number('hygiene.idle.at', hygiene.idle.at, 0.5, 0, 1),
        }
      : null,
    cooldownMs,
    attempts: number('limits.attempts', limits.attempts, 3, 1, 20),
    rapid: {
      compactions: number('limits.rapid.compactions', rapid.compactions, 6, 2, 1_000),
      requests: number('limits.rapid.requests', rapid.requests, 8, 1, 1e6),
      withinMs: number('limits.rapid.withinMs', rapid.withinMs, 600_000, 1, 1e12),
    },
    keepCheckpoints: number('keepCheckpoints', options.keepCheckpoints, 8, 1, 1_000),
    hookTimeoutMs: number('hookTimeoutMs', options.hookTimeoutMs, 30_000, 1, longest),
    storeTimeoutMs: number('storeTimeoutMs', options.storeTimeoutMs, 10_000, 1, longest),
  };
  if (issues.length > 0)
    throw new PalimpsestError('OPTION_INVALID', `createSession: ${issues.map(({ message }) => message).join(' ')}`, {
      issues,
    });
  return resolved;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
}
