import type { Message, Provenance } from '@palimpsest/core';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import type { EngineResult } from 'palimpsest/comparison/to-comparison';
import type { EngineRow } from 'palimpsest/measuring/run-engine';
import type { EngineSettings } from 'palimpsest/replay/engine-settings';
import { type PromptAt, promptAt, promptAtEnd } from 'palimpsest/replay/prompt-at';
import { promptRow } from 'palimpsest/replay/prompt-row';
import type { EngineReplay, ReplayRun } from 'palimpsest/replay/replay';
import { createReplayHost, replayEngine } from 'palimpsest/replay/replay-engine';
import { type OutcomeBlock, type OutputBlock, outcomeBlocks, outputBlocks } from 'palimpsest/strips/strip-blocks';
import { createBuiltInEngines } from './built-in-engines.ts';
import {
  createRequestReading,
  type MessageReading,
  type RequestHandoffs,
  type RequestReading,
} from './request-reading.ts';

/** The prompt of one request under one engine, as the page draws it. */
export interface EngineView {
  /** One block per recorded message up to the request. */
  readonly outcomes: readonly OutcomeBlock[];
  readonly output: readonly OutputBlock[];
}

/** One engine's replay of the session, and its prompt at one request. */
interface EngineAnswer {
  readonly replay: EngineReplay;
  /** The figures at the end of the session. */
  readonly row: EngineRow;
  readonly view: EngineView;
}

/** Runs one engine on one transcript. Replays are remembered by settings; an answer is `null` if its replay was interrupted. */
export interface Runner {
  /** Replays the session with the engine. @param turn the request to show; `null` for the end of the session */
  run(settings: EngineSettings, turn: number | null): Promise<EngineAnswer | null>;
  /** The transcript as compacted up to a request, in the format of the file. */
  writeCompacted(settings: EngineSettings, turn: number | null): Promise<string | null>;
  /** The prompt at the end of the session, for a report. */
  result(settings: EngineSettings): Promise<EngineResult | null>;
  /** Stops the running replay at its next compaction, because its result is no longer needed. */
  interrupt(): void;
  /** The handoffs of the prompt, and the names that it lost. */
  handoffs(settings: EngineSettings, turn: number | null): Promise<RequestHandoffs | null>;
  /** What became of a message of the transcript; `null` also if it was not sent yet. */
  reading(settings: EngineSettings, turn: number | null, at: number): Promise<MessageReading | null>;
}

class Interrupted extends Error {}

/** The number of replays to remember. */
const maxReplays = 64;

/** @param name the engine's name */
export function createRunner(name: string, sample: Sample): Runner {
  const host = createReplayHost(sample);
  let interruptions = 0;
  const replays = new Map<string, Promise<ReplayRun | null>>();
  const replayOnce = (settings: EngineSettings): Promise<ReplayRun | null> => {
    const key = JSON.stringify(settings);
    const begun = interruptions;
    const pause = async (): Promise<void> => {
      await nextMessage();
      if (interruptions !== begun) throw new Interrupted();
    };
    const { windowTokens, targetTokens } = settings;
    const options = { windowTokens, targetTokens: targetTokens ?? undefined, host, pause };
    const run =
      replays.get(key) ??
      replayEngine(createBuiltInEngines(settings), name, sample, options).catch((error: unknown) => {
        if (replays.get(key) === run) replays.delete(key);
        if (error instanceof Interrupted) return null;
        throw error;
      });
    replays.set(key, run);
    if (replays.size > maxReplays) replays.delete(replays.keys().next().value!);
    return run;
  };
  const rows = new WeakMap<ReplayRun, EngineRow>();
  // The prompt that was shown last, because its texts are asked for next.
  let shown: { readonly run: ReplayRun; readonly turn: number | null; readonly prompt: PromptAt } | null = null;
  const promptOf = (run: ReplayRun, turn: number | null): PromptAt => {
    if (shown?.run !== run || shown.turn !== turn) {
      const { messages } = sample;
      shown = { run, turn, prompt: turn === null ? promptAtEnd(messages, run) : promptAt(messages, run, turn) };
    }
    return shown.prompt;
  };
  const rowOf = (run: ReplayRun, { windowTokens }: EngineSettings): EngineRow =>
    promptRow(name, sample, run.figures, promptOf(run, null), windowTokens);
  let read: { readonly prompt: PromptAt; readonly reading: RequestReading } | null = null;
  const readingOf = async (settings: EngineSettings, turn: number | null): Promise<RequestReading | null> => {
    // Known already, because the page asks only about what it shows.
    const run = await replayOnce(settings);
    if (!run) return null;
    const prompt = promptOf(run, turn);
    if (read?.prompt !== prompt) read = { prompt, reading: createRequestReading(prompt) };
    return read.reading;
  };
  return {
    async run(settings, turn) {
      const run = await replayOnce(settings);
      if (!run) return null;
      const row = rows.get(run) ?? rowOf(run, settings);
      rows.set(run, row);
      return { replay: run.figures, row, view: viewOf(sample, promptOf(run, turn)) };
    },
    async writeCompacted(settings, turn) {
      const run = await replayOnce(settings);
      return run && encodePrompt(sample, promptOf(run, turn));
    },
    async result(settings) {
      const run = await replayOnce(settings);
      return run && { row: rowOf(run, settings), replay: run.figures, prompt: promptOf(run, null) };
    },
    interrupt: () => {
      interruptions++;
    },
    handoffs: async (settings, turn) => (await readingOf(settings, turn))?.handoffs() ?? null,
    reading: async (settings, turn, at) => (await readingOf(settings, turn))?.message(at) ?? null,
  };
}

function viewOf(sample: Sample, prompt: PromptAt): EngineView {
  const part = { ...sample, messages: prompt.recorded };
  return { outcomes: outcomeBlocks(part, prompt), output: outputBlocks(part, prompt) };
}

/** A prompt in the format of the file. */
function encodePrompt({ found }: Sample, { messages, provenance, recorded }: PromptAt): string {
  // Formats expect an outcome for the messages after the request, too.
  const later = found.messages.slice(recorded.length).map(() => ({ kind: 'dropped' as const, edit: 0, reasons: [] }));
  const whole: Provenance = { ...provenance, source: [...provenance.source, ...later] };
  const values = found.encode(messages as readonly Message[], whole);
  return found.layout === 'lines'
    ? values.map((value) => `${JSON.stringify(value)}\n`).join('')
    : `${JSON.stringify(values[0], null, 2)}\n`;
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
