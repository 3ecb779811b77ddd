import { type ContextEngine, type Message, readHandoff, type TokenCounter } from '@palimpsest/core';
import { chainSteps } from '@palimpsest/eval/measures';
import { createSession } from '@palimpsest/session';
import type { OpenEngine } from '../engines/open-engine.ts';
import {
  type CutWithProbes,
  type Measured,
  type Measures,
  meanOf,
  measure,
  sharesOf,
  tokensOf,
} from './measure-told.ts';
import { compressWith, ownEngines } from './ways.ts';

/** Number of compactions in a row. */
export const stepCount = 10;
/** Target of each compaction, as a share of the tokens so far. */
export const stepTarget = 0.2;
/** Lines shorter than this may stand twice by chance. */
const shortestLine = 25;

/** Ten compactions in a row of one cut, and one compaction of the same history to the same tokens. */
interface Repetition {
  readonly cut: CutWithProbes;
  readonly repeated: Measured;
  readonly once: Measured;
  /** How many lines of the last handoff repeat an earlier line of it. */
  readonly repeatedLines: number;
  /** Number of lines of the last handoff. */
  readonly lines: number;
  /** Numbered actions that stood under another number in the handoff before, over all steps. */
  readonly renumbered: number;
}

/** Results of one engine. */
export interface RepetitionRow {
  readonly engine: string;
  readonly cuts: number;
  readonly repeated: Measures;
  readonly once: Measures;
  /** Means over cuts: repeated lines and all lines of the last handoff, and renumbered actions over all steps. */
  readonly repeatedLines: number;
  readonly lines: number;
  readonly renumbered: number;
}

export async function measureRepetition(
  cuts: readonly CutWithProbes[],
  counter: TokenCounter,
): Promise<RepetitionRow[]> {
  const rows: RepetitionRow[] = [];
  for (const [engine, open] of Object.entries(ownEngines)) {
    const all: Repetition[] = [];
    for (const cut of cuts) if (cut.mustTokens <= cut.tokens * stepTarget) all.push(await repeat(open, cut, counter));
    rows.push({
      engine,
      cuts: all.length,
      repeated: sharesOf(all.map(({ cut, repeated }) => ({ cut, measured: repeated }))),
      once: sharesOf(all.map(({ cut, once }) => ({ cut, measured: once }))),
      repeatedLines: meanOf(all.map(({ repeatedLines }) => repeatedLines)),
      lines: meanOf(all.map(({ lines }) => lines)),
      renumbered: meanOf(all.map(({ renumbered }) => renumbered)),
    });
  }
  return rows;
}

async function repeat(open: OpenEngine, cut: CutWithProbes, counter: TokenCounter): Promise<Repetition> {
  let targetTokens = 0;
  const session = createSession({
    engine: (host) => withTarget(open(host, 200_000), () => targetTokens),
    model: { id: 'bench', contextLength: 2_000_000 },
    auto: false,
    hygiene: { at: false, messages: false },
  });
  let output: readonly Message[] = [];
  let renumbered = 0;
  let before = new Map<string, number>();
  for (const to of chainSteps(cut.past, stepCount, counter)) {
    const messages = cut.past.slice(0, to);
    targetTokens = Math.floor(tokensOf(messages, counter) * stepTarget);
    await session.compact({ messages });
    output = (await session.beforeRequest(messages)).messages;
    const actions = numberedActions(handoffText(output));
    for (const [action, number] of actions) if ((before.get(action) ?? number) !== number) renumbered++;
    before = actions;
  }
  await session.end();
  const size = Math.min(1, tokensOf(output, counter) / cut.tokens);
  const once = await compressWith(open, cut.past, size, counter);
  const lines = handoffText(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine);
  return {
    cut,
    repeated: measure(cut, output),
    once: measure(cut, once),
    repeatedLines: lines.length - new Set(lines).size,
    lines: lines.length,
    renumbered,
  };
}

/** Sessions compact to sizes of their own; here every compaction gets the bench's target. */
function withTarget(engine: ContextEngine, targetTokens: () => number): ContextEngine {
  return new Proxy(engine, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (key === 'compress')
        return (messages: readonly Message[], request: object) =>
          target.compress(messages, { ...request, targetTokens: targetTokens(), force: true });
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const handoffText = (messages: readonly Message[]): string =>
  messages.map((message) => readHandoff(message)?.body ?? '').join('\n');

/** Returns the numbers of the listed actions. An action that is listed twice counts once. */
export function numberedActions(handoff: string): Map<string, number> {
  const actions = new Map<string, number>();
  const twice = new Set<string>();
  let isActions = false;
  for (const line of handoff.split('\n')) {
    if (line.startsWith('## ')) isActions = /action|accomplished/i.test(line);
    const [, number, action] = (isActions && /^(\d{1,4})\. (.{10,})/.exec(line)) || [];
    if (action === undefined) continue;
    if (actions.has(action)) twice.add(action);
    actions.set(action, Number(number));
  }
  for (const action of twice) actions.delete(action);
  return actions;
}
