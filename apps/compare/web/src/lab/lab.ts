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
  /** True when the settings nearby are worked out already. */
  readonly ahead: boolean;
}

export interface Lab {
  readonly state: LabState;
  open(given: Given, ordinal?: number): Promise<void>;
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
    ahead: false,
  };
  const foresight = createForesight(crew);
  let turned: keyof EngineSettings = 'windowTokens';
  let openings = 0;
  const set = (change: Partial<LabState>): void => {
    state = { ...state, ...change };
    changed(state);
  };
  const askers = [...crew.pairs].map(([engine, pair]) =>
    createAsker(crew, pair, ({ opening }, answers) => {
      if (opening === state.opening)
        set({ answers: { ...state.answers, [engine]: { ...state.answers[engine]!, ...answers } } });
      if (isSettled(state))
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
      if (opening !== openings) return;
      if (!answer.ok) {
        set({ reading: false, problem: answer.problem });
        return;
      }
      const { opened } = answer;
      const settings = { ...state.settings, windowTokens: opened.window.tokens };
      set({ reading: false, given, opened, opening, settings, answers: blank(engines), ahead: false });
      for (const ask of askers) ask({ opening, settings });
    },
    change(changes) {
      const settings = { ...state.settings, ...changes };
      turned = (Object.keys(changes)[0] as keyof EngineSettings | undefined) ?? turned;
      foresight.stop();
      set({ settings, ahead: false });
      if (state.opened) for (const ask of askers) ask({ opening: state.opening, settings });
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

function slowest({ answers }: LabState): number {
  return Math.max(...Object.values(answers).map(({ view }) => view?.value.row.milliseconds ?? 0));
}

function blank(engines: readonly string[]): Record<string, EngineAnswers> {
  return Object.fromEntries(engines.map((engine) => [engine, noAnswers]));
}

function oneLine(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error), 200);
}
