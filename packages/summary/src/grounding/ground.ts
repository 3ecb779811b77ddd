import type { EngineHost, SummaryTemplate } from '@palimpsest/core';
import { breakMarks, type Transcript } from '@palimpsest/core/authoring';
import { redactedMessage } from '@palimpsest/salience';
import { userWords } from '@palimpsest/work-record';
import { writeOfflineSummary } from '../offline/write-offline-summary.ts';
import type { Source } from '../source/gather-source.ts';
import { materialOf } from '../source/material.ts';
import { textsOf } from '../source/message-texts.ts';
import { formatSummary, parseSummary } from '../template/parse-summary.ts';
import { roleMap } from '../template/section-role.ts';
import { addAnchors } from './add-anchors.ts';
import { carryHistory } from './carry-history.ts';
import { carryInstructions } from './carry-instructions.ts';
import { carryPins } from './carry-pins.ts';
import { carryRules } from './carry-rules.ts';
import { fillMissing } from './fill-missing.ts';
import { fitBudget } from './fit-budget.ts';
import { groundActiveTask } from './ground-active-task.ts';
import { type Grounded, type GroundTruth, sectionText } from './grounded.ts';
import { listReloads } from './list-reloads.ts';
import { markUnverified } from './mark-unverified.ts';

/** What a text is grounded in. */
export interface GroundInput {
  readonly transcript: Transcript;
  readonly source: Source;
  readonly template: SummaryTemplate;
  readonly budgetTokens: number;
  readonly pins: readonly number[];
  readonly focusTopic: string | null;
  readonly memoryContext: string | null;
  /** True for a text written by rules, which quotes and can invent nothing. */
  readonly offline: boolean;
}

/** Everything the transcript decides about a summary, whoever wrote it; redaction runs last. */
export function ground(
  text: string,
  input: GroundInput,
  host: EngineHost,
): { body: string; warnings: readonly string[] } {
  const { template, source, transcript } = input;
  const parsed = parseSummary(text, template);
  const truth: GroundTruth = {
    template,
    roles: roleMap(template),
    source,
    previous: parseSummary(source.previousSummary ?? '', template),
    said: userWords(transcript, host),
    budgetTokens: input.budgetTokens,
    countText: (any) => host.tokens.countText(any),
  };
  const written = (): readonly string[] =>
    parseSummary(
      writeOfflineSummary(materialOf(source, template, input.focusTopic), {
        budgetTokens: input.budgetTokens,
        countText: truth.countText,
      }),
      template,
    ).sections;
  let state: Grounded = {
    sections: parsed.sections.map((_, index) => sectionText(parsed.sections, index, template)),
    warnings: [],
  };
  if (parsed.repeated.length > 0)
    state = {
      ...state,
      warnings: [
        `The summary had ${parsed.repeated.map((heading) => `"${heading}"`).join(', ')} more than once; joined.`,
      ],
    };
  if (parsed.missing.length > 0) state = fillMissing(state, truth, parsed.missing, written());
  if (!input.offline) {
    state = markUnverified(state, truth, function* known() {
      yield* [source.previousSummary, input.memoryContext, input.focusTopic].filter((one) => one !== null);
      for (const { message } of source.messages) yield* textsOf(message);
      for (const message of transcript.messages) yield* textsOf(redactedMessage(message, host));
    });
  }
  const task = groundActiveTask(state, truth);
  // A writer by rules sees only the turns that go, so what is open behind them is no failing of its own.
  state = input.offline ? { ...task, warnings: state.warnings } : task;
  state = carryInstructions(carryRules(state, truth, transcript), truth);
  if (!input.offline) {
    state = carryHistory(state, truth);
    state = addAnchors(state, truth);
  }
  state = carryPins(state, truth, input.pins, source);
  state = listReloads(state, truth, transcript);
  state = fitBudget(state, truth);
  return {
    body: host.redact(breakMarks(formatSummary(state.sections, template))),
    warnings: state.warnings.map((one) => host.redact(one)),
  };
}
