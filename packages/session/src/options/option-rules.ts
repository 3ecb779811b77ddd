import {
  choiceRule,
  eitherRule,
  falseRule,
  filledTextRule,
  functionRule,
  groupRule,
  hostRules,
  methodsRule,
  modelRule,
  numberRule,
  type RulesOf,
  switchRule,
  timeoutRule,
} from '@palimpsest/core/authoring';
import { recallRules } from '@palimpsest/recall';
import type { SessionRecallOptions } from './recall-options.ts';
import type { SessionHooks } from './session-hooks.ts';
import type { HygieneOptions, LimitOptions, SessionOptions, ShapeOptions } from './session-options.ts';

const group = 'an object with options; auto: false turns automatic compaction off';

const hygiene: RulesOf<HygieneOptions> = {
  at: eitherRule(numberRule(0.1, 1), falseRule),
  messages: eitherRule(numberRule(10, 1e9), falseRule),
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

const { tokens, redact, reader, isFromPerson, dialect, clock, summarizer } = hostRules;
const { maxTokens, store, archive } = recallRules;
const recall: RulesOf<SessionRecallOptions> = { maxTokens, store, archive };

/** For functions whose options include those of a session. */
export const sessionRules: RulesOf<SessionOptions> = {
  engine: {
    ...eitherRule(methodsRule('an engine', 'compress'), { ...functionRule, expected: 'a function that creates one' }),
    isRequired: true,
  },
  model: modelRule,
  id: filledTextRule,
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
  auto: {
    expected: "true, false or 'window'",
    isValid: (value) => typeof value === 'boolean' || value === 'window',
  },
  summaries: eitherRule(choiceRule(['model', 'rules']), summarizer),
  waitUntil: functionRule,
  hygiene: groupRule(hygiene, group),
  limits: groupRule(limits, group),
  recall: eitherRule(switchRule, groupRule(recall)),
  compactTool: switchRule,
  shapeResults: eitherRule(switchRule, groupRule(shape, '{ at, files }')),
  prices: { ...functionRule, expected: 'a function from a model name to its prices' },
  keepCheckpoints: numberRule(1, 1_000),
  hookTimeoutMs: timeoutRule,
  storeTimeoutMs: timeoutRule,
  tokens: eitherRule(tokens, { ...functionRule, expected: 'a function from a model to its counter' }),
  redact,
  reader,
  isFromPerson,
  dialect,
  clock,
};
