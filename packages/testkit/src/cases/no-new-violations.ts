import {
  type Dialect,
  dialects,
  type Message,
  type Origin,
  type Violation,
  validateTranscript,
} from '@palimpsest/core';
import { type CaseDefinition, fail, resultCase } from '../case-definition.ts';
import { pendingCallsOf } from './pending-calls-kept.ts';

/**
 * Checks every dialect, not only the host's, because a transcript outlives the model it was written for. A violation in
 * the output must involve only input messages and must already exist in the input. A user message that followed another
 * one may now follow an inserted one, in dialects other than the host's and after the pending tool calls, which stays
 * in front of it. An assistant message that preceded another one may now precede a later one.
 */
export const noNewViolations: CaseDefinition = resultCase(
  2,
  'adds no violation that a provider rejects',
  (result, scenario) => {
    const { messages, provenance } = result;
    const pendingEnd = pendingCallsOf(scenario.messages)?.to ?? scenario.messages.length;
    for (const dialect of dialects) {
      const before = violations(scenario.messages, dialect);
      const known = new Set(before.map((violation) => keyOf(violation, (at) => at)));
      const pairs = before.filter(({ rule }) => rule === 'roles-not-alternating');
      const seconds = new Set(pairs.map(({ index }) => index));
      const firsts = new Set(
        pairs.map(({ involved }) => involved[0]!).filter((at) => scenario.messages[at]!.role === 'assistant'),
      );
      for (const violation of violations(messages as readonly Message[], dialect)) {
        const what = `${dialect}: ${violation.rule} at message ${violation.index} of the output (${violation.reason})`;
        const sources = violation.involved.map((at) => sourceOf(provenance.output[at]!));
        const at = sourceOf(provenance.output[violation.index]!);
        const isSecond = violation.rule === 'roles-not-alternating' && at !== null && seconds.has(at);
        if (isSecond && (dialect !== scenario.dialect || at >= pendingEnd)) continue;
        const inserted = sources.indexOf(null);
        if (inserted >= 0) fail(`${what}; it involves inserted message ${violation.involved[inserted]}`);
        if (violation.rule === 'roles-not-alternating' && firsts.has(sources[0]!)) continue;
        if (!known.has(keyOf(violation, (at) => sourceOf(provenance.output[at]!)!)))
          fail(`${what}; the input has no such violation`);
      }
    }
  },
);

function violations(messages: readonly Message[], dialect: Dialect): readonly Violation[] {
  return validateTranscript(messages, { dialect });
}

function sourceOf(origin: Origin): number | null {
  return origin.kind === 'inserted' ? null : origin.from;
}

/** Identifies a violation: two turns in a row by both messages, any other by the message at fault. */
function keyOf({ rule, index, involved }: Violation, source: (at: number) => number): string {
  if (rule === 'roles-not-alternating') return `${rule} ${involved.map(source).join(' ')}`;
  // Removing the messages in between can turn an unanswered call into one with a misplaced result: the same broken call.
  return `${rule === 'result-misplaced' ? 'call-unanswered' : rule} ${source(index)}`;
}
