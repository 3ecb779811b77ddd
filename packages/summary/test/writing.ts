import { agentReader } from '@palimpsest/agents';
import { type ContextEvent, createHost, type EngineHost, type Message, type Summarizer } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { manualClock, quarterCounter } from '@palimpsest/testkit';
import { handoffTemplate, parseSummary, type SummaryInput, type SummaryResult, writeSummary } from '../src/index.ts';

/** Options of {@link write}. */
export interface Writing extends Partial<Omit<SummaryInput, 'transcript'>> {
  readonly summarizer?: Summarizer | undefined;
  readonly fallbackSummarizer?: Summarizer | undefined;
  readonly redact?: ((text: string) => string) | undefined;
  readonly events?: ContextEvent[] | undefined;
}

function hostFor({ summarizer, fallbackSummarizer, redact, events }: Writing): EngineHost {
  return createHost({
    tokens: quarterCounter,
    reader: agentReader,
    redact: redact ?? ((text) => text),
    clock: manualClock(),
    emit: (event) => events?.push(event),
    summarizer,
    fallbackSummarizer,
  });
}

/** Summarizes all messages, or those in `sources`. */
export function write(messages: readonly Message[], over: Writing = {}): Promise<SummaryResult> {
  return writeSummary(
    {
      transcript: Transcript.of(messages, quarterCounter, { reader: agentReader }),
      sources: over.sources ?? [...messages.keys()],
      fresh: over.fresh,
      previousSummary: over.previousSummary ?? null,
      carriedSummary: over.carriedSummary,
      template: over.template,
      budgetTokens: over.budgetTokens ?? 2_000,
      engine: 'test',
      focusTopic: over.focusTopic,
      memoryContext: over.memoryContext,
      pins: over.pins,
      effort: over.effort ?? 'full',
      abortOnFailure: over.abortOnFailure ?? false,
      signal: over.signal,
      timeoutMs: over.timeoutMs,
    },
    hostFor(over),
  );
}

/** Returns the body of a summary; throws if there is none. */
export async function bodyOf(writing: Promise<SummaryResult>): Promise<string> {
  const result = await writing;
  if (result.kind === 'aborted') throw new Error(`aborted: ${result.failure.message}`);
  return result.body;
}

/** A page of a model: the given sections, or one that says that the work continues. */
export function pageOf(texts: Readonly<Record<string, string>> = { 'Key Decisions': 'The work goes on.' }): string {
  return Object.entries(texts)
    .map(([heading, text]) => `## ${heading}\n${text}`)
    .join('\n\n');
}

/** The text of a section of a handoff; `''` if it has none. */
export function sectionOf(body: string, heading: string): string {
  const { sections } = parseSummary(body, handoffTemplate);
  return sections[handoffTemplate.sections.findIndex((one) => one.heading === heading)] ?? '';
}

/** Text to make a message as long as a real one. */
export const filler: string = 'The scheduler reads its table before every single run of it.\n'.repeat(120);
