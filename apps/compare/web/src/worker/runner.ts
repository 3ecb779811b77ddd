import type { CompressResult, Message } from '@palimpsest/core';
import { createEngineHost } from '@palimpsest/registry';
import { extractive } from '@palimpsest/summarizers/extractive';
import { wrap } from 'comlink';
import type { EngineSettings } from '../../../src/engine-settings.ts';
import { messageText } from '../../../src/page/message-text.ts';
import { type Replay, replay } from '../../../src/replay/replay.ts';
import { sessionClock } from '../../../src/replay/session-clock.ts';
import { type EngineRow, runEngine } from '../../../src/run-engine.ts';
import { dialectOf, measureSample, type Sample } from '../../../src/sample.ts';
import { type OutcomeBlock, type OutputBlock, outcomeBlocks, outputBlocks } from '../../../src/strip-blocks.ts';
import { createAsyncCache } from './async-cache.ts';
import { builtInEngines } from './built-in-engines.ts';
import { createMask, type Mask } from './mask.ts';
import type { TranscriptSource } from './messages-source.ts';

/** What one engine made of the transcript, as it is drawn. No outcomes and no output when the engine threw. */
export interface EngineView {
  readonly row: EngineRow;
  readonly outcomes: readonly OutcomeBlock[];
  readonly output: readonly OutputBlock[];
}

/** The worker that runs one engine; everything it did for settings seen before is remembered. */
export interface Runner {
  /** Takes over the transcript that the reader behind the port has open. */
  load(port: MessagePort): Promise<void>;
  compare(settings: EngineSettings): Promise<EngineView>;
  /** The session lived through with the engine; `null` when it was interrupted. */
  replay(settings: EngineSettings): Promise<Replay | null>;
  /** Works out in advance what may be asked for later. */
  prepare(settings: EngineSettings, what: 'comparison' | 'replay'): Promise<void>;
  /** Ends a replay under way at its next compaction: nobody waits for it any more. */
  interrupt(): void;
  /** All that a message of the output says. */
  text(settings: EngineSettings, at: number): Promise<string>;
}

interface Compared {
  readonly view: EngineView;
  readonly result: CompressResult<Message> | null;
}

class Interrupted extends Error {}

/** @param name the engine's */
export function createRunner(name: string): Runner {
  let sample: Sample | null = null;
  let interruptions = 0;
  const opened = (): Sample => {
    if (!sample) throw new Error('no transcript was loaded');
    return sample;
  };
  const mask = createMask();
  // The replay that is worked out in advance: it makes way when another is asked for.
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
      // Nothing is written back here, wherever the transcript stood in its file.
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
      // What was under way already may have been interrupted before it was asked for.
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

/** Lets a message that waits for this worker come in first. */
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
