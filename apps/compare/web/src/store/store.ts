import { printable } from '@palimpsest/command-line/printable';
import { defaultSettings, type EngineSettings } from '@palimpsest/comparison/engine-settings';
import type { Replay } from '@palimpsest/comparison/replay/replay';
import { neighbours } from '../controls/neighbours.ts';
import { initialSelection, type Selection, type SelectionState } from '../selection.ts';
import type { Given } from '../worker/file-input.ts';
import type { Opened } from '../worker/reader.ts';
import type { EngineView } from '../worker/runner.ts';
import { createEngineQuery } from './engine-query.ts';
import { createPrefetch } from './prefetch.ts';
import { startWorkers } from './workers.ts';

/** An answer and its settings. An older answer stays on the page until the next one arrives. */
interface Answer<T> {
  readonly of: EngineSettings;
  readonly value: T;
}

export interface EngineAnswers {
  readonly view: Answer<EngineView> | null;
  readonly replay: Answer<Replay> | null;
  /** Why a worker failed, in one line. */
  readonly problem: string | null;
}

/** A tab of the side pane. */
export type PaneTab = 'message' | 'handoff' | 'messages';

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
  readonly answers: Readonly<Record<string, EngineAnswers>>;
  /** The message that the side pane shows, and that every strip marks. */
  readonly selection: SelectionState;
  readonly tab: PaneTab;
  /** The setting changed last, if no figure changed with it; otherwise `null`. */
  readonly withoutEffect: keyof EngineSettings | null;
  /** True when the results for neighbouring settings are cached. */
  readonly ahead: boolean;
}

export interface Store {
  readonly state: StoreState;
  /**
   * Reads a transcript and runs the engines on it. The old results stay visible until the new ones are complete.
   * @returns whether it could be read
   */
  open(given: Given, ordinal?: number): Promise<boolean>;
  /** Shows a problem with a file that could not be loaded. */
  showProblem(problem: string): void;
  change(settings: Partial<EngineSettings>): void;
  /**
   * Selects a message.
   * @param chosen true for a click or a key, false while the pointer passes over it
   */
  select(selection: Selection, chosen: boolean): void;
  /** The pointer is no longer over a message: shows the chosen one again. */
  leave(): void;
  showTab(tab: PaneTab): void;
  /** The full text of a message of the transcript. */
  before(index: number): Promise<string>;
  /** The full text of a message of an engine's output. */
  after(engine: string, at: number): Promise<string>;
}

const noAnswers: EngineAnswers = { view: null, replay: null, problem: null };

/** Starts the workers and creates the page's store. `changed` is called after each state change. */
export async function createStore(changed: (state: StoreState) => void): Promise<Store> {
  const workers = await startWorkers();
  const engines = [...workers.pairs.keys()];
  let state: StoreState = {
    engines,
    reading: false,
    given: null,
    opened: null,
    loadId: 0,
    problem: null,
    settings: defaultSettings,
    answers: blank(engines),
    selection: initialSelection([]),
    tab: 'message',
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
  const queries = [...workers.pairs].map(([engine, pair]) =>
    createEngineQuery(workers, pair, ({ loadId }, answers) => {
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
          selection: initialSelection(ready.opened!.blocks),
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
    async open(given, ordinal = 0) {
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
      const settings = { ...state.settings, windowTokens: opened.window.tokens };
      next = { given, opened, loadId, settings, answers: blank(engines) };
      for (const ask of queries) ask({ loadId, settings });
      return true;
    },
    showProblem: (problem) => set({ problem }),
    change(changes) {
      const settings = { ...state.settings, ...changes };
      lastChanged = (Object.keys(changes)[0] as keyof EngineSettings | undefined) ?? lastChanged;
      prefetch.stop();
      set({ settings, withoutEffect: null, ahead: false });
      if (next) next = { ...next, settings: { ...next.settings, ...changes } };
      const { opened, loadId } = next ?? state;
      if (opened) for (const ask of queries) ask({ loadId, settings: (next ?? state).settings });
    },
    select(selection, chosen) {
      set({ selection: chosen ? { chosen: selection, passing: null } : { ...state.selection, passing: selection } });
    },
    leave: () => {
      if (state.selection.passing) set({ selection: { ...state.selection, passing: null } });
    },
    showTab: (tab) => set({ tab }),
    before: (index) => workers.reader.text(index),
    async after(engine, at) {
      const view = state.answers[engine]?.view;
      return view ? workers.pairs.get(engine)!.comparing.text(view.of, at) : '';
    },
  };
}

/** True when all results on the page are for the current settings. */
export function isSettled({ opened, reading, settings, answers }: StoreState): boolean {
  if (!opened || reading) return false;
  return Object.values(answers).every(
    ({ view, replay, problem }) => problem !== null || (view?.of === settings && replay?.of === settings),
  );
}

type NextState = Pick<StoreState, 'given' | 'opened' | 'loadId' | 'settings' | 'answers'>;

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
    Object.values(answers).map(({ view, replay }) => [
      view?.value.row.tokensAfter,
      view?.value.row.messagesAfter,
      view?.value.row.reachedThreshold,
      view?.value.row.fitsWindow,
      view?.value.row.outcomes,
      replay?.value.sent,
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
  return Math.max(...Object.values(answers).map(({ view }) => view?.value.row.milliseconds ?? 0));
}

function blank(engines: readonly string[]): Record<string, EngineAnswers> {
  return Object.fromEntries(engines.map((engine) => [engine, noAnswers]));
}

function oneLine(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error), 200);
}
