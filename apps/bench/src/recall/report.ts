import type { OpenPeers } from '../peers/open-peers.ts';
import { inPercent } from '../target.ts';
import type { IndexMemory, SessionMemory } from './measure-memory.ts';
import { type RecallPoint, recallBudgets } from './measure-recall.ts';
import type { RecallSpeed } from './measure-speed.ts';

/** Means of one simulated agent at one size. */
export type RecallRow = Omit<RecallPoint, 'largestAnswer'>;

export function rowsOf(points: readonly RecallPoint[]): RecallRow[] {
  return recallBudgets.flatMap((budget) =>
    [...new Set(points.map(({ way, plan }) => JSON.stringify([way, plan])))].map((key) => {
      const [way, plan] = JSON.parse(key) as [string, string];
      const own = points.filter((point) => point.budget === budget && point.way === way && point.plan === plan);
      const mean = (value: (point: RecallPoint) => number): number =>
        own.reduce((sum, point) => sum + value(point), 0) / own.length;
      return {
        way,
        plan,
        budget,
        without: mean((point) => point.without),
        with: mean((point) => point.with),
        searches: mean(({ searches }) => searches),
        answerTokens: mean(({ answerTokens }) => answerTokens),
        messages: mean(({ messages }) => messages),
      };
    }),
  );
}

export function factsTable(rows: readonly RecallRow[], cuts: number, half: string, source: string): string {
  if (cuts === 0) return 'No available transcript is long enough: facts were not measured.';
  return [
    `A simulated agent goes on after each of ${cuts} cuts (${half} half of ${source}). Before a message that uses facts it no longer has, it searches, once in a step with up to six names of these facts, or with one name each of two facts and then with one name. It knows which facts it lost, which a model may not notice. The answers of one query have together at most 2,000 tokens, for every library. Means over the cuts.`,
    '',
    '| size | library | queries | facts kept | with searches | calls | tokens of answers | later messages |',
    '|--:|---|---|--:|--:|--:|--:|--:|',
    ...rows.map(
      (row) =>
        `| ${row.budget * 100} % | ${row.way} | ${row.plan} | ${inPercent(row.without)} | ${inPercent(row.with)} | ${row.searches.toFixed(1)} | ${row.answerTokens.toFixed(0)} | ${row.messages.toFixed(0)} |`,
    ),
  ].join('\n');
}

/** How the peers were called, and why others were not. */
export function peerNotes({ settings, missing }: OpenPeers): string {
  return [
    ...Object.entries(settings).map(([name, setting]) => `- ${name}: ${setting}.`),
    ...[...missing].map(([name, reason]) => `- Not measured: ${name}: ${reason}.`),
  ].join('\n');
}

export function speedTable({ messages, megabytes, index, append, search }: RecallSpeed): string {
  return [
    `Processor time on ${messages} hidden messages (${megabytes.toFixed(1)} MB): index ${index.toFixed(0)} ms, update for one more message ${append.toFixed(2)} ms, search ${search.toFixed(2)} ms (medians).`,
  ].join('\n');
}

/** Memory of many sessions in one process, and of one index by kind of text. */
export function memoryTables(sessions: SessionMemory, indexes: readonly IndexMemory[]): string {
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return [
    'Memory of many sessions in one process, for each, in MB. Each session had a request that compacted its history to its newest messages (at least 4,000 are hidden), and then a search. "Session" is what it takes beyond its history: most of it are readings of each message, cached so that the next pass costs only what is new. "Search" is its share of the indexes, which are bounded together. "Left" is what stays after its end while the host keeps the messages.',
    '',
    '| sessions | messages | characters | history | session | search | left |',
    '|--:|--:|--:|--:|--:|--:|--:|',
    `| ${sessions.sessions} | ${sessions.messages} | ${sessions.characters} | ${mb(sessions.history)} | ${mb(sessions.session)} | ${mb(sessions.search)} | ${mb(sessions.left)} |`,
    '',
    'Memory of one index beyond the text:',
    '',
    '| text | MB | index, MB | ratio |',
    '|---|--:|--:|--:|',
    ...indexes.map(
      ({ kind, text, index }) => `| ${kind} | ${mb(text)} | ${mb(index)} | ${(index / text).toFixed(2)} |`,
    ),
  ].join('\n');
}
