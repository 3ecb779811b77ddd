import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Message } from '@palimpsest/core';
import { type FoundTranscript, readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';
import { measureSample, type Sample } from '@palimpsest/eval/inputs/sample';
import { expose } from 'comlink';
import { defaultSettings } from 'palimpsest/comparison/engine-settings';
import { messageText } from 'palimpsest/comparison/page/message-text';
import type { InputPrices } from 'palimpsest/comparison/replay/input-cost';
import { type Replay, replay } from 'palimpsest/comparison/replay/replay';
import { type SourceBlock, sourceBlocks } from 'palimpsest/comparison/strip-blocks';
import { chooseWindow, type WindowChoice } from 'palimpsest/comparison/window-choice';
import { oneLine } from '../one-line.ts';
import { builtInEngines } from './built-in-engines.ts';
import { fileInput, type Given } from './file-input.ts';
import { beginnings, messagesWith } from './message-search.ts';
import { messagesOf, type SentPrompt, wholeProvenance } from './sent-prompt.ts';
import type { TranscriptContents, TranscriptSource } from './transcript-source.ts';
import { writeReport } from './write-report.ts';

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
  readonly window: WindowChoice;
  /** The replay without an engine. */
  readonly recorded: Replay;
}

type OpenResult = { readonly ok: true; readonly opened: Opened } | { readonly ok: false; readonly problem: string };

/** The worker that reads files and holds the messages. */
export interface Reader {
  engines(): readonly string[];
  /** Reads one transcript of a file, or returns what is wrong with it in one line. */
  open(given: Given, ordinal: number): Promise<OpenResult>;
  /** The full text of a message. */
  text(index: number): string;
  /** The beginning of each message, on one line. */
  beginnings(): readonly string[];
  /** The indices of the messages whose text contains `query`. */
  find(query: string): readonly number[];
  /** A prompt as a transcript in the format of the file. */
  encode(sent: SentPrompt): string;
  /** A report about the engines' last prompts, as an HTML page. */
  report(engines: readonly SentPrompt[], windowTokens: number, prices: InputPrices): string;
  /** Gives another worker access to the contents. */
  connect(port: MessagePort): void;
}

/** Creates the object that the reader's worker exposes. Nothing is open at first. */
export function createReader(): Reader {
  let sample: Sample | null = null;
  let recorded: Replay | null = null;
  const current = (): Sample => {
    if (!sample) throw new Error('nothing is open');
    return sample;
  };
  return {
    engines: () => builtInEngines(defaultSettings).names,
    async open(given, ordinal) {
      try {
        const { found, more } = await transcriptAt(given, ordinal);
        const measured = measureSample(found);
        const opened = await describe(measured, ordinal, more);
        sample = measured;
        recorded = opened.recorded;
        return { ok: true, opened };
      } catch (error) {
        return { ok: false, problem: explained(given.name, error) };
      }
    },
    text: (index) => (sample?.messages[index] ? messageText(sample.messages[index] as Message) : ''),
    beginnings: () => beginnings(sample?.messages ?? []),
    find: (query) => messagesWith(sample?.messages ?? [], query),
    encode(sent) {
      const { found, messages } = current();
      const values = found.encode(messagesOf(sent, messages), wholeProvenance(sent, messages.length));
      return found.layout === 'lines'
        ? values.map((value) => `${JSON.stringify(value)}\n`).join('')
        : `${JSON.stringify(values[0], null, 2)}\n`;
    },
    report: (engines, windowTokens, prices) =>
      writeReport(current(), recorded!, engines, { tokens: windowTokens, by: 'given' }, prices),
    connect(port) {
      const source: TranscriptSource = {
        async contents(): Promise<TranscriptContents> {
          const { id, file, messages, tools, format, dialect } = current().found;
          return { id, file, messages, tools, format, dialect };
        },
      };
      expose(source, port);
    },
  };
}

async function transcriptAt(given: Given, ordinal: number): Promise<{ found: FoundTranscript; more: boolean }> {
  const transcripts = readTranscripts(fileInput(given));
  try {
    for (let at = 0; ; at++) {
      const { value, done } = await transcripts.next();
      if (done)
        throw CliError.badInput(
          `${printable(given.name, 80)} has no transcript number ${ordinal + 1}; choose another one, or another file`,
        );
      if (at < ordinal) continue;
      const following = await transcripts.next().catch(() => null);
      return { found: value, more: following !== null && !following.done };
    }
  } finally {
    await transcripts.return(undefined).catch(() => undefined);
  }
}

async function describe(sample: Sample, ordinal: number, more: boolean): Promise<Opened> {
  const { found, promptTokens, overheadTokens, tokens, messages } = sample;
  return {
    id: found.id,
    file: found.file,
    ordinal,
    more,
    promptTokens,
    overheadTokens,
    blocks: sourceBlocks(sample),
    window: await chooseWindow(sample, builtInEngines(defaultSettings)),
    recorded: (await replay(messages, null, { tokens, overheadTokens })).figures,
  };
}

function explained(name: string, error: unknown): string {
  if (error instanceof CliError) return printable(error.message, 400);
  return `${printable(name, 80)} could not be read (${oneLine(error)}); choose a transcript in JSON, or with one JSON value per line`;
}
