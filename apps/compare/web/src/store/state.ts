import type { EngineRow } from 'palimpsest/measuring/run-engine';
import { defaultSettings, type EngineSettings } from 'palimpsest/replay/engine-settings';
import type { EngineReplay } from 'palimpsest/replay/replay';
import { examplePrices, type ModelPrices } from 'palimpsest/replay/replay-cost';
import { initialSelection, type SelectionState } from '../selection.ts';
import { wholeStrip, type Zoom } from '../strip/zoom.ts';
import type { Given } from '../worker/open-sample.ts';
import type { Opened } from '../worker/page-worker.ts';
import type { EngineView } from '../worker/runner.ts';

/** An engine's newest results. They stay on the page until the next ones arrive. */
export interface EngineAnswers {
  readonly replay: EngineReplay | null;
  /** The figures at the end of the session. */
  readonly row: EngineRow | null;
  /** The prompt of one request of the replay. */
  readonly view: EngineView | null;
  /** The settings of these results; `null` before the first. */
  readonly of: EngineSettings | null;
  /** The request that `view` shows; `null` for the end of the session. */
  readonly turn: number | null;
  /** Why a worker failed, in one line. */
  readonly problem: string | null;
}

/** A tab of the side pane. */
export type PaneTab = 'message' | 'handoff' | 'messages';

/** A place in a handoff; `line: null` for its beginning. */
export interface HandoffPlace {
  readonly engine: string;
  /** Position of the handoff among those of the request. */
  readonly handoff: number;
  readonly line: number | null;
}

/** The state of the whole page. */
export interface StoreState {
  readonly engines: readonly string[];
  /** True while a file is being read. */
  readonly reading: boolean;
  readonly given: Given | null;
  readonly opened: Opened | null;
  /** Id of the load that produced `opened`; different for each file read. */
  readonly loadId: number;
  /** What is wrong with the last file, in one line. */
  readonly problem: string | null;
  readonly settings: EngineSettings;
  /** Index of the request that the page shows; `null` for the end of the session. */
  readonly turn: number | null;
  readonly answers: Readonly<Record<string, EngineAnswers>>;
  /** The message that the side pane shows, and that every strip marks. */
  readonly selection: SelectionState;
  readonly tab: PaneTab;
  /** The place in a handoff that a link leads to; `null` after another tab was opened. */
  readonly place: HandoffPlace | null;
  /** The part of the session that the strips show. */
  readonly zoom: Zoom;
  /** Prices for the costs. */
  readonly prices: ModelPrices;
}

const noAnswers: EngineAnswers = { replay: null, row: null, view: null, of: null, turn: null, problem: null };

/** The state before a session is open. */
export function initialState(engines: readonly string[]): StoreState {
  return {
    engines,
    reading: false,
    given: null,
    opened: null,
    loadId: 0,
    problem: null,
    settings: defaultSettings,
    turn: null,
    answers: blankAnswers(engines),
    selection: initialSelection([]),
    tab: 'message',
    place: null,
    zoom: wholeStrip,
    prices: examplePrices,
  };
}

/** The results of the engines before they have answered. */
export function blankAnswers(engines: readonly string[]): Record<string, EngineAnswers> {
  return Object.fromEntries(engines.map((engine) => [engine, noAnswers]));
}

/** Identifies the prompt of an engine that the page shows; `null` before there is one. */
export function questionOf({ loadId, answers }: StoreState, engine: string): string | null {
  const { of = null, turn = null } = answers[engine] ?? {};
  return of === null ? null : JSON.stringify([loadId, engine, turn, of]);
}

/** True when all results on the page are for the current settings. */
export function isSettled({ opened, reading, settings, turn, answers }: StoreState): boolean {
  if (!opened || reading) return false;
  return Object.values(answers).every(
    (answer) => answer.problem !== null || (answer.of === settings && answer.turn === turn),
  );
}
