import { resolve } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { count } from '@palimpsest/command-line/count';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { summarizerByName } from '@palimpsest/summary/by-name';
import { loadModelRegistry } from '@palimpsest/tokens/models';
import { createJudge, type Judge, type JudgePrices } from '../judge/judge.ts';
import { fileJudgeCache } from '../judge/judge-cache.ts';
import type { EvalFlags } from './eval-flags.ts';

/**
 * Opens the judge of a command line; `undefined` without one. Its possible cost is printed before the first call.
 * @throws {CliError} without a budget or a price
 */
export async function chooseJudge(flags: EvalFlags, terminal: Terminal): Promise<Judge | undefined> {
  const { judge: name, judgeBudget: budgetDollars, judgePrice, judgeQuestions: questions, judgeCache } = flags;
  if (name === undefined) return undefined;
  if (budgetDollars === undefined)
    throw CliError.badUsage('--judge costs money; state the most it may cost, such as --judge-budget 2 (dollars)');
  if (!/^(?:openai|anthropic):./.test(name)) throw CliError.badUsage('--judge: write openai:MODEL or anthropic:MODEL');
  return createJudge({
    model: summarizerByName(name, { environment: terminal.env }),
    prices: judgePrice ?? (await pricesOf(name)),
    budgetDollars,
    questions,
    cache: fileJudgeCache(resolve(terminal.cwd, judgeCache)),
    onPlan: ({ calls, inputTokens, outputTokens, dollars }) =>
      terminal.err(
        `palimpsest-eval: the judge ${name} is asked up to ${count(calls)} times: at most ${count(inputTokens)} input and ${count(outputTokens)} output tokens, $${dollars.toFixed(4)} (budget: $${budgetDollars})\n`,
      ),
  });
}

async function pricesOf(name: string): Promise<JudgePrices> {
  const prices = (await loadModelRegistry()).prices(name.slice(name.indexOf(':') + 1));
  if (!prices)
    throw CliError.badUsage(
      `the price of ${name} is not known; pass --judge-price INPUT,OUTPUT in dollars per million tokens`,
    );
  return prices;
}
