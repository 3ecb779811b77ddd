import { inOwnProcess } from '../own-process.ts';
import type { IndexMemory } from '../recall/index-memory-process.ts';
import { measureRecallSpeed } from '../recall/measure-speed.ts';
import type { SessionMemory } from '../recall/session-memory-process.ts';
import { type BenchOptions, count, type Measured, type Section } from '../section.ts';
import { atMost, inUnit } from '../target.ts';
import { readTranscripts } from '../transcripts.ts';

const flags = ['--expose-gc', '--max-old-space-size=16000'];
const processOf = (name: string): URL => new URL(`../recall/${name}-memory-process.ts`, import.meta.url);

/** Measures time and memory of recall. What it gives back is in the section on evaluation, the time of an index in that on speed. */
export const recall: Section = {
  name: 'recall',
  title: 'Recall: searching what is hidden',
  async measure({ dataFolder, quick }: BenchOptions): Promise<Measured> {
    const pool = readTranscripts(dataFolder).flatMap(({ messages }) => messages);
    const speed = await measureRecallSpeed(pool, quick ? 1000 : 4000, quick ? 3 : 7);
    const indexes = await inOwnProcess<readonly IndexMemory[]>(processOf('index'), dataFolder, flags);
    const sessions = quick ? 3 : 100;
    const memory = await inOwnProcess<SessionMemory>(processOf('session'), sessions, flags);
    const { history, session, search, left } = memory;
    return {
      report: [
        `Processor time on ${count(speed.messages)} hidden messages (${speed.megabytes.toFixed(1)} MB): update for one more message ${speed.append.toFixed(2)} ms, search ${speed.search.toFixed(2)} ms (medians).`,
        `Memory of ${sessions} sessions in one process, for each, in MB. Each session had a request that compacted its history to its newest messages (at least 4,000 of 4,400 are hidden), and then a search. "Session" is what it takes beyond its history: most of it are readings of each message, cached so that the next pass costs only what is new. "Search" is its share of the indexes, which are bounded together. "Left" is what stays after its end while the host keeps the messages.`,
        {
          head: ['', 'history', 'session', 'search', 'left'],
          rows: [['one session', ...[history, session, search, left].map(megabytes)]],
        },
        'Memory of one index beyond the text:',
        {
          head: ['text', 'MB', 'index, MB', 'ratio'],
          rows: indexes.map(({ kind, text, index }) => [
            kind,
            megabytes(text),
            megabytes(index),
            (index / text).toFixed(2),
          ]),
        },
      ],
      figures: { speed, indexes, sessions, memory },
      targets: [
        atMost('recall', 'update for one more message', 2, speed.append, inUnit(2, 'ms')),
        atMost('recall', 'one search in 4,000 messages', 10, speed.search, inUnit(2, 'ms')),
        ...indexes.map(({ kind, text, index }) =>
          atMost('recall', `index of ${kind}, times the text`, 2, index / text, inUnit(2)),
        ),
      ],
    };
  },
};

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
