import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Message } from '@palimpsest/core';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { comparisonHead, pageFoot } from '@palimpsest/eval/page/page';
import { messageText, wholeText } from 'palimpsest/comparison/page/message-text';
import { sampleSection } from 'palimpsest/comparison/page/sample-section';
import { toComparison } from 'palimpsest/comparison/to-comparison';
import { defaultSettings, type EngineSettings } from 'palimpsest/replay/engine-settings';
import { type EngineReplay, replay } from 'palimpsest/replay/replay';
import type { ModelPrices } from 'palimpsest/replay/replay-cost';
import { chooseWindow, type WindowChoice } from 'palimpsest/replay/window-choice';
import { readingOrder, type SourceBlock, sourceBlocks } from 'palimpsest/strips/strip-blocks';
import { oneLine } from '../one-line.ts';
import { createBuiltInEngines } from './built-in-engines.ts';
import { type Given, openSample } from './open-sample.ts';
import { createRunner, type Runner } from './runner.ts';

const beginningLength = 160;

/** White space, and our own headings such as `[result of bash, call_1]`. */
const heading: RegExp = /^\s*\[(?:result of [^\]\n]{0,200}|reasoning)\]\s*/;

/** The open transcript without message texts: the main thread gets only sizes and styles. */
export interface Opened {
  readonly id: string;
  readonly file: string;
  /** Which transcript of the file, counted from 0. */
  readonly ordinal: number;
  /** Whether another transcript follows in the file. */
  readonly more: boolean;
  readonly promptTokens: number;
  readonly overheadTokens: number;
  readonly blocks: readonly SourceBlock[];
  /** The messages in the order in which they are worth showing. */
  readonly order: readonly number[];
  readonly window: WindowChoice;
  /** The replay without an engine. */
  readonly recorded: EngineReplay;
}

type OpenResult = { readonly ok: true; readonly opened: Opened } | { readonly ok: false; readonly problem: string };

/** The functions of {@link Runner}, for an engine by name. */
type OfEngine = {
  [Name in keyof Runner]: (engine: string, ...of: Parameters<Runner[Name]>) => ReturnType<Runner[Name]>;
};

/** The one worker of the page: it reads the transcript, runs the engines on it, and answers questions about both. */
export interface PageWorker extends Omit<OfEngine, 'result'> {
  engines(): readonly string[];
  /** Reads one transcript of a file, or returns what is wrong with it in one line. */
  open(given: Given, ordinal: number): Promise<OpenResult>;
  /** The full text of a message. */
  text(index: number): string;
  /** The beginning of each message, on one line. */
  beginnings(): readonly string[];
  /** The indices of the messages whose text contains `query`. */
  find(query: string): readonly number[];
  /** The page that `compare --html` writes, about the end of replays; `null` without any. Secrets are masked. */
  report(engines: readonly string[], settings: EngineSettings, prices: ModelPrices): Promise<string | null>;
}

/** Creates the object that the worker exposes. Nothing is open at first. */
export function createPageWorker(): PageWorker {
  const engines = createBuiltInEngines(defaultSettings).names;
  let sample: Sample | null = null;
  let recorded: EngineReplay | null = null;
  let runners: ReadonlyMap<string, Runner> = new Map();
  const runner = (engine: string): Runner => {
    const found = runners.get(engine);
    if (!found) throw new Error('nothing is open');
    return found;
  };
  return {
    engines: () => engines,
    async open(given, ordinal) {
      try {
        const found = await openSample(given, ordinal);
        const opened = await describe(found.sample, ordinal, found.more);
        sample = found.sample;
        recorded = opened.recorded;
        for (const outdated of runners.values()) outdated.interrupt();
        runners = new Map(engines.map((engine) => [engine, createRunner(engine, found.sample)]));
        return { ok: true, opened };
      } catch (error) {
        return { ok: false, problem: explainError(given.name, error) };
      }
    },
    text: (index) => (sample?.messages[index] ? messageText(sample.messages[index]) : ''),
    beginnings: () => beginnings(sample?.messages ?? []),
    find: (query) => messagesWith(sample?.messages ?? [], query),
    async report(names, settings, prices) {
      const of = sample;
      const answers = await Promise.all(names.map((engine) => runner(engine).result(settings)));
      const results = answers.filter((result) => result !== null);
      if (!of || results.length === 0) return null;
      const window = { tokens: settings.windowTokens, by: 'given' } as const;
      return comparisonHead + sampleSection(of, toComparison(of, window, prices, recorded, results), 1) + pageFoot;
    },
    run: (engine, ...of) => runner(engine).run(...of),
    interrupt: (engine) => runner(engine).interrupt(),
    writeCompacted: (engine, ...of) => runner(engine).writeCompacted(...of),
    handoffs: (engine, ...of) => runner(engine).handoffs(...of),
    reading: (engine, ...of) => runner(engine).reading(...of),
  };
}

async function describe(sample: Sample, ordinal: number, more: boolean): Promise<Opened> {
  const { found, promptTokens, overheadTokens } = sample;
  const blocks = sourceBlocks(sample);
  return {
    id: found.id,
    file: found.file,
    ordinal,
    more,
    promptTokens,
    overheadTokens,
    blocks,
    order: readingOrder(blocks),
    window: chooseWindow(promptTokens),
    recorded: (await replay(sample, null)).figures,
  };
}

function explainError(name: string, error: unknown): string {
  if (error instanceof CliError) return printable(error.message, 400);
  return `${printable(name, 80)} could not be read (${oneLine(error)}); choose a transcript in JSON, or with one JSON value per line`;
}

/** The beginning of each message on one line, for a list. */
function beginnings(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    const text = wholeText(message)
      .slice(0, beginningLength * 4)
      .replace(heading, '');
    return text.replace(/\s+/g, ' ').trim().slice(0, beginningLength);
  });
}

/** The indices of the messages whose text contains `query`, without regard to case. */
function messagesWith(messages: readonly Message[], query: string): readonly number[] {
  const wanted = query.toLowerCase();
  return messages.flatMap((message, at) => (wholeText(message).toLowerCase().includes(wanted) ? [at] : []));
}
