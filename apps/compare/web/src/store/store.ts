import { printable } from '@palimpsest/command-line/printable';
import { type Remote, wrap } from 'comlink';
import type { EngineSettings } from 'palimpsest/replay/engine-settings';
import type { ModelPrices } from 'palimpsest/replay/replay-cost';
import { oneLine } from '../one-line.ts';
import { initialSelection, type Selection } from '../selection.ts';
import { wholeStrip, type Zoom } from '../strip/zoom.ts';
import type { Given } from '../worker/open-sample.ts';
import type { PageWorker } from '../worker/page-worker.ts';
import PageWorkerProcess from '../worker/worker.ts?worker&inline';
import { newestOnly } from './newest-only.ts';
import { createQuestions, type Questions } from './questions.ts';
import {
  blankAnswers,
  type EngineAnswers,
  type HandoffPlace,
  initialState,
  type PaneTab,
  type StoreState,
} from './state.ts';

/** What to show first of a session. */
export interface Start {
  /** Which transcript of the file. @default 0 */
  readonly ordinal?: number;
  readonly settings?: Partial<EngineSettings>;
  readonly turn?: number;
  /** Index of the message to select. */
  readonly message?: number;
}

/** The page's state, and what changes it. */
export interface Store extends Questions {
  readonly state: StoreState;
  /**
   * Reads a transcript and runs the engines on it. The old results stay visible until the new ones are complete.
   * @returns whether it could be read
   */
  open(given: Given, start?: Start): Promise<boolean>;
  /** Shows a problem with a file that could not be loaded. */
  showProblem(problem: string): void;
  change(settings: Partial<EngineSettings>): void;
  /** Shows the prompts of one request; `null` for the end of the session. */
  showRequest(turn: number | null): void;
  /**
   * Selects a message.
   * @param chosen true for a click or a key, false while the pointer passes over it
   */
  select(selection: Selection, chosen: boolean): void;
  /** The pointer or the focus has left a message: shows the chosen one again. */
  leave(): void;
  showTab(tab: PaneTab): void;
  /** Shows a line in the tab with the handoffs. */
  showLine(place: HandoffPlace): void;
  zoom(zoom: Zoom): void;
  setPrices(prices: ModelPrices): void;
}

/** Starts the worker and creates the page's store. `changed` is called after each state change. */
export async function createStore(onChange: (state: StoreState) => void): Promise<Store> {
  const { worker, engines } = await startWorker();
  let state = initialState(engines);
  /** An open transcript whose figures are not complete yet. */
  let next: NextState | null = null;
  let loads = 0;
  const set = (change: Partial<StoreState>): void => {
    state = { ...state, ...change };
    onChange(state);
  };
  const queries = engines.map((engine) =>
    createEngineQuery(worker, engine, ({ loadId }, answers) => {
      const isNext = next !== null && loadId === next.loadId;
      if (!isNext && loadId !== state.loadId) return;
      const known = isNext ? next! : state;
      const change = { answers: { ...known.answers, [engine]: { ...known.answers[engine]!, ...answers } } };
      if (isNext) next = { ...next!, ...change };
      else set(change);
      if (next && isAnswered(next)) {
        const { message, ...ready } = next;
        next = null;
        const views = Object.values(ready.answers).map(({ view }) => view);
        const selection = initialSelection(ready.opened!.order, views, message);
        set({ ...ready, selection, reading: loads !== ready.loadId, place: null, zoom: wholeStrip });
      }
    }),
  );
  const askAll = (): void => {
    const query = next ?? state;
    if (query.opened) for (const ask of queries) ask(query);
  };
  return {
    get state() {
      return state;
    },
    async open(given, { ordinal = 0, settings: wanted, turn: request, message } = {}) {
      const loadId = ++loads;
      set({ reading: true, problem: null });
      const answer = await worker.open(given, ordinal).catch((error: unknown) => ({
        ok: false as const,
        problem: `${printable(given.name, 80)} could not be read (${oneLine(error)}); try a smaller file`,
      }));
      if (loadId !== loads) return false;
      if (!answer.ok) {
        set({ reading: next !== null, problem: answer.problem });
        return false;
      }
      const { opened } = answer;
      const settings = { ...state.settings, windowTokens: opened.window.tokens, ...wanted };
      const turn = request !== undefined && request < opened.recorded.sent.length - 1 ? request : null;
      next = { given, opened, loadId, settings, turn, message, answers: blankAnswers(engines) };
      askAll();
      return true;
    },
    // Names in it come from files and links.
    showProblem: (problem) => set({ problem: printable(problem, 400) }),
    change(changes) {
      set({ settings: { ...state.settings, ...changes } });
      if (next) next = { ...next, settings: { ...next.settings, ...changes } };
      askAll();
    },
    showRequest(turn) {
      if (next || !state.opened) return;
      const last = state.opened.recorded.sent.length - 1;
      set({ turn: turn === null || turn >= last ? null : Math.max(turn, 0) });
      askAll();
    },
    select(selection, chosen) {
      set({
        selection: { ...state.selection, ...(chosen ? { chosen: selection, passing: null } : { passing: selection }) },
      });
    },
    leave: () => {
      if (state.selection.passing) set({ selection: { ...state.selection, passing: null } });
    },
    showTab: (tab) => set({ tab, place: null }),
    showLine: (place) => set({ tab: 'handoff', place }),
    zoom: (zoom) => set({ zoom }),
    setPrices: (prices) => set({ prices }),
    ...createQuestions(worker, () => state),
  };
}

type NextState = Pick<StoreState, 'given' | 'opened' | 'loadId' | 'settings' | 'turn' | 'answers'> & {
  /** Index of the message to select. */
  readonly message: number | undefined;
};

function isAnswered({ answers }: NextState): boolean {
  return Object.values(answers).every(({ view, problem }) => view !== null || problem !== null);
}

/** @throws {Error} if the browser does not start workers */
async function startWorker(): Promise<{
  readonly worker: Remote<PageWorker>;
  readonly engines: readonly string[];
}> {
  const started = new PageWorkerProcess();
  const worker = wrap<PageWorker>(started);
  const failed = new Promise<never>((_, reject) => {
    started.addEventListener('error', () => reject(new Error('the browser blocked a worker')), { once: true });
  });
  return { worker, engines: await Promise.race([worker.engines(), failed]) };
}

/** What an engine is asked: the transcript, its settings, and the request to show. */
type EngineQuery = Pick<StoreState, 'loadId' | 'opened' | 'settings' | 'turn'>;

/** Returns a function that asks the worker about an engine and passes its answer to `onAnswer`. */
function createEngineQuery(
  worker: Remote<PageWorker>,
  engine: string,
  onAnswer: (query: EngineQuery, answers: Partial<EngineAnswers>) => void,
): (query: EngineQuery) => void {
  return newestOnly<EngineQuery>(
    async (query) => {
      const { settings, turn } = query;
      try {
        const answer = await worker.run(engine, settings, turn);
        if (answer) onAnswer(query, { ...answer, of: settings, turn, problem: null });
      } catch (error) {
        onAnswer(query, { problem: oneLine(error) });
      }
    },
    (running, newer) => {
      if (running.settings !== newer.settings || running.loadId !== newer.loadId) void worker.interrupt(engine);
    },
  );
}
