import type { Message } from '@palimpsest/core';
import { dialectOf, measureSample, type Sample } from '@palimpsest/eval/inputs/sample';
import { createEngineHost } from '@palimpsest/registry';
import { wrap } from 'comlink';
import type { EngineSettings } from 'palimpsest/comparison/engine-settings';
import { type PromptAt, promptAt, promptAtEnd } from 'palimpsest/comparison/replay/prompt-at';
import { promptRow } from 'palimpsest/comparison/replay/prompt-row';
import { type Replay, type ReplayRun, replay } from 'palimpsest/comparison/replay/replay';
import { sessionClock } from 'palimpsest/comparison/replay/session-clock';
import type { EngineRow } from 'palimpsest/comparison/run-engine';
import { type OutcomeBlock, type OutputBlock, outcomeBlocks, outputBlocks } from 'palimpsest/comparison/strip-blocks';
import { createAsyncCache } from './async-cache.ts';
import { builtInEngines } from './built-in-engines.ts';
import { createMask } from './mask.ts';
import {
  createRequestReading,
  type MessageReading,
  type RequestHandoffs,
  type RequestReading,
} from './request-reading.ts';
import type { SentPrompt } from './sent-prompt.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** The prompt of one request under one engine, as the page draws it. */
export interface EngineView {
  /** One block per recorded message up to the request. */
  readonly outcomes: readonly OutcomeBlock[];
  readonly output: readonly OutputBlock[];
}

/** One engine's replay of the session, and its prompt at one request. */
interface EngineAnswer {
  readonly replay: Replay;
  /** The figures of the last request. */
  readonly row: EngineRow;
  readonly view: EngineView;
}

/** The worker that runs one engine. Replays are cached by settings. */
export interface Runner {
  /** Loads the open transcript of the reader behind the port. */
  load(port: MessagePort): Promise<void>;
  /**
   * Replays the session with the engine; `null` if interrupted.
   * @param turn the request to show; `null` for the last one
   */
  run(settings: EngineSettings, turn: number | null): Promise<EngineAnswer | null>;
  /** The prompt of a request, for the worker that holds the file; `null` if interrupted. */
  sent(settings: EngineSettings, turn: number | null): Promise<SentPrompt | null>;
  /** Stops the running replay at its next compaction, because its result is no longer needed. */
  interrupt(): void;
  /** The handoffs of the prompt, and the names that it lost; `null` if interrupted. */
  handoffs(settings: EngineSettings, turn: number | null): Promise<RequestHandoffs | null>;
  /** What became of a message of the transcript; `null` if interrupted, or if it was not sent yet. */
  reading(settings: EngineSettings, turn: number | null, at: number): Promise<MessageReading | null>;
  /** A query with which the tool `recall` finds what is hidden of a message; `null` if none is known. */
  recallQuery(settings: EngineSettings, turn: number | null, at: number): Promise<string | null>;
}

class Interrupted extends Error {}

/** @param name the engine's name */
export function createRunner(name: string): Runner {
  let sample: Sample | null = null;
  let interruptions = 0;
  const opened = (): Sample => {
    if (!sample) throw new Error('no transcript was loaded');
    return sample;
  };
  const mask = createMask();
  const replays = createAsyncCache<EngineSettings, ReplayRun | null>((settings) => {
    const begun = interruptions;
    return replayOnce(name, opened(), settings, mask.redact, async () => {
      await nextMessage();
      if (interruptions !== begun) throw new Interrupted();
    });
  });
  const rows = new WeakMap<ReplayRun, EngineRow>();
  // The prompt that was shown last, because its texts are asked for next.
  let shown: { readonly run: ReplayRun; readonly turn: number; readonly prompt: PromptAt } | null = null;
  const promptOf = (run: ReplayRun, turn: number | null): PromptAt => {
    const last = run.figures.sent.length - 1;
    const at = Math.min(turn ?? last, last);
    if (shown?.run !== run || shown.turn !== at)
      shown = { run, turn: at, prompt: promptAt(opened().messages, run, at) };
    return shown.prompt;
  };
  // Only of the prompt that was read last, because its search index takes memory.
  let read: { readonly prompt: PromptAt; readonly reading: RequestReading } | null = null;
  const readingOf = async (settings: EngineSettings, turn: number | null): Promise<RequestReading | null> => {
    // Known already, because the page asks only about what it shows.
    const run = await replays.get(settings);
    if (!run) return null;
    const prompt = promptOf(run, turn);
    if (read?.prompt !== prompt) {
      read?.reading.release();
      read = { prompt, reading: createRequestReading(opened().found.id, prompt, mask.redact) };
    }
    return read.reading;
  };
  return {
    async load(port) {
      const contents = await wrap<TranscriptSource>(port).contents();
      // Transcripts are never written back here, so position, layout and encoder are placeholders.
      sample = measureSample({ ...contents, line: 1, layout: 'document', encode: (replaced) => replaced });
      mask.clear();
      replays.clear();
      shown = null;
      read?.reading.release();
      read = null;
    },
    async run(settings, turn) {
      const run = await replays.get(settings);
      if (!run) return null;
      const known = rows.get(run) ?? promptRow(name, opened(), run.figures, promptOf(run, null), settings.windowTokens);
      rows.set(run, known);
      return { replay: run.figures, row: known, view: viewOf(opened(), promptOf(run, turn)) };
    },
    async sent(settings, turn) {
      const run = await replays.get(settings);
      if (!run) return null;
      const prompt = turn === null ? promptAtEnd(opened().messages, run) : promptOf(run, turn);
      const { messages, provenance, edits } = prompt;
      const unchanged = provenance.output.map((origin) => (origin.kind === 'original' ? origin.from : null));
      return {
        row: promptRow(name, opened(), run.figures, prompt, settings.windowTokens),
        replay: run.figures,
        provenance,
        edits,
        messages: messages.map((message, at) => unchanged[at] ?? (message as Message)),
      };
    },
    interrupt: () => {
      interruptions++;
    },
    handoffs: async (settings, turn) => (await readingOf(settings, turn))?.handoffs() ?? null,
    reading: async (settings, turn, at) => (await readingOf(settings, turn))?.message(at) ?? null,
    recallQuery: async (settings, turn, at) => (await readingOf(settings, turn))?.recallQuery(at) ?? null,
  };
}

function viewOf(sample: Sample, prompt: PromptAt): EngineView {
  const part = { ...sample, messages: prompt.recorded };
  return { outcomes: outcomeBlocks(part, prompt), output: outputBlocks(part, prompt) };
}

async function replayOnce(
  name: string,
  sample: Sample,
  settings: EngineSettings,
  redact: (text: string) => string,
  pause: () => Promise<void>,
): Promise<ReplayRun | null> {
  const { messages, tokens, overheadTokens } = sample;
  const clock = sessionClock();
  const host = createEngineHost({ tokens, clock, redact, ...dialectOf(sample) });
  const engine = await builtInEngines(settings).start(name, host);
  await engine.updateModel({ id: 'unnamed', contextLength: settings.windowTokens });
  const targetTokens = settings.targetTokens ?? undefined;
  try {
    return await replay(messages, engine, { tokens, overheadTokens, targetTokens, clock, pause });
  } catch (error) {
    if (error instanceof Interrupted) return null;
    throw error;
  }
}

/** Yields to the event loop, so that pending messages to this worker are handled first. */
function nextMessage(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
