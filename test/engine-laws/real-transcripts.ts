import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { agentReader, isFromPerson } from '@palimpsest/agents';
import {
  type ContextEngine,
  contentWithoutHandoff,
  dialects,
  type EngineHost,
  isTextPart,
  type Message,
  PalimpsestError,
} from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import {
  createScriptedSummarizer,
  promptTokens,
  quarterCounter,
  scenarioFor,
  settle,
  summarizerFailures,
  testHost,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { newFaults } from './wire-checks.ts';

type MakeEngine = (host: EngineHost) => ContextEngine;

const folder = new URL('../../../shared/transcripts/', import.meta.url);
const present = existsSync(folder);
const deep = Boolean(process.env.PALIMPSEST_DEEP);

/** Cuts to test: all of them in a deep run, otherwise one for each file, the same in every run. */
function cutsOf(length: number, file: number): number[] {
  const all = Array.from({ length: Math.floor(length / 10) }, (_, index) => (index + 1) * 10);
  return deep || all.length < 2 ? all : [all[(file * 7 + 3) % all.length]!];
}

/** Compacts one cut. @returns broken promises that core does not check itself @throws those it does */
async function violationsOf(makeEngine: MakeEngine, messages: Message[], run: number): Promise<string[]> {
  const dialect = dialects[run % dialects.length]!;
  const failing = run % 3 === 1 ? summarizerFailures[run % summarizerFailures.length]! : null;
  const request = run % 5 === 4 ? { targetTokens: Math.round(promptTokens(messages) * 0.3) } : {};
  const scenario = scenarioFor(messages, [0.5, 0.25, 0.9][run % 3], { force: true, ...request }, dialect);
  const before = JSON.stringify(messages);
  const host = testHost({
    dialect,
    summarizer: createScriptedSummarizer(failing?.reply ?? writeShortSummary),
    redact: (text) => redact(text, { boundary: true }),
  });
  const engine = makeEngine(host);
  await engine.updateModel(scenario.model);
  const settled = await settle(engine.compress(messages, scenario.asked), host.clock);
  if (settled.kind !== 'fulfilled') {
    const { error } = settled as { error?: unknown };
    return [PalimpsestError.is(error) ? `${error.code}: ${error.message}` : `${settled.kind} ${String(error)}`];
  }
  const { messages: output, outcome, report, provenance } = settled.value;
  const found: string[] = [];
  if (JSON.stringify(messages) !== before) found.push('the input was changed');
  if (report.tokensAfter > report.tokensBefore) found.push('it grew');
  if (provenance.source.length !== messages.length || provenance.source.includes(undefined as never))
    found.push('a message has no outcome');
  if (failing && outcome === 'compacted' && report.modelCalls > 0) found.push(`${failing.name} was not said`);
  const sources = new Map<unknown, unknown>();
  provenance.output.forEach((origin, at) => {
    if (origin.kind !== 'inserted') sources.set(output[at], messages[origin.from]);
  });
  found.push(...newFaults(messages, output as Message[], { sources, dialect }));
  const wanted = Transcript.of(messages, quarterCounter, { reader: agentReader }).task;
  if (wanted) {
    const own = flat(messages[wanted.to - 1]!);
    const kept = output.some((message) => {
      const held = flat(message as Message).slice(-own.length);
      return held[0]?.endsWith(own[0]!) && own.every((part, index) => index === 0 || held[index] === part);
    });
    if (!kept) found.push('the current task is not in the output verbatim');
    if (!output.some((message, index) => isFromPerson(message as Message, index, output as Message[])))
      found.push('no request is left');
  }
  return found;
}

/** Texts of a user message by part, without a handoff before them. */
function flat(message: Message): string[] {
  const content = contentWithoutHandoff(message, agentReader);
  if (typeof content === 'string') return [content];
  return content.map((part) => (isTextPart(part) ? part.text : JSON.stringify(part)));
}

/** An engine for small windows on the real transcripts: all cuts in a deep run, otherwise some of them. */
export function realTranscriptLaws(makeEngine: MakeEngine): void {
  describe.skipIf(!present)('on real transcripts cut at every tenth message', () => {
    const files = present ? readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'INDEX.json') : [];
    it(`keeps every invariant${present ? '' : ' (skipped: no ../shared/transcripts here)'}`, async () => {
      let cuts = 0;
      const found: string[] = [];
      for (const [file, name] of files.entries()) {
        const { messages } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { messages: Message[] };
        for (const cut of cutsOf(messages.length, file)) {
          const violations = await violationsOf(makeEngine, messages.slice(0, cut), cuts++);
          found.push(...violations.map((violation) => `${name} cut at ${cut}: ${violation}`));
        }
      }
      console.log(`${cuts} cuts of ${files.length} real transcripts`);
      expect(found).toEqual([]);
      expect(cuts).toBeGreaterThan(40);
    }, 7_200_000);
  });
}
