import { dialects } from '@palimpsest/core';
import { latestThresholdShare, shownType } from '@palimpsest/core/authoring';
import { SessionOptionCheck, shown } from './option-check.ts';
import { checkNames, hookNames } from './option-names.ts';
import type { SessionRecallOptions } from './recall-options.ts';
import type { LimitOptions, SessionOptions, ShapeOptions } from './session-options.ts';

/** The options with their defaults. */
export interface ResolvedOptions {
  readonly auto: boolean;
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
  /** True if the host asked for the tools, so that their names are taken. By default, they give way to other tools of these names. */
  readonly isRecallGiven: boolean;
}

/** By default, only a result that takes more than this share of the window is shortened before the model sees it. */
const largestUnread = 1 / 3;

/** The longest wait of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Checks the options and fills in the defaults. @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once */
export function resolveOptions(options: SessionOptions): ResolvedOptions {
  const check = new SessionOptionCheck();
  checkNames(check, options);
  checkValues(check, options);
  checkModel(check, options.model);
  const { auto, summaries = 'model', waitUntil } = options;
  // A value that is not an object was reported above.
  const hygiene = options.hygiene || {};
  const limits = options.limits || {};
  const { attempts, rapid = { compactions: 6, requests: 8, withinMs: 600_000 } } = limits;
  const resolved: ResolvedOptions = {
    auto: auto !== false,
    summaries,
    waitUntil,
    hygieneShare: check.limit('hygiene.at', hygiene.at, latestThresholdShare, 0.1, 1),
    hygieneMessages: check.limit('hygiene.messages', hygiene.messages, 5_000, 10, 1e9),
    idle: hygiene.idle
      ? {
          afterMs: check.number('hygiene.idle.afterMs', hygiene.idle.afterMs, 300_000, 1, 1e12),
          at: check.number('hygiene.idle.at', hygiene.idle.at, 0.5, 0, 1),
        }
      : null,
    cooldownMs: hygiene.cooldownMs ?? [60_000, 300_000, 900_000],
    attempts: check.number('limits.attempts', attempts, 3, 1, 20),
    rapid: {
      compactions: check.number('limits.rapid.compactions', rapid.compactions, 6, 2, 1_000),
      requests: check.number('limits.rapid.requests', rapid.requests, 8, 1, 1e6),
      withinMs: check.number('limits.rapid.withinMs', rapid.withinMs, 600_000, 1, 1e12),
    },
    compactTool: options.compactTool === true && auto !== false,
    keepCheckpoints: check.number('keepCheckpoints', options.keepCheckpoints, 8, 1, 1_000),
    hookTimeoutMs: check.number('hookTimeoutMs', options.hookTimeoutMs, 30_000, 1, longestTimer),
    shape: resolveShape(check, options.shapeResults),
    recall: resolveRecall(check, options.recall),
    isRecallGiven: options.recall !== undefined,
    storeTimeoutMs: check.number('storeTimeoutMs', options.storeTimeoutMs, 10_000, 1, longestTimer),
  };
  check.finish('createSession');
  return resolved;
}

function resolveShape(check: SessionOptionCheck, given: SessionOptions['shapeResults']): ResolvedOptions['shape'] {
  const isValid = given === undefined || typeof given === 'boolean' || (typeof given === 'object' && given !== null);
  check.expect(isValid, 'shapeResults', 'true, false, or { at, files }', shownType(given));
  if (!isValid || given === false) return null;
  if (given === undefined) return { at: largestUnread, files: largestUnread };
  const { at, files } = given === true ? {} : given;
  return {
    at: check.number('shapeResults.at', at, 0.1, 0.01, 1),
    files: check.number('shapeResults.files', files, 0.25, 0.01, 1),
  };
}

function resolveRecall(check: SessionOptionCheck, given: SessionOptions['recall']): SessionRecallOptions | null {
  const isValid = given === undefined || typeof given === 'boolean' || (typeof given === 'object' && given !== null);
  check.expect(isValid, 'recall', 'true, false, or an object of options', shownType(given));
  if (!isValid || given === false) return null;
  const options = given === undefined || given === true ? {} : given;
  const { store } = options;
  check.number('recall.maxTokens', options.maxTokens, 2_000, 200, 1e6);
  const isStore = store === undefined || (typeof store?.getItem === 'function' && typeof store.getKeys === 'function');
  check.expect(
    isStore,
    'recall.store',
    'a storage with getItem and getKeys, such as createStorage() of unstorage',
    shownType(store),
  );
  return options;
}

function checkModel(check: SessionOptionCheck, model: SessionOptions['model'] | undefined): void {
  if (typeof model !== 'object' || model === null) {
    check.expect(false, 'model', '{ id, contextLength } in tokens, 0 for an unknown window', shownType(model));
    return;
  }
  const { id, contextLength, maxInputTokens: most, reserveOutputTokens: reserve } = model;
  check.expect(typeof id === 'string', 'model.id', "the model's name as a text", shownType(id));
  const isLength = typeof contextLength === 'number' && contextLength >= 0;
  const length = 'a number of tokens, such as 32_000; 0 for an unknown window';
  check.expect(isLength, 'model.contextLength', length, shown(contextLength));
  const isMost = most === undefined || (Number.isFinite(most) && most > 0);
  check.expect(isMost, 'model.maxInputTokens', 'a number of tokens above 0', shown(most));
  const isReserve = reserve === undefined || (Number.isFinite(reserve) && reserve >= 0);
  check.expect(isReserve, 'model.reserveOutputTokens', 'a number of tokens, 0 or more', shown(reserve));
}

/** Checks the options that have no numeric range. Objects and secrets are shown by their type only. */
function checkValues(check: SessionOptionCheck, options: SessionOptions): void {
  const { engine, id, store, key, auto, hygiene, dialect } = options;
  const isEngine = typeof engine === 'function' || typeof engine?.compress === 'function';
  check.expect(isEngine, 'engine', 'an engine, or a function that creates one', shownType(engine));
  const isId = id === undefined || (typeof id === 'string' && id !== '');
  check.expect(isId, 'id', 'a text that is not empty', shown(id));
  const isStore = store === undefined || (typeof store?.load === 'function' && typeof store.save === 'function');
  const storage =
    'a store with load and save, such as fileStore(folder) or keyValueStore(createStorage()) of unstorage';
  check.expect(isStore, 'store', storage, shownType(store));
  check.expect(
    store === undefined || id !== undefined,
    'id',
    'a name for the stored state, because of store',
    shown(id),
  );
  const isKey = key === undefined || (typeof key === 'string' && key.length >= 16);
  check.expect(isKey, 'key', 'a secret of at least 16 characters', shownType(key));
  for (const group of ['hygiene', 'limits'] as const) {
    const given: unknown = options[group];
    const isGroup = given === undefined || (typeof given === 'object' && given !== null);
    check.expect(isGroup, group, 'an object with options; auto: false turns automatic compaction off', shown(given));
  }
  const { compactTool, prices, hooks, tokens, reader, clock, summaries } = options;
  if (hooks !== undefined) check.object('hooks', hooks, hookNames, 'an object of functions');
  const isWriter =
    summaries === undefined ||
    summaries === 'model' ||
    summaries === 'rules' ||
    typeof summaries?.summarize === 'function';
  check.expect(isWriter, 'summaries', "'model', 'rules', or a summarizer", shownSummaries(summaries));
  for (const name of ['redact', 'isRequest', 'waitUntil'] as const)
    check.expect(
      options[name] === undefined || typeof options[name] === 'function',
      name,
      'a function',
      shownType(options[name]),
    );
  const isCounter = tokens === undefined || typeof tokens === 'function' || typeof tokens?.countMessage === 'function';
  check.expect(
    isCounter,
    'tokens',
    'a token counter, such as createTokenCounter(), or a function from a model to its counter',
    shownType(tokens),
  );
  const isReader = reader === undefined || (typeof reader === 'object' && reader !== null);
  check.expect(isReader, 'reader', 'a reader, such as agentReader', shownType(reader));
  const isClock = clock === undefined || typeof clock?.now === 'function';
  check.expect(isClock, 'clock', 'a clock with now and schedule', shownType(clock));
  const isPrices = prices === undefined || typeof prices === 'function';
  check.expect(isPrices, 'prices', 'a function from a model name to its prices', shownType(prices));
  const isSwitch = compactTool === undefined || typeof compactTool === 'boolean';
  check.expect(isSwitch, 'compactTool', 'true or false', shown(compactTool));
  check.expect(auto === undefined || typeof auto === 'boolean', 'auto', 'true or false', shown(auto));
  const isDialect = dialect === undefined || dialects.includes(dialect);
  check.expect(isDialect, 'dialect', `one of ${dialects.join(', ')}`, shown(dialect));
  const waits: unknown = hygiene?.cooldownMs ?? [0];
  const isWaits = Array.isArray(waits) && waits.length > 0 && waits.every((wait) => wait >= 0);
  check.expect(isWaits, 'hygiene.cooldownMs', 'a list of waits in milliseconds', shown(waits));
}

function shownSummaries(given: unknown): string {
  return typeof given === 'string' ? shown(given) : shownType(given);
}
