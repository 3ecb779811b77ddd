import { printable } from '@palimpsest/command-line/printable';
import { type EngineSettings, untouched } from '../../../src/engine-settings.ts';
import type { Replay } from '../../../src/replay/replay.ts';
import { neighbours } from '../controls/neighbours.ts';
import type { Given } from '../worker/file-input.ts';
import type { Opened } from '../worker/reader.ts';
import type { EngineView } from '../worker/runner.ts';
import { createAsker } from './asker.ts';
import { startCrew } from './crew.ts';
import { createForesight } from './foresight.ts';

/** An answer, and the settings it is for: older ones stay on the page until the newest are there. */
interface Answer<T> {
  readonly of: EngineSettings;
  readonly value: T;
}

export interface EngineAnswers {
  readonly view: Answer<EngineView> | null;
  readonly replay: Answer<Replay> | null;
  /** Why a worker could not answer at all, in one line. */
  readonly problem: string | null;
}

/** All that the page shows. */
export interface LabState {
  readonly engines: readonly string[];
  /** `reading`: a file was given and is not known yet. */
  readonly reading: boolean;
  readonly given: Given | null;
  readonly opened: Opened | null;
  /** Which opening `opened` is of: another for each file that could be read. */
  readonly opening: number;
  /** What is wrong with the file given last, in one line. */
  readonly problem: string | null;
  readonly settings: EngineSettings;
  readonly answers: Readonly<Record<string, EngineAnswers>>;
  /** The setting changed last, if no figure changed with it; otherwise `null`. */
  readonly withoutEffect: keyof EngineSettings | null;
  /** True when the settings nearby are worked out already. */
  readonly ahead: boolean;
}

export interface Lab {
  readonly state: LabState;
  /**
   * Reads a transcript and runs the engines on it. The old results stay visible until the new ones are complete.
   * @returns whether it could be read
   */
  open(given: Given, ordinal?: number): Promise<boolean>;
  /** Shows a problem with a file that could not be loaded. */
  complain(problem: string): void;
  change(settings: Partial<EngineSettings>): void;
  /** All that a message of the transcript says. */
  before(index: number): Promise<string>;
  /** All that a message of an engine's output says. */
  after(engine: string, at: number): Promise<string>;
}

const noAnswers: EngineAnswers = { view: null, replay: null, problem: null };

/** Joins the workers to what the page shows. `changed` is called after each change of the state. */
export async function openLab(changed: (state: LabState) => void): Promise<Lab> {
  const crew = await startCrew();
  const engines = [...crew.pairs.keys()];
  let state: LabState = {
    engines,
    reading: false,
    given: null,
    opened: null,
    opening: 0,
    problem: null,
    settings: untouched,
    answers: blank(engines),
    withoutEffect: null,
    ahead: false,
  };
  /** An open transcript whose figures are not complete yet. */
  let next: NextState | null = null;
  let settled: Settled | null = null;
  const foresight = createForesight(crew);
  let turned: keyof EngineSettings = 'windowTokens';
  let openings = 0;
  const set = (change: Partial<LabState>): void => {
    state = { ...state, ...change };
    changed(state);
  };
  const askers = [...crew.pairs].map(([engine, pair]) =>
    createAsker(crew, pair, ({ opening }, answers) => {
      const isNext = next !== null && opening === next.opening;
      if (!isNext && opening !== state.opening) return;
      const known = isNext ? next! : state;
      const change = { answers: { ...known.answers, [engine]: { ...known.answers[engine]!, ...answers } } };
      if (isNext) next = { ...next!, ...change };
      else set(change);
      if (next && isAnswered(next)) {
        const ready = next;
        next = null;
        set({ ...ready, reading: openings !== ready.opening, withoutEffect: null, ahead: false });
      }
      if (!isSettled(state)) return;
      const now = { opening: state.opening, settings: state.settings, figures: figuresOf(state) };
      if (settled?.settings !== now.settings || settled.opening !== now.opening)
        set({ withoutEffect: settled && withoutEffect(settled, now) });
      settled = now;
      foresight.begin(neighbours(state.settings, turned), slowest(state), () => set({ ahead: true }));
    }),
  );
  return {
    get state() {
      return state;
    },
    async open(given, ordinal = 0) {
      const opening = ++openings;
      foresight.stop();
      set({ reading: true, problem: null });
      const answer = await crew.reader.open(given, ordinal).catch((error: unknown) => ({
        ok: false as const,
        problem: `the reader gave up (${oneLine(error)}); try a smaller file`,
      }));
      if (opening !== openings) return false;
      if (!answer.ok) {
        set({ reading: next !== null, problem: answer.problem });
        return false;
      }
      const { opened } = answer;
      const settings = { ...state.settings, windowTokens: opened.window.tokens };
      next = { given, opened, opening, settings, answers: blank(engines) };
      for (const ask of askers) ask({ opening, settings });
      return true;
    },
    complain: (problem) => set({ problem }),
    change(changes) {
      const settings = { ...state.settings, ...changes };
      turned = (Object.keys(changes)[0] as keyof EngineSettings | undefined) ?? turned;
      foresight.stop();
      set({ settings, withoutEffect: null, ahead: false });
      if (next) next = { ...next, settings: { ...next.settings, ...changes } };
      const { opened, opening } = next ?? state;
      if (opened) for (const ask of askers) ask({ opening, settings: (next ?? state).settings });
    },
    before: (index) => crew.reader.text(index),
    async after(engine, at) {
      const view = state.answers[engine]?.view;
      return view ? crew.pairs.get(engine)!.comparing.text(view.of, at) : '';
    },
  };
}

/** True when everything on the page belongs to the settings it shows. */
export function isSettled({ opened, reading, settings, answers }: LabState): boolean {
  if (!opened || reading) return false;
  return Object.values(answers).every(
    ({ view, replay, problem }) => problem !== null || (view?.of === settings && replay?.of === settings),
  );
}

type NextState = Pick<LabState, 'given' | 'opened' | 'opening' | 'settings' | 'answers'>;

function isAnswered({ answers }: NextState): boolean {
  return Object.values(answers).every(({ view, problem }) => view !== null || problem !== null);
}

/** The page when its figures were last complete. */
interface Settled {
  readonly opening: number;
  readonly settings: EngineSettings;
  readonly figures: string;
}

/** All figures that a setting could change, as text for comparison. */
function figuresOf({ answers }: LabState): string {
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
  if (before.opening !== after.opening || before.figures !== after.figures) return null;
  const names = Object.keys(after.settings) as (keyof EngineSettings)[];
  const changed = names.filter((name) => before.settings[name] !== after.settings[name]);
  return changed.length === 1 ? changed[0]! : null;
}

function slowest({ answers }: LabState): number {
  return Math.max(...Object.values(answers).map(({ view }) => view?.value.row.milliseconds ?? 0));
}

function blank(engines: readonly string[]): Record<string, EngineAnswers> {
  return Object.fromEntries(engines.map((engine) => [engine, noAnswers]));
}

function oneLine(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error), 200);
}
