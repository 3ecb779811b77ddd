import { dialects } from '@palimpsest/core';
import {
  functionRule,
  groupRule,
  isRecord,
  methodsRule,
  modelRule,
  numberRule,
  type OptionRule,
  shownValue,
  switchRule,
} from '@palimpsest/core/authoring';
import { recallRules } from '@palimpsest/recall';
import type { SessionRecallOptions } from './recall-options.ts';
import type { SessionHooks } from './session-hooks.ts';
import type { HygieneOptions, LimitOptions, SessionOptions, ShapeOptions } from './session-options.ts';

/** A rule for each option. The compiler rejects a list that is not complete. */
type RulesOf<Options> = { readonly [Name in keyof Options]-?: OptionRule };

/** The longest wait of a timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

const group = 'an object with options; auto: false turns automatic compaction off';

function orRule(own: OptionRule, isOther: (value: unknown) => boolean, expected: string = own.expected): OptionRule {
  return { ...own, expected, isValid: (value) => isOther(value) || own.isValid(value) };
}

const isSwitch = (value: unknown): boolean => typeof value === 'boolean';
const isFalse = (value: unknown): boolean => value === false;
const isText = (value: unknown): boolean => typeof value === 'string';

const hygiene: RulesOf<HygieneOptions> = {
  at: orRule(numberRule(0.1, 1), isFalse),
  messages: orRule(numberRule(10, 1e9), isFalse),
  idle: groupRule({ afterMs: numberRule(1, 1e12), at: numberRule(0, 1) }),
  cooldownMs: {
    expected: 'a list of waits in milliseconds',
    isValid: (value) => Array.isArray(value) && value.length > 0 && value.every((wait) => wait >= 0),
  },
};

const rapid = { compactions: numberRule(2, 1_000), requests: numberRule(1, 1e6), withinMs: numberRule(1, 1e12) };
const limits: RulesOf<LimitOptions> = { attempts: numberRule(1, 20), rapid: groupRule(rapid) };

const hooks: RulesOf<SessionHooks> = {
  beforeCompaction: functionRule,
  afterCompaction: functionRule,
  shrinkImage: functionRule,
  onEvent: functionRule,
};

const shape: RulesOf<ShapeOptions> = { at: numberRule(0.01, 1), files: numberRule(0.01, 1) };

const { maxTokens, store, archive } = recallRules;
const recall: RulesOf<SessionRecallOptions> = { maxTokens, store, archive };

/** For functions whose options include those of a session. */
export const sessionRules: RulesOf<SessionOptions> = {
  engine: {
    ...orRule(methodsRule('an engine, or a function that creates one', 'compress'), functionRule.isValid),
    isRequired: true,
  },
  model: modelRule,
  id: { expected: 'a non-empty string', isValid: (value) => isText(value) && value !== '', shown: shownValue },
  store: methodsRule(
    'a store with load and save, such as fileStore(folder) or keyValueStore(createStorage()) of unstorage',
    'load',
    'save',
  ),
  key: {
    expected: 'a secret of at least 16 characters',
    isValid: (value) => typeof value === 'string' && value.length >= 16,
  },
  hooks: groupRule(hooks, 'an object of functions'),
  auto: switchRule,
  summaries: orRule(
    methodsRule("'model', 'rules', or a summarizer", 'summarize'),
    (value) => value === 'model' || value === 'rules',
  ),
  waitUntil: functionRule,
  hygiene: groupRule(hygiene, group),
  limits: groupRule(limits, group),
  recall: orRule(groupRule(recall), isSwitch, 'true, false, or an object of options'),
  compactTool: switchRule,
  shapeResults: orRule(groupRule(shape), isSwitch, 'true, false, or { at, files }'),
  prices: { ...functionRule, expected: 'a function from a model name to its prices' },
  keepCheckpoints: numberRule(1, 1_000),
  hookTimeoutMs: numberRule(1, maxTimerMs),
  storeTimeoutMs: numberRule(1, maxTimerMs),
  tokens: orRule(
    methodsRule(
      'a token counter, such as createTokenCounter(), or a function from a model to its counter',
      'countMessage',
    ),
    functionRule.isValid,
  ),
  redact: functionRule,
  reader: { expected: 'a reader, such as agentReader', isValid: isRecord },
  isFromPerson: functionRule,
  dialect: {
    expected: `one of ${dialects.join(', ')}`,
    isValid: (value) => dialects.some((dialect) => dialect === value),
    shown: shownValue,
  },
  clock: methodsRule('a clock with now and schedule', 'now'),
};
