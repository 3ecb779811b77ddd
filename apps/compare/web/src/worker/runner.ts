import type { EngineSettings } from '@palimpsest/comparison/engine-settings';
import { messageText } from '@palimpsest/comparison/page/message-text';
import { type Replay, replay } from '@palimpsest/comparison/replay/replay';
import { sessionClock } from '@palimpsest/comparison/replay/session-clock';
import { type EngineRow, runEngine } from '@palimpsest/comparison/run-engine';
import { dialectOf, measureSample, type Sample } from '@palimpsest/comparison/sample';
import { type OutcomeBlock, type OutputBlock, outcomeBlocks, outputBlocks } from '@palimpsest/comparison/strip-blocks';
import type { CompressResult, Message } from '@palimpsest/core';
import { createEngineHost } from '@palimpsest/registry';
import { extractive } from '@palimpsest/summarizers/extractive';
import { wrap } from 'comlink';
import { createAsyncCache } from './async-cache.ts';
import { builtInEngines } from './built-in-engines.ts';
import { createMask, type Mask } from './mask.ts';
import type { TranscriptSource } from './messages-source.ts';

/** The result of one engine, as the page draws it. `outcomes` and `output` are empty if the engine threw. */
export interface EngineView {
  readonly row: EngineRow;
  readonly outcomes: readonly OutcomeBlock[];
  readonly output: readonly OutputBlock[];
}

/** The worker that runs one engine. Results are cached by settings. */
export interface Runner {
  /** Loads the open transcript of the reader behind the port. */
  load(port: MessagePort): Promise<void>;
  compare(settings: EngineSettings): Promise<EngineView>;
  /** Replays the session with the engine; `null` if interrupted. */
  replay(settings: EngineSettings): Promise<Replay | null>;
  /** Computes and caches a result in advance. */
  prepare(settings: EngineSettings, what: 'comparison' | 'replay'): Promise<void>;
  /** Stops the running replay at its next compaction, because its result is no longer needed. */
  interrupt(): void;
  /** The full text of a message of the output. */
  text(settings: EngineSettings, at: number): Promise<string>;
}

interface Compared {
  readonly view: EngineView;
  readonly result: CompressResult<Message> | null;
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
  // The settings of a prefetched replay in progress. It is interrupted when another replay is requested.
  let ahead: EngineSettings | null = null;
  const compared = createAsyncCache<EngineSettings, Compared>((settings) =>
    compareOnce(name, opened(), settings, mask.redact),
  );
  const replayed = createAsyncCache<EngineSettings, Replay | null>((settings) => {
    const begun = interruptions;
    return replayOnce(name, opened(), settings, mask.redact, async () => {
      await nextMessage();
      if (interruptions !== begun) throw new Interrupted();
    });
  });
  return {
    async load(port) {
      const contents = await wrap<TranscriptSource>(port).contents();
      // Transcripts are never written back here, so position, layout and encoder are placeholders.
      sample = measureSample({ ...contents, line: 1, layout: 'document', encode: (replaced) => replaced });
      mask.clear();
      compared.clear();
      replayed.clear();
    },
    compare: async (settings) => (await compared.get(settings)).view,
    async replay(settings) {
      if (ahead !== null && JSON.stringify(ahead) !== JSON.stringify(settings)) interruptions++;
      const begun = interruptions;
      const answer = await replayed.get(settings);
      // `null` may come from a prefetch that was interrupted before this call; then run it again.
      return answer ?? (interruptions === begun ? replayed.get(settings) : null);
    },
    async prepare(settings, what) {
      if (!sample) return;
      if (what === 'comparison') {
        await compared.get(settings);
        return;
      }
      ahead = settings;
      await replayed.get(settings).finally(() => {
        if (ahead === settings) ahead = null;
      });
    },
    interrupt: () => {
      interruptions++;
    },
    async text(settings, at) {
      const message = (await compared.get(settings)).result?.messages[at];
      return message ? messageText(message as Message) : '';
    },
  };
}

async function compareOnce(
  name: string,
  sample: Sample,
  settings: EngineSettings,
  redact: Mask['redact'],
): Promise<Compared> {
  const { row, result } = await runEngine(builtInEngines(settings), name, sample, settings.windowTokens, {
    summarizer: extractive(),
    redact,
    targetTokens: settings.targetTokens ?? undefined,
    signal: new AbortController().signal,
  });
  return {
    result,
    view: {
      row,
      outcomes: result ? outcomeBlocks(sample, result) : [],
      output: result ? outputBlocks(sample, result) : [],
    },
  };
}

async function replayOnce(
  name: string,
  sample: Sample,
  settings: EngineSettings,
  redact: Mask['redact'],
  pause: () => Promise<void>,
): Promise<Replay | null> {
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
