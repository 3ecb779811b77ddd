import type {
  Clock,
  ContextEngine,
  Dialect,
  EngineHost,
  MessageReader,
  ModelInfo,
  PersonRecognizer,
  Summarizer,
} from '@palimpsest/core';
import type { MessageTokenCounter } from '@palimpsest/tokens';
import type { ModelCounter, ModelPrices } from '@palimpsest/tokens/models';
import type { SessionRecallOptions } from './recall-options.ts';
import type { SessionHooks } from './session-hooks.ts';
import type { SessionStore } from './session-store.ts';

export interface SessionOptions {
  /**
   * The engine, or a function that creates it: `engine: (host) => registry.create(config, host)`. The function gets a
   * host with the session's token counter, redactor and clock. The engine's events become events of the session.
   */
  readonly engine: ContextEngine | ((host: EngineHost) => ContextEngine | Promise<ContextEngine>);
  /** The model that the conversation is sent to. `updateModel` changes it. */
  readonly model: ModelInfo;
  /** Names the session in its store and in events. Required with a store. @default a random UUID */
  readonly id?: string | undefined;
  /**
   * Stores the state: `fileStore`, `redisStore`, `postgresStore`, `memoryStore`, `keyValueStore`, or your own.
   * @default none: the state is lost with the session object
   */
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
   * False turns off automatic compaction: before requests, after refusals, in the background, and between turns.
   * `compact` still works. The provider then refuses requests that are too long. Broken input is still repaired, such as
   * calls without results. `'window'` compacts only what does not fit the window, or what the provider refused: the
   * engine's threshold does not count. @default true
   */
  readonly auto?: boolean | 'window' | undefined;
  /**
   * Who writes the summaries. `'model'`: the conversation's own model, where its requests can be seen (`contextFetch`,
   * `contextMiddleware` and the adapters), with the access of the last request; elsewhere rules. `'rules'`: no model is
   * called. A summarizer writes where the conversation's model cannot continue from its cache. No request waits for a
   * model: its page is asked for in the background, and used by the first request after it has arrived. @default 'model'
   */
  readonly summaries?: 'model' | 'rules' | Summarizer | undefined;
  /**
   * Keeps a process alive until background work is done, such as `waitUntil` of a serverless platform that otherwise
   * stops it with the response. @default background work ends with the process
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  readonly hygiene?: HygieneOptions | undefined;
  readonly limits?: LimitOptions | undefined;
  /**
   * The tools `recall` and `expand` are in `tools()`: with them, the model searches what compaction removed. `false` turns
   * them off. By default, they give way to tools of the engine or the host with the same names; with `true` or options, such
   * a tool is an error. @default on
   */
  readonly recall?: boolean | SessionRecallOptions | undefined;
  /**
   * Adds the tool `compact` to `tools()`, with which the agent asks for a compaction before its next step. Not with
   * `auto: false` or `'window'`. @default off
   */
  readonly compactTool?: boolean | undefined;
  /**
   * Shortens a tool result that takes more than a share of the window to an excerpt, before the model sees it for the first
   * time. `recall` and `expand` read the whole text. `true`: a tenth, and a quarter for files.
   * @default a third of the window
   */
  readonly shapeResults?: boolean | ShapeOptions | undefined;
  /**
   * List prices of a model by its name, such as `prices` of `loadModelRegistry()` in `@palimpsest/tokens/models`. With
   * them, `records()` include dollars. @default none
   */
  readonly prices?: ((model: string) => ModelPrices | null) | undefined;
  /** Number of compactions that `undo` can revert. @default 8 */
  readonly keepCheckpoints?: number | undefined;
  /** Time limit of a hook in milliseconds. A hook that takes longer is skipped. @default 30_000 */
  readonly hookTimeoutMs?: number | undefined;
  /**
   * Timeout of a store operation in milliseconds. The first request waits at most 2,000 for the store. @default 10_000
   */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Counts tokens: a counter, or a function that returns the counter of a model. A provider's usage reports correct it.
   * @default `createModelCounter` of `@palimpsest/tokens/models`, which estimates
   */
  readonly tokens?: MessageTokenCounter | ModelCounter | undefined;
  /** Masks secrets in events and in what is stored. @default the redactor of `@palimpsest/redactor`, with word boundaries */
  readonly redact?: ((text: string) => string) | undefined;
  /** Separates a person's words from inserted text. @default `agentReader` of `@palimpsest/agents` */
  readonly reader?: MessageReader | undefined;
  /** Decides whether a person wrote a user message. @default true when the reader finds a person's words */
  readonly isFromPerson?: PersonRecognizer | undefined;
  /** Rules of the provider's wire format that repairs have to keep. @default 'openai' */
  readonly dialect?: Dialect | undefined;
  readonly clock?: Clock | undefined;
}

/** The largest tool results that are sent whole, as shares of the window. */
export interface ShapeOptions {
  /** Largest share for results in general, 0.01 to 1. @default 0.1 */
  readonly at?: number | undefined;
  /** Largest share for files that the model asked for, 0.01 to 1. @default 0.25 */
  readonly files?: number | undefined;
}

/** When a long-lived chat is compacted even below the engine's threshold. `false` turns a limit off. */
export interface HygieneOptions {
  /** Prompt size as a share of the window without the answer, 0.1 to 1. @default 0.85 */
  readonly at?: number | false | undefined;
  /** Number of messages that the model sees. @default 5_000 */
  readonly messages?: number | false | undefined;
  /** After a pause of `afterMs`, when the prompt cache is cold, compacts from this share of the threshold on. @default off; `at`: 0.5 */
  readonly idle?: { readonly afterMs: number; readonly at?: number | undefined } | undefined;
  /** Waits after hygiene compactions that failed in a row: after the first, the second, and so on. Milliseconds. @default [60_000, 300_000, 900_000] */
  readonly cooldownMs?: readonly number[] | undefined;
}

/** Limits that stop compaction loops. */
export interface LimitOptions {
  /**
   * Limits three things: passes in a row without an answer, refusals per user turn, and compactions per user turn that
   * call a model. After a compaction took effect, every eight answers allow one more that calls a model. @default 3
   */
  readonly attempts?: number | undefined;
  /**
   * Blocks further compactions after `compactions` of them within both `requests` requests and `withinMs` milliseconds.
   * @default { compactions: 6, requests: 8, withinMs: 600_000 }
   */
  readonly rapid?: { readonly compactions: number; readonly requests: number; readonly withinMs: number } | undefined;
}
