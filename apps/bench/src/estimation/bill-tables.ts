import type { Table } from '../section.ts';
import { inPercent } from '../target.ts';
import { type BillEstimate, billEstimators } from './claude-bills.ts';
import { type ErrorSummary, errorsOf } from './error-summary.ts';

/** Summarizes the error of each estimator on the bills. */
export const summarize = (bills: readonly BillEstimate[]): (ErrorSummary & { readonly name: string })[] =>
  bills.length === 0
    ? []
    : billEstimators.map((name) => ({
        name,
        ...errorsOf(bills.map(({ bill, estimates }) => estimates[name]! / bill.tokens - 1)),
      }));

/** Formats the errors by kind of bill, and those of our estimator by model. */
export function billTables(bills: readonly BillEstimate[]): (string | Table)[] {
  const blocks: (string | Table)[] = [];
  for (const [title, sources] of [
    ['Whole Claude requests, compared with billed tokens', ['request', 'cassette']],
    ['Growth of Claude prompts, summed over whole sessions (held-out half)', ['growth']],
  ] as const) {
    const chosen = bills.filter(({ bill }) => (sources as readonly string[]).includes(bill.source));
    const rows = sources.length > 1 ? chosen : perSession(chosen);
    if (rows.length === 0) continue;
    const models = [...new Set(rows.map(({ bill }) => bill.model))].sort();
    blocks.push(
      `${title}, ${rows.length}:`,
      {
        head: ['', 'mean error', '95th percentile', 'bias'],
        rows: summarize(rows).map(({ name, mean, percentile95, bias }) => [
          name,
          ...[mean, percentile95, bias].map(inPercent),
        ]),
      },
      {
        head: ['model', 'bills', 'bias of our estimator'],
        rows: models.map((model) => {
          const [own] = summarize(rows.filter(({ bill }) => bill.model === model));
          return [model, String(own!.count), inPercent(own!.bias)];
        }),
      },
    );
  }
  return blocks;
}

/** Sums the growths of each session. Single growths are only a few messages and some bill content that no transcript shows. */
function perSession(bills: readonly BillEstimate[]): BillEstimate[] {
  const sessions = new Map<string, BillEstimate[]>();
  for (const one of bills)
    sessions.set(`${one.bill.id} ${one.bill.model}`, [
      ...(sessions.get(`${one.bill.id} ${one.bill.model}`) ?? []),
      one,
    ]);
  return [...sessions.values()].map((members) => ({
    bill: { ...members[0]!.bill, tokens: members.reduce((sum, { bill }) => sum + bill.tokens, 0) },
    estimates: Object.fromEntries(
      billEstimators.map((name) => [name, members.reduce((sum, { estimates }) => sum + estimates[name]!, 0)]),
    ),
  }));
}
