import { formatCount } from '@palimpsest/command-line/count';
import { wrapText } from '@palimpsest/command-line/plain-table';
import type { Share } from '../../measuring/kept.ts';
import { addReplays } from '../../replay/replay-figures.ts';
import type { ComparedEngine, ComparedSample } from '../to-comparison.ts';
import { type Candidate, isUsable } from '../verdict/better-engine.ts';
import { type Choice, chooseEngine } from '../verdict/choose-engine.ts';
import { applyStyle, type ScreenOptions, screenWidth } from './comparison-screen.ts';

/** The verdict on all sessions together; `null` for one session, and if one was not replayed with every engine. */
export function verdictOnAll(samples: readonly ComparedSample[]): Choice | null {
  const recorded = addReplays(samples.map((sample) => sample.recorded));
  const candidates = addEngines(samples);
  if (samples.length < 2 || !recorded || candidates.length === 0) return null;
  const without = { price: recorded.dollars, requests: recorded.requests, over: recorded.overWindow };
  return chooseEngine({ candidates, without, isPriced: true });
}

/** Formats the verdict on several sessions. */
export function totalsScreen({ sentences }: Choice, sessions: number, options: ScreenOptions): string {
  const { colours, next } = options;
  const text = sentences.map((words) => applyStyle(words, colours)).join(' ');
  const title = colours.bold(`All ${formatCount(sessions, 'session')} together`);
  return `${title}\n\n${wrapText(text, screenWidth(options))}\n\n${colours.dim('next:')} ${next}\n\n`;
}

/** The engines with the sums of their figures. None if a session was not replayed with each of them. */
function addEngines(samples: readonly ComparedSample[]): readonly Candidate[] {
  const sums = new Map<string, Candidate>();
  for (const { engines } of samples)
    for (const row of engines) {
      if (!row.replay) return [];
      const one = toCandidate(row, row.replay.dollars, row.replay.overWindow);
      const before = sums.get(row.engine);
      sums.set(row.engine, before ? addCandidates(before, one) : one);
    }
  return [...sums.values()];
}

function toCandidate(row: ComparedEngine, price: number, over: number): Candidate {
  return { engine: row.engine, price, kept: row.kept, isUsable: isUsable(row, over) };
}

function addCandidates(one: Candidate, other: Candidate): Candidate {
  const add = (a: Share, b: Share): Share => ({ kept: a.kept + b.kept, of: a.of + b.of });
  return {
    engine: one.engine,
    price: one.price + other.price,
    kept: {
      changedFiles: add(one.kept.changedFiles, other.kept.changedFiles),
      userMessages: add(one.kept.userMessages, other.kept.userMessages),
      names: add(one.kept.names, other.kept.names),
    },
    isUsable: one.isUsable && other.isUsable,
  };
}
