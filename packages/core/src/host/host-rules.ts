import { isRecord } from '../json/is-record.ts';
import { dialects } from '../messages/validate.ts';
import { choiceRule, eitherRule, functionRule, methodsRule, type RulesOf, textRule } from '../options/option-rules.ts';
import type { EngineHost } from './host.ts';

const summarizer = /* @__PURE__ */ methodsRule('a summarizer', 'summarize');

/** For options that become parts of a host. */
export const hostRules: RulesOf<EngineHost> = {
  tokens: /* @__PURE__ */ methodsRule('a token counter, such as createTokenCounter()', 'countMessage'),
  summarizer,
  fallbackSummarizer: summarizer,
  redact: functionRule,
  reader: { expected: 'a reader, such as agentReader', isValid: isRecord },
  isFromPerson: functionRule,
  dialect: /* @__PURE__ */ choiceRule(dialects),
  clock: /* @__PURE__ */ methodsRule('a clock with now and schedule', 'now', 'schedule'),
  handoffKey: /* @__PURE__ */ eitherRule(textRule, functionRule),
  emit: functionRule,
};
