import type { Message, Summarizer, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { cutSizes, isInContext, type NamedTranscript, plantRules } from '@palimpsest/eval/measures';
import { simpleWays } from '../continuation/ways.ts';
import { engines, type OpenEngine } from '../engines/open-engine.ts';
import { compactOnce, compactRepeatedly, cutsAt, type Target, targetName, writers } from './compactions.ts';
import { knownInput, type Ledger } from './ledger.ts';

/** Number of rules that users stated, and how many are kept verbatim. */
export interface Kept {
  readonly stated: number;
  readonly kept: number;
}

/** Results of one method with one target, after one compaction or after each of several. */
export interface SurvivalRow {
  readonly way: string;
  readonly target: Target;
  readonly repeated: boolean;
  readonly steps: readonly Kept[];
}

/** Results of {@link measureSurvival}. */
export interface Survival {
  /** Number of transcripts used. */
  readonly transcripts: number;
  readonly rows: readonly SurvivalRow[];
  /** Counts by rule, over all engines and settings; the simple baselines are not included. */
  readonly byRule: ReadonlyMap<string, Kept>;
}

/** Cuts and targets to try. */
export interface SurvivalEffort {
  /** Where to compact, as shares of the tokens. A single compaction uses the first share. */
  readonly shares: readonly number[];
  readonly targets: readonly Target[];
  /** Targets of repeated compactions. */
  readonly rowTargets: readonly Target[];
}

/** Plants rules in transcripts and counts how many are kept after one and after several compactions, with each summarizer. */
export async function measureSurvival(
  transcripts: readonly NamedTranscript[],
  effort: SurvivalEffort,
  counter: TokenCounter,
  ledger: Ledger,
): Promise<Survival> {
  const count = new SurvivalCount();
  let used = 0;
  for (const { name, messages: original } of transcripts) {
    const { totalTokens } = Transcript.of(original, counter);
    if (totalTokens < cutSizes.smallest || totalTokens > cutSizes.largest) continue;
    const planted = plantRules(original, used++);
    const cuts = cutsAt(planted.messages, effort.shares, counter);
    const subject = { name, ...planted, cuts };
    for (const [engine, open] of Object.entries(engines))
      for (const [writer, summarizer] of Object.entries(writers))
        await tryEngine(`${engine}, ${writer}`, open, summarizer, subject, effort, { counter, ledger, count });
    const past = planted.messages.slice(0, cuts[0]);
    const tokens = Transcript.of(past, counter).totalTokens;
    for (const [way, keep] of Object.entries(simpleWays))
      for (const target of effort.targets)
        if (target !== null)
          count.add(
            { way, target, repeated: false },
            0,
            planted.rules,
            past,
            await keep(past, tokens * target, counter),
          );
  }
  return { transcripts: used, rows: count.rows, byRule: count.byRule };
}

interface Subject {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly rules: readonly string[];
  readonly cuts: readonly number[];
}

interface Recorders {
  readonly counter: TokenCounter;
  readonly ledger: Ledger;
  readonly count: SurvivalCount;
}

async function tryEngine(
  way: string,
  open: OpenEngine,
  writer: Summarizer | undefined,
  { name, messages, rules, cuts }: Subject,
  { targets, rowTargets }: SurvivalEffort,
  { counter, ledger, count }: Recorders,
): Promise<void> {
  const past = messages.slice(0, cuts[0]);
  const known = knownInput(past, counter);
  // Without a target, the first of the repeated compactions equals a single one and is counted below.
  const single = targets.filter((target) => target !== null || !rowTargets.includes(null));
  for (const target of single) {
    const label = `${way}, ${name} with rules, ${targetName(target)}`;
    await ledger.attempt(label, async () => {
      const done = await compactOnce(open, past, target, counter, { writer });
      ledger.add(label, known, done);
      count.add({ way, target, repeated: false }, 0, rules, past, done.output, true);
    });
  }
  for (const target of rowTargets) {
    const label = `${way}, ${name} with rules, ${targetName(target)} in a row`;
    await ledger.attempt(label, async () => {
      let step = 0;
      for await (const done of compactRepeatedly(open, messages, cuts, target, counter, writer)) {
        ledger.add(label, knownInput(done.input, counter), done);
        const seen = messages.slice(0, cuts[step]);
        if (target === null && step === 0)
          count.add({ way, target, repeated: false }, 0, rules, seen, done.output, true);
        count.add({ way, target, repeated: true }, step++, rules, seen, done.output, true);
      }
    });
  }
}

class SurvivalCount {
  readonly #rows = new Map<string, Omit<SurvivalRow, 'steps'> & { steps: { stated: number; kept: number }[] }>();
  readonly byRule = new Map<string, Kept>();

  get rows(): readonly SurvivalRow[] {
    return [...this.#rows.values()];
  }

  /** Counts which of the rules stated so far are kept. @param ours true to count the results by rule as well */
  add(
    row: Omit<SurvivalRow, 'steps'>,
    step: number,
    rules: readonly string[],
    seen: readonly Message[],
    output: readonly Message[],
    ours = false,
  ): void {
    const key = JSON.stringify(row);
    const known = this.#rows.get(key) ?? { ...row, steps: [] };
    this.#rows.set(key, known);
    known.steps[step] ??= { stated: 0, kept: 0 };
    const count = known.steps[step];
    for (const rule of rules.filter((one) => isInContext(seen, one))) {
      const kept = isInContext(output, rule) ? 1 : 0;
      count.stated++;
      count.kept += kept;
      if (!ours) continue;
      const all = this.byRule.get(rule) ?? { stated: 0, kept: 0 };
      this.byRule.set(rule, { stated: all.stated + 1, kept: all.kept + kept });
    }
  }
}
