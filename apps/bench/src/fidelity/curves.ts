import { budgets, dialectNames, type FutureRecall, type Point, tolerance } from '@palimpsest/eval/measures';

/** Means of one method over all cuts, by budget. */
export interface Curve {
  readonly way: string;
  readonly facts: readonly number[];
  readonly verbatim: readonly number[];
  readonly identifiers: readonly number[];
  /** Standard errors of the means of facts and verbatim. */
  readonly spread: { readonly facts: readonly number[]; readonly verbatim: readonly number[] };
  /** Number of points whose output was over its budget. */
  readonly over: number;
  readonly points: number;
  /** Tokens used, as a share of the budget. */
  readonly used: readonly number[];
  /** Recall of facts and verbatim by budget and by age of the needed item, newest quarter of the past first. */
  readonly bands: { readonly facts: readonly (readonly number[])[]; readonly verbatim: readonly (readonly number[])[] };
  /** Shares over all cuts and budgets: prompts that stayed valid, requests kept word for word, user rules kept. */
  readonly intact: {
    readonly valid: Readonly<Record<string, number>>;
    readonly request: number;
    readonly rules: number;
  };
}

/** Averages points into one curve per method, in order of first appearance. */
export function curvesOf(points: readonly Point[]): Curve[] {
  return [...new Set(points.map(({ way }) => way))].map((way) => {
    const own = points.filter((point) => point.way === way);
    const at = budgets.map((budget) => own.filter((point) => point.budget === budget));
    const recalls = (measure: keyof FutureRecall): number[][] =>
      at.map((some) => some.map(({ recall }) => recall[measure].recall).filter(Number.isFinite));
    const facts = recalls('facts');
    const verbatim = recalls('verbatim');
    return {
      way,
      facts: facts.map(mean),
      verbatim: verbatim.map(mean),
      identifiers: recalls('identifiers').map(mean),
      spread: { facts: facts.map(standardError), verbatim: verbatim.map(standardError) },
      over: own.filter((point) => point.tokens > point.cut.tokens * point.budget * tolerance).length,
      points: own.length,
      used: at.map((some) => mean(some.map(({ tokens, cut, budget }) => tokens / (cut.tokens * budget)))),
      bands: { facts: at.map((some) => bandsOf(some, 'facts')), verbatim: at.map((some) => bandsOf(some, 'verbatim')) },
      intact: {
        valid: Object.fromEntries(
          dialectNames.map((name) => [name, mean(own.flatMap(({ intact }) => shareOf(intact.valid.get(name))))]),
        ),
        request: mean(own.flatMap(({ intact }) => shareOf(intact.request))),
        rules: sum(own.map(({ intact }) => intact.rulesKept)) / sum(own.map(({ intact }) => intact.rulesStated)),
      },
    };
  });
}

/** Returns the mean of each age band, over the cuts that needed anything of that age. */
function bandsOf(points: readonly Point[], measure: 'facts' | 'verbatim'): number[] {
  const all = points.map(({ recall }) => recall[measure].bands);
  return [...(all[0] ?? []).keys()].map((band) => mean(all.map((bands) => bands[band]!).filter(Number.isFinite)));
}

const shareOf = (holds: boolean | null | undefined): number[] => (typeof holds === 'boolean' ? [holds ? 1 : 0] : []);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function standardError(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1) / values.length);
}
