import { printable } from '@palimpsest/command-line/printable';
import { defaultSettings, type EngineSettings } from '@palimpsest/comparison/engine-settings';
import { examplePrices, type InputPrices } from '@palimpsest/comparison/replay/input-cost';
import type { Replay } from '@palimpsest/comparison/replay/replay';
import type { EngineRow } from '@palimpsest/comparison/run-engine';
import { neighbours } from '../controls/neighbours.ts';
import { initialSelection, type Selection, type SelectionState } from '../selection.ts';
import { wholeStrip, type Zoom } from '../strip/zoom.ts';
import type { Given } from '../worker/file-input.ts';
import type { Opened } from '../worker/reader.ts';
import type { MessageReading, RequestHandoffs } from '../worker/request-reading.ts';
import type { EngineView } from '../worker/runner.ts';
import { createEngineQuery } from './engine-query.ts';
import { createPrefetch } from './prefetch.ts';
import { startWorkers } from './workers.ts';

/** An engine's newest results. They stay on the page until the next ones arrive. */
export interface EngineAnswers {
  readonly replay: Replay | null;
  /** The figures of the last request. */
  readonly row: EngineRow | null;
  /** The prompt of one request of the replay. */
  readonly view: EngineView | null;
  /** The settings of these results; `null` before the first. */
  readonly of: EngineSettings | null;
  /** The request that `view` shows; `null` for the last one. */
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
  /** Index of the request that the page shows; `null` for the last one. */
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
  readonly prices: InputPrices;
  /** The setting changed last, if no figure changed with it; otherwise `null`. */
  readonly withoutEffect: keyof EngineSettings | null;
  /** True when the results for neighbouring settings are cached. */
  readonly ahead: boolean;
}

/** What to show first of a session. */
export interface Start {
  /** Which transcript of the file. @default 0 */
  readonly ordinal?: number;
  readonly settings?: Partial<EngineSettings>;
  readonly turn?: number;
  /** Index of the message to select. */
  readonly message?: number;
}

export interface Store {
  readonly state: StoreState;
  /**
   * Reads a transcript and runs the engines on it. The old results stay visible until the new ones are complete.
   * @returns whether it could be read
   */
  open(given: Given, start?: Start): Promise<boolean>;
  /** Shows a problem with a file that could not be loaded. */
  showProblem(problem: string): void;
  change(settings: Partial<EngineSettings>): void;
  /** Shows the prompts of one request; `null` for the last one. */
  showRequest(turn: number | null): void;
  /**
   * Selects a message.
   * @param chosen true for a click or a key, false while the pointer passes over it
   */
  select(selection: Selection, chosen: boolean): void;
  /** The pointer is no longer over a message: shows the chosen one again. */
  leave(): void;
  showTab(tab: PaneTab): void;
  /** Shows a line in the tab with the handoffs. */
  showLine(place: HandoffPlace): void;
  zoom(zoom: Zoom): void;
  setPrices(prices: InputPrices): void;
  /** The transcript as an engine compacts it up to the request shown, in the file's format; `null` without a result. */
  compacted(engine: string): Promise<string | null>;
  /** A report of the whole session as an HTML page; `null` without results. */
  report(engines: readonly string[]): Promise<string | null>;
  /** The full text of a message of the transcript. */
  before(index: number): Promise<string>;
  /** The beginning of each message, on one line. */
  beginnings(): Promise<readonly string[]>;
  /** The indices of the messages whose text contains `query`. */
  find(query: string): Promise<readonly number[]>;
  /** The handoffs that an engine writes, and the names that are lost; `null` if there is no result. */
  handoffs(engine: string): Promise<RequestHandoffs | null>;
  /** What became of a message under an engine; `null` if there is no result. */
  readMessage(engine: string, index: number): Promise<MessageReading | null>;
  /** A query with which the tool `recall` finds what is hidden of a message; `null` if none is known. */
  recallQuery(engine: string, index: number): Promise<string | null>;
}

const noAnswers: EngineAnswers = { replay: null, row: null, view: null, of: null, turn: null, problem: null };

/** Starts the workers and creates the page's store. `changed` is called after each state change. */
export async function createStore(changed: (state: StoreState) => void): Promise<Store> {
  const workers = await startWorkers();
  const engines = [...workers.runners.keys()];
  let state: StoreState = {
    engines,
    reading: false,
    given: null,
    opened: null,
    loadId: 0,
    problem: null,
    settings: defaultSettings,
    turn: null,
    answers: blank(engines),
    selection: initialSelection([]),
    tab: 'message',
    place: null,
    zoom: wholeStrip,
    prices: examplePrices,
    withoutEffect: null,
    ahead: false,
  };
  /** An open transcript whose figures are not complete yet. */
  let next: NextState | null = null;
  let settled: Settled | null = null;
  const prefetch = createPrefetch(workers);
  let lastChanged: keyof EngineSettings = 'windowTokens';
  let loads = 0;
  const set = (change: Partial<StoreState>): void => {
    state = { ...state, ...change };
    changed(state);
  };
  const queries = [...workers.runners].map(([engine, runner]) =>
    createEngineQuery(workers, runner, ({ loadId }, answers) => {
      const isNext = next !== null && loadId === next.loadId;
      if (!isNext && loadId !== state.loadId) return;
      const known = isNext ? next! : state;
      const change = { answers: { ...known.answers, [engine]: { ...known.answers[engine]!, ...answers } } };
      if (isNext) next = { ...next!, ...change };
      else set(change);
      if (next && isAnswered(next)) {
        const ready = next;
        next = null;
        set({
          ...ready,
          reading: loads !== ready.loadId,
          place: null,
          zoom: wholeStrip,
          withoutEffect: null,
          ahead: false,
        });
      }
      if (!isSettled(state)) return;
      const now = { loadId: state.loadId, settings: state.settings, figures: figuresOf(state) };
      if (settled?.settings !== now.settings || settled.loadId !== now.loadId)
        set({ withoutEffect: settled && withoutEffect(settled, now) });
      settled = now;
      prefetch.begin(neighbours(state.settings, lastChanged), slowest(state), () => set({ ahead: true }));
    }),
  );
  return {
    get state() {
      return state;
    },
    async open(given, { ordinal = 0, settings: wanted, turn: request, message } = {}) {
      const loadId = ++loads;
      prefetch.stop();
      set({ reading: true, problem: null });
      const answer = await workers.reader.open(given, ordinal).catch((error: unknown) => ({
        ok: false as const,
        problem: `the reader failed (${oneLine(error)}); try a smaller file`,
      }));
      if (loadId !== loads) return false;
      if (!answer.ok) {
        set({ reading: next !== null, problem: answer.problem });
        return false;
      }
      const { opened } = answer;
      const settings = { ...state.settings, windowTokens: opened.window.tokens, ...wanted };
      const turn = request !== undefined && request < opened.recorded.sent.length - 1 ? request : null;
      const selection = initialSelection(opened.blocks, message);
      next = { given, opened, loadId, settings, turn, selection, answers: blank(engines) };
      for (const ask of queries) ask({ loadId, settings, turn });
      return true;
    },
    showProblem: (problem) => set({ problem }),
    change(changes) {
      const settings = { ...state.settings, ...changes };
      const names = Object.keys(changes) as (keyof EngineSettings)[];
      lastChanged = names.find((name) => changes[name] !== state.settings[name]) ?? lastChanged;
      prefetch.stop();
      set({ settings, withoutEffect: null, ahead: false });
      if (next) next = { ...next, settings: { ...next.settings, ...changes } };
      const { opened, loadId } = next ?? state;
      if (opened)
        for (const ask of queries) ask({ loadId, settings: (next ?? state).settings, turn: (next ?? state).turn });
    },
    showRequest(turn) {
      if (next || !state.opened) return;
      prefetch.stop();
      const last = state.opened.recorded.sent.length - 1;
      set({ turn: turn === null || turn >= last ? null : Math.max(turn, 0) });
      for (const ask of queries) ask({ loadId: state.loadId, settings: state.settings, turn: state.turn });
    },
    select(selection, chosen) {
      set({ selection: chosen ? { chosen: selection, passing: null } : { ...state.selection, passing: selection } });
    },
    leave: () => {
      if (state.selection.passing) set({ selection: { ...state.selection, passing: null } });
    },
    showTab: (tab) => set({ tab, place: null }),
    showLine: (place) => set({ tab: 'handoff', place }),
    zoom: (zoom) => set({ zoom }),
    setPrices: (prices) => set({ prices }),
    async compacted(engine) {
      const { of, turn } = state.answers[engine] ?? {};
      const sent = of ? await workers.runners.get(engine)!.sent(of, turn ?? null) : null;
      return sent && workers.reader.encode(sent);
    },
    async report(names) {
      const asked = names.map(async (engine) => {
        const { of } = state.answers[engine] ?? {};
        return of ? workers.runners.get(engine)!.sent(of, null) : null;
      });
      const sent = (await Promise.all(asked)).filter((one) => one !== null);
      return sent.length > 0 ? workers.reader.report(sent, state.settings.windowTokens, state.prices) : null;
    },
    before: (index) => workers.reader.text(index),
    beginnings: () => workers.reader.beginnings(),
    find: (query) => workers.reader.find(query),
    async handoffs(engine) {
      const answers = state.answers[engine];
      return answers?.of ? workers.runners.get(engine)!.handoffs(answers.of, answers.turn) : null;
    },
    async readMessage(engine, index) {
      const answers = state.answers[engine];
      return answers?.of ? workers.runners.get(engine)!.reading(answers.of, answers.turn, index) : null;
    },
    async recallQuery(engine, index) {
      const answers = state.answers[engine];
      return answers?.of ? workers.runners.get(engine)!.recallQuery(answers.of, answers.turn, index) : null;
    },
  };
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

type NextState = Pick<StoreState, 'given' | 'opened' | 'loadId' | 'settings' | 'turn' | 'selection' | 'answers'>;

function isAnswered({ answers }: NextState): boolean {
  return Object.values(answers).every(({ view, problem }) => view !== null || problem !== null);
}

/** A snapshot of the page with complete figures. */
interface Settled {
  readonly loadId: number;
  readonly settings: EngineSettings;
  readonly figures: string;
}

/** All figures that a setting could change, as text for comparison. */
function figuresOf({ answers }: StoreState): string {
  return JSON.stringify(
    Object.values(answers).map(({ row, replay }) => [
      row?.tokensAfter,
      row?.messagesAfter,
      row?.reachedThreshold,
      row?.fitsWindow,
      row?.outcomes,
      replay?.sent,
    ]),
  );
}

/** The setting that differs between two complete pages with the same figures; `null` unless exactly one does. */
function withoutEffect(before: Settled, after: Settled): keyof EngineSettings | null {
  if (before.loadId !== after.loadId || before.figures !== after.figures) return null;
  const names = Object.keys(after.settings) as (keyof EngineSettings)[];
  const changed = names.filter((name) => before.settings[name] !== after.settings[name]);
  return changed.length === 1 ? changed[0]! : null;
}

function slowest({ answers }: StoreState): number {
  return Math.max(...Object.values(answers).map(({ row }) => row?.milliseconds ?? 0));
}

function blank(engines: readonly string[]): Record<string, EngineAnswers> {
  return Object.fromEntries(engines.map((engine) => [engine, noAnswers]));
}

function oneLine(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error), 200);
}
