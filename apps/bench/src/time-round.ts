/** Duration of one round, and the speed of the machine around it. */
export interface Round {
  /** Processor time, which other programs on the machine disturb less than wall-clock time. */
  readonly milliseconds: number;
  /** Milliseconds of the reference workload: the slower of the runs just before and just after the round. */
  readonly pace: number;
}

/** A round begins when the reference workload takes at most this many times its best time. */
const calmUpTo = 1.15;
/** The most a process waits for a fast machine in total, in milliseconds: some slow phases last for minutes. Quick runs lower it. */
const patience = (): number => Number(process.env.PALIMPSEST_BENCH_PATIENCE ?? 5_000);
let waited = 0;

/**
 * Times one round. The processor of a shared machine sometimes runs at half its speed, for a moment or for minutes. A
 * round therefore waits for a fast moment and records the machine's pace, by which {@link calmest} selects rounds. There
 * is no full garbage collection before a round, since it would also discard compiled code.
 */
export async function timeRound(work: () => unknown): Promise<Round> {
  const before = calmMoment();
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return { milliseconds: (user + system) / 1_000, pace: Math.max(before, probe()) };
}

/** Returns the times of the half of the rounds with the best pace. The selection ignores the times themselves. */
export function calmest(rounds: readonly Round[]): number[] {
  return [...rounds]
    .sort((a, b) => a.pace - b.pace)
    .slice(0, Math.ceil(rounds.length / 2))
    .map(({ milliseconds }) => milliseconds);
}

function calmMoment(): number {
  for (;;) {
    const from = performance.now();
    const pace = probe();
    if (pace <= best * calmUpTo || waited >= patience()) return pace;
    waited += performance.now() - from;
  }
}

// Short enough to stay in the processor's cache next to the measured work; repeated to take about a millisecond.
const text = 'the same short work, again and again: '.repeat(256);
const times = 24;

/** Best time of the reference workload. Passed on to child processes, which may never see a fast moment. */
let best = Number(process.env.PALIMPSEST_BENCH_PACE ?? Number.POSITIVE_INFINITY);
for (let warmingUp = 0; warmingUp < 200; warmingUp++) probe();

function probe(): number {
  const from = performance.now();
  let sum = 0;
  for (let time = 0; time < times; time++)
    for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  // Using the sum keeps the compiler from removing the loop.
  const pace = performance.now() - from + (sum === 0 ? 1 : 0);
  if (pace < best) {
    best = pace;
    process.env.PALIMPSEST_BENCH_PACE = String(best);
  }
  return pace;
}
