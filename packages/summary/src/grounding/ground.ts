import type { EngineHost, LineSource, SummaryLine, SummaryTemplate } from '@palimpsest/core';
import { breakMarks, type Transcript } from '@palimpsest/core/authoring';
import { redactedMessage } from '@palimpsest/pruner/salience';
import { writeOfflineSummary } from '../offline/write-offline-summary.ts';
import type { RecordSections } from '../record/write-record.ts';
import { type Source, summaryMaterial } from '../source/gather-source.ts';
import { lineSources } from '../source/line-sources.ts';
import { messageTexts } from '../source/message-texts.ts';
import { formatWithin, missingHeadings, parseSummary } from '../template/parse-summary.ts';
import { roleMap } from '../template/section-role.ts';
import { userWords } from '../work-record/requests/user-words.ts';
import { rulesOf } from '../work-record/rules/stated-rules.ts';
import { addAnchors } from './add-anchors.ts';
import { addRecord } from './add-record.ts';
import { carryHistory } from './carry-history.ts';
import { carryInstructions } from './carry-instructions.ts';
import { carryPins } from './carry-pins.ts';
import { carryFoldedRules, carryRules } from './carry-rules.ts';
import { fitBudget } from './fit-budget.ts';
import { groundActiveTask } from './ground-active-task.ts';
import { type Grounded, type GroundingStep, type GroundTruth, sectionText } from './grounded.ts';
import { listReloads } from './list-reloads.ts';
import { markSummaryWords } from './mark-summary-words.ts';
import { markUnverified } from './mark-unverified.ts';
import { quoteReferred } from './quote-referred.ts';
import { removeReworded } from './remove-reworded.ts';
import { spokenLines } from './spoken-lines.ts';

/** Input of {@link ground}. */
export interface GroundInput {
  readonly transcript: Transcript;
  readonly source: Source;
  readonly template: SummaryTemplate;
  readonly record: RecordSections;
  /** Lines whose source is known, with indices in the transcript. */
  readonly lines: readonly SummaryLine[];
  readonly budgetTokens: number;
  /** Indices of messages to carry verbatim. */
  readonly pins: readonly number[];
  readonly focusTopic: string | null;
  readonly memoryContext: string | null;
  /** True if rules wrote the summary. It then needs fewer corrections. */
  readonly offline: boolean;
}

/** The corrections of a model's summary, in order. */
const modelSteps: readonly GroundingStep[] = [
  markSummaryWords,
  markUnverified,
  groundActiveTask,
  removeReworded,
  carryRules,
  carryInstructions,
  carryHistory,
  addRecord,
  quoteReferred,
  addAnchors,
  carryPins,
  listReloads,
  fitBudget,
];

/** The corrections of an offline summary, in order. */
const offlineSteps: readonly GroundingStep[] = [
  // Rules saw only the turns to summarize, so they could not know a newer request in the kept tail.
  (grounded, truth) => ({ ...groundActiveTask(grounded, truth), warnings: grounded.warnings }),
  carryFoldedRules,
  carryInstructions,
  carryPins,
  listReloads,
  fitBudget,
];

/** Corrects a summary according to the transcript, and redacts it. The warnings list the corrections. */
export function ground(
  text: string,
  input: GroundInput,
  host: EngineHost,
): { body: string; sources: readonly LineSource[]; warnings: readonly string[] } {
  const truth = groundTruth(input, host);
  const steps = input.offline ? offlineSteps : modelSteps;
  const { sections, warnings } = steps.reduce(
    (grounded, step) => step(grounded, truth),
    readSections(text, input, truth),
  );
  const body = host.redact(breakMarks(formatWithin(sections, input.template, input.budgetTokens, truth.countText)));
  return {
    body,
    sources: lineSources(body, [...spokenLines(truth), ...input.lines]),
    warnings: warnings.map((one) => host.redact(one)),
  };
}

/**
 * Returns the tokens that grounding adds to a summary by rules: the user's rules and the instructions to load again.
 * The writer leaves this room free, because {@link fitBudget} drops quotations by age, not by worth.
 */
export function restoredTokens(input: Pick<GroundInput, GroundingBasis>, host: EngineHost): number {
  const truth = groundTruth(input, host);
  const empty: Grounded = { sections: input.template.sections.map(() => ''), warnings: [] };
  const { sections } = listReloads(carryFoldedRules(empty, truth), truth);
  return truth.countText(sections[truth.roles.place('rules')] ?? '');
}

/** What the corrections read besides the summary. */
type GroundingBasis =
  | 'transcript'
  | 'source'
  | 'template'
  | 'record'
  | 'budgetTokens'
  | 'pins'
  | 'focusTopic'
  | 'memoryContext';

function groundTruth(
  { transcript, source, template, ...input }: Pick<GroundInput, GroundingBasis>,
  host: EngineHost,
): GroundTruth {
  const said = userWords(transcript, host);
  return {
    template,
    roles: roleMap(template),
    transcript,
    source,
    previous: parseSummary(source.previousSummary ?? '', template),
    said,
    stated: rulesOf(said, transcript, host),
    record: input.record,
    pins: input.pins,
    budgetTokens: input.budgetTokens,
    countText: (text) => host.tokens.countText(text),
    *knownTexts() {
      yield* [source.previousSummary, input.memoryContext, input.focusTopic].filter((text) => text !== null);
      for (const { message } of source.messages) yield* messageTexts(message);
      for (const message of transcript.messages) yield* messageTexts(redactedMessage(message, host));
    },
  };
}

/** Reads the sections of a summary. Sections without a heading in the text are taken from an offline summary. */
function readSections(text: string, input: GroundInput, { countText }: GroundTruth): Grounded {
  const { source, template, budgetTokens, focusTopic } = input;
  const { sections, repeated } = parseSummary(text, template);
  // Rules omit empty sections when there is little room.
  const missing = input.offline ? [] : missingHeadings(text, template);
  const warnings: string[] = [];
  if (repeated.length > 0) warnings.push(`The summary had ${quoted(repeated)} more than once; the texts were joined.`);
  const texts = sections.map((_, index) => sectionText(sections, index, template));
  if (missing.length === 0) return { sections: texts, warnings };
  warnings.push(`The summary lacked ${quoted(missing)}; the text was written by rules.`);
  const material = summaryMaterial(source, template, focusTopic);
  const written = parseSummary(writeOfflineSummary(material, { budgetTokens, countText }).text, template).sections;
  const lost = new Set(missing);
  return {
    sections: texts.map((own, index) => (lost.has(template.sections[index]!.heading) ? written[index]! : own)),
    warnings,
  };
}

function quoted(headings: readonly string[]): string {
  return headings.map((heading) => `"${heading}"`).join(', ');
}
