import type { AgentProfile, ResultMark } from '../agent-profile.ts';
import { anyName, atStart, startsWithAny } from '../any-of.ts';
import { knownAgents } from '../known-agents.ts';

/** Where the output of a tool result is, without harness text around it. */
export interface Unwrapped {
  /** The range of the output in the text. */
  readonly from: number;
  readonly to: number;
  /** The exit code in the marks; `null` if they state none. */
  readonly exitCode: number | null;
}

/** Reads the text that harnesses write into tool results. */
export interface ResultReader {
  /** Finds the output in a result. Reads only the two ends of the text. */
  unwrap(text: string): Unwrapped;
  /** True for a result that begins like that of a failed call. */
  isError(text: string): boolean;
  /** True for a result that begins like a user's answer, such as the refusal of a call. */
  isAnswer(text: string): boolean;
  /** True for the beginning of a result that says the call was not made, because the user refused it or another one failed. */
  isRefusal(text: string): boolean;
  /**
   * Returns the words with which a user refused a call, according to its result; `null` if the result quotes none.
   * Untrusted: the output of a program may begin in the same way.
   */
  refusalWords(text: string): string | null;
  /** Returns the path of the changed file if the beginning of a result states it; otherwise `null`. */
  readChangedFile(text: string): string | null;
}

/** Maximum characters to search for marks at each end of a result. */
const maxReach = 800;

/** Creates a reader of tool results from the profiles of agents. */
export function createResultReader(agents: readonly AgentProfile[]): ResultReader {
  const marks = agents.flatMap(({ results }) => results ?? []);
  const tags = marks.flatMap(({ tags: names = [] }) => names);
  const heads: readonly ResultMark[] = [
    ...marks.flatMap(({ heads: own = [] }) => own),
    ...(tags.length === 0 ? [] : [{ edge: '<', needs: '<', shape: new RegExp(`^<${anyName(tags)}>\\n?`) }]),
  ];
  const tails: readonly ResultMark[] = [
    ...(tags.length === 0 ? [] : [{ edge: '>', needs: '</', shape: new RegExp(`\\n?</${anyName(tags)}>\\s*$`) }]),
    ...marks.flatMap(({ tails: own = [] }) => own),
  ];
  const changed = atStart(marks.flatMap(({ changed: own = [] }) => own));
  const refusal = atStart(marks.flatMap(({ refusals = [] }) => refusals));
  const firsts = edges(heads);
  const lasts = edges(tails);
  return {
    isError: startsWithAny(marks.flatMap(({ errors = [] }) => errors)),
    isAnswer: startsWithAny(marks.flatMap(({ answers = [] }) => answers)),
    isRefusal: startsWithAny(marks.flatMap(({ refused = [] }) => refused)),
    refusalWords(text) {
      const found = refusal?.exec(text.slice(0, maxReach));
      return found ? text.slice(found[0].length).trim() || null : null;
    },
    readChangedFile: (text) =>
      changed
        ?.exec(text.slice(0, maxReach))
        ?.slice(1)
        .find((path) => path !== undefined)
        ?.trim() ?? null,
    unwrap(text) {
      let from = 0;
      let to = text.length;
      let exitCode: number | null = null;
      const opening = text.slice(0, maxReach);
      for (const { needs, shape } of firsts.has(opening.charAt(0)) ? heads : []) {
        const found = opening.includes(needs) ? shape.exec(opening.slice(from)) : null;
        if (!found) continue;
        from += found[0].length;
        if (found[1] !== undefined) exitCode ??= Number(found[1]);
      }
      const ending = text.slice(Math.max(from, to - maxReach)).trimEnd();
      for (const { needs, shape } of lasts.has(ending.slice(-1)) ? tails : []) {
        const start = Math.max(from, to - maxReach);
        const closing = text.slice(start, to);
        const found = closing.includes(needs) ? shape.exec(closing) : null;
        if (!found) continue;
        to = start + found.index;
        if (found[1] !== undefined) exitCode ??= Number(found[1]);
      }
      return { from, to, exitCode };
    },
  };
}

/** Reads the tool results of {@link knownAgents}. */
export const resultReader: ResultReader = /* @__PURE__ */ createResultReader(knownAgents);

function edges(marks: readonly ResultMark[]): ReadonlySet<string> {
  return new Set(marks.flatMap(({ edge }) => [...edge]));
}
