import { measureRecallSpeed } from '../recall/measure-speed.ts';
import { type BenchOptions, count, type Measured, type Section } from '../section.ts';
import { atMost, inUnit } from '../target.ts';
import { readTranscripts } from '../transcripts.ts';

/** Measures the time of recall. What it gives back is in the section on evaluation, the time of an index in that on speed. */
export const recall: Section = {
  name: 'recall',
  title: 'Recall: searching what is hidden',
  async measure({ dataFolder, quick }: BenchOptions): Promise<Measured> {
    const pool = readTranscripts(dataFolder).flatMap(({ messages }) => messages);
    const speed = await measureRecallSpeed(pool, quick ? 1000 : 4000, quick ? 3 : 7);
    return {
      report: [
        `Processor time on ${count(speed.messages)} hidden messages (${speed.megabytes.toFixed(1)} MB): update for one more message ${speed.append.toFixed(2)} ms, search ${speed.search.toFixed(2)} ms (medians).`,
      ],
      figures: { speed },
      targets: [
        atMost('recall', 'update for one more message', 2, speed.append, inUnit(2, 'ms')),
        atMost('recall', 'one search in 4,000 messages', 10, speed.search, inUnit(2, 'ms')),
      ],
    };
  },
};
