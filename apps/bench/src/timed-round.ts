/** How long something took, and how fast the machine was around it. */
export interface Round {
  /** Of processor time, which other programs of this machine lengthen less than the clock on the wall. */
  readonly milliseconds: number;
  /** Milliseconds that the same short work took, the slower of just before and just after. */
  readonly pace: number;
}

/** How much slower than at its best the machine may be for a round to begin. */
const calmUpTo = 1.15;
/** The longest a process waits for that in all, in milliseconds: some slow phases last for minutes. A quick run has less. */
const patience = (): number => Number(process.env.PALIMPSEST_BENCH_PATIENCE ?? 5_000);
let waited = 0;

/**
 * Times one round. Who shares a machine with others has its processor at half its speed now and then, for a moment or
 * for minutes: a round waits for a calm moment, and tells what it got, for {@link calmest} to choose by. All garbage is
 * never collected beforehand: that throws compiled code away with the objects it was compiled for.
 */
export async function timedRound(work: () => unknown): Promise<Round> {
  const before = calmMoment();
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return { milliseconds: (user + system) / 1_000, pace: Math.max(before, probe()) };
}

/** The times of that half of the rounds during which the machine was fastest. What the rounds took plays no part in it. */
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

// Short enough to stay in the cache beside what is measured, read often enough to take about a millisecond.
const text = 'the same short work, again and again: '.repeat(256);
const times = 24;

/** The least that the work below ever took; told to child processes, which may never see a calm moment. */
let best = Number(process.env.PALIMPSEST_BENCH_PACE ?? Number.POSITIVE_INFINITY);
for (let warmingUp = 0; warmingUp < 200; warmingUp++) probe();

function probe(): number {
  const from = performance.now();
  let sum = 0;
  for (let time = 0; time < times; time++)
    for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  // The sum is used, or there would be nothing to do.
  const pace = performance.now() - from + (sum === 0 ? 1 : 0);
  if (pace < best) {
    best = pace;
    process.env.PALIMPSEST_BENCH_PACE = String(best);
  }
  return pace;
}
