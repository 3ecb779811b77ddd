import { createTokenCounter } from '@palimpsest/tokens';
import { engines } from '../engines/open-engine.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { atLeast, atMost, inPercent, type Target } from '../target.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';
import { targetName, targets } from '../validity/compactions.ts';
import { Ledger } from '../validity/ledger.ts';
import { measureRecognition, type Recognition, type RuleCounts } from '../validity/measure-recognition.ts';
import { type Kept, measureSurvival, type Survival, type SurvivalRow } from '../validity/measure-survival.ts';
import { measureNative, measureWire } from '../validity/measure-wire.ts';

/** Counts what must never happen: prompts that a provider would reject, changed requests, and lost user rules. */
export const validity: Section = {
  name: 'validity',
  title: 'Validity and survival',
  isUntimed: true,
  async run({ quick, dataFolder }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const ledger = new Ledger();
    const transcripts = readTranscripts(dataFolder);
    const every = quick ? Math.ceil(transcripts.length / 5) : 1;
    const some = transcripts.filter((_, index) => index % every === 0);
    const tried = quick ? [null, 0.2] : targets;
    const wire = quick
      ? [{ share: 0.66, targets: tried }]
      : [
          { share: 0.33, targets: [null, 0.2] },
          { share: 0.66, targets: tried },
          { share: 1, targets: tried },
        ];
    await measureWire(some, wire, counter, ledger);
    await measureNative(dataFolder, { targets: quick ? [0.2] : [null, 0.2], every }, counter, ledger);
    const survival = await measureSurvival(
      some,
      { shares: quick ? [0.5, 1] : [0.4, 0.55, 0.7, 0.85, 1], targets: tried, rowTargets: quick ? [0.2] : [null, 0.2] },
      counter,
      ledger,
    );
    const recognition = await measureRecognition(some);
    const broken: string[] = [];
    if (ledger.outputs === 0) broken.push('nothing was compressed');
    if (ledger.violations > 0) broken.push(`${ledger.violations} violations: ${ledger.examples[0]}`);
    if (ledger.requestKept < ledger.withRequest)
      broken.push(`the current request was lost or changed ${ledger.withRequest - ledger.requestKept} times`);
    const { wire: read, outputs, withRequest, requestKept, refused, violations, examples } = ledger;
    return {
      markdown: report(ledger, survival, recognition, `${some.length} of ${transcriptSource(dataFolder)}`),
      figures: {
        wire: Object.fromEntries(read),
        outputs,
        violations,
        refused,
        withRequest,
        requestKept,
        examples,
        survival: { ...survival, byRule: Object.fromEntries(survival.byRule) },
        recognition,
      },
      broken,
      targets: targetsOf(ledger, survival, recognition),
    };
  },
};

const share = ({ stated, kept }: Kept): string => (stated === 0 ? 'n/a' : `${((100 * kept) / stated).toFixed(1)} %`);
const number = (value: number): string => value.toLocaleString('en-US');

function report(ledger: Ledger, survival: Survival, recognition: Recognition, data: string): string {
  const once = survival.rows.filter(({ repeated }) => !repeated);
  const ways = [...new Set(once.map(({ way }) => way))];
  const tried = targets.filter((target) => once.some((row) => row.target === target));
  const cell = (way: string, target: (typeof targets)[number]): string => {
    const [step] = once.find((row) => row.way === way && row.target === target)?.steps ?? [];
    return step ? share(step) : '';
  };
  const rows = survival.rows.filter(({ repeated }) => repeated);
  const steps = Math.max(0, ...rows.map((row) => row.steps.length));
  const forgotten = [...survival.byRule]
    .filter(([, { stated, kept }]) => kept < stated)
    .sort(([, a], [, b]) => ratio(a) - ratio(b));
  return [
    ...missedTargets(ledger, survival),
    '',
    `${number(ledger.outputs)} compressions of ${data}, cut at several places, with both engines, with and without a target; then again with planted rules, compressed once and repeatedly. ` +
      'An output is broken if it has a fault that its input did not have on the same messages.',
    '',
    '| validated as | outputs of valid inputs | broken | outputs of faulty inputs | with new faults |',
    '|---|--:|--:|--:|--:|',
    ...[...ledger.wire].map(
      ([name, { clean, cleanBroken, flawed, flawedBroken }]) =>
        `| ${name} | ${number(clean)} | ${cleanBroken} | ${flawed > 0 ? number(flawed) : ''} | ${flawed > 0 ? flawedBroken : ''} |`,
    ),
    '',
    `${number(ledger.requestKept)} of ${number(ledger.withRequest)} outputs contain the current request word for word. Compressions that failed with an error: ${ledger.refused}.`,
    '',
    `Share of the rules that users stated early and that are still in the context verbatim after a compression: ${survival.byRule.size} rules, in many languages and phrasings, planted into ${survival.transcripts} transcripts.`,
    '',
    `| rules kept | ${tried.map((target) => (target === null ? 'no target' : `at ${targetName(target)}`)).join(' | ')} |`,
    `|---|${tried.map(() => '--:').join('|')}|`,
    ...ways.map((way) => `| ${way} | ${tried.map((target) => cell(way, target)).join(' | ')} |`),
    '',
    'After repeated compressions, each of the previous output plus the messages that followed, to the same share of the whole transcript:',
    '',
    `| rules kept | target per compression | ${Array.from({ length: steps }, (_, at) => `after ${at + 1}`).join(' | ')} |`,
    `|---|---|${'--:|'.repeat(steps)}`,
    ...rows.map((row) => `| ${row.way} | ${targetName(row.target)} | ${row.steps.map(share).join(' | ')} |`),
    ...(forgotten.length === 0
      ? []
      : [
          '',
          'Rules that were not always kept, worst first:',
          '',
          ...forgotten.map(([rule, count]) => `- ${rule} (${share(count)})`),
        ]),
    '',
    ...recognitionReport(recognition),
  ].join('\n');
}

/** Reports how many labelled sentences the writer lists as rules, and how many of those are rules. */
function recognitionReport({ labelled, requests, withRules, listed, mentioned }: Recognition): string[] {
  return [
    'Recognition of rules in user sentences in many languages, labelled by hand as standing rules or as anything else (reports, praise, questions, one-time tasks, pasted logs):',
    '',
    '| sentences | rules listed as rules | others listed as rules | precision |',
    '|---|--:|--:|--:|',
    ...Object.entries(labelled).map(
      ([half, counts]: [string, RuleCounts]) =>
        `| ${half === 'blind' ? 'held out while the recognizer was written' : 'used to write the recognizer'} | ${counts.rulesListed} of ${counts.rules} | ${counts.othersListed} of ${counts.others} | ${inPercent(precision(counts))} |`,
    ),
    '',
    `In ${number(requests)} requests of the transcripts, the writer lists ${number(listed)} sentences as rules (in ${number(withRules)} requests) and ${number(mentioned)} more as only mentioned.`,
  ];
}

const precision = ({ rulesListed, othersListed }: RuleCounts): number => rulesListed / (rulesListed + othersListed);

function targetsOf(ledger: Ledger, { rows }: Survival, { labelled: { blind } }: Recognition): Target[] {
  const own = rows.filter(({ way }) => Object.keys(engines).some((engine) => way.startsWith(engine)));
  const worst = (repeated: boolean): number =>
    Math.min(...own.filter((row) => row.repeated === repeated).flatMap(({ steps }) => steps.map(ratio)));
  return [
    atMost('validity', 'outputs with new faults, and failed compressions', 0, ledger.violations),
    atLeast('validity', 'current request kept word for word', 1, ledger.requestKept / ledger.withRequest, inPercent),
    atLeast('survival', 'user rules kept after one compression, worst setting', 1, worst(false), inPercent),
    atLeast('survival', 'user rules kept after repeated compressions, worst setting', 1, worst(true), inPercent),
    atLeast('survival', 'rule recognition: precision on held-out sentences', 0.9, precision(blind), inPercent),
    atLeast(
      'survival',
      'rule recognition: recall on held-out sentences',
      0.9,
      blind.rulesListed / blind.rules,
      inPercent,
    ),
  ];
}

const ratio = ({ stated, kept }: Kept): number => kept / stated;

/** Lists missed targets, for the start of the report. */
function missedTargets(ledger: Ledger, { rows }: Survival): string[] {
  const lines: string[] = [];
  if (ledger.violations > 0) lines.push(`- ${ledger.violations} violations; the target is 0.`);
  if (ledger.requestKept < ledger.withRequest)
    lines.push(`- The current request was lost or changed ${ledger.withRequest - ledger.requestKept} times.`);
  lines.push(...ledger.examples.map((line) => `  - ${line}`));
  for (const [repeated, when] of [
    [false, 'after one compression'],
    [true, 'after repeated compressions'],
  ] as const) {
    const own = rows.filter(
      (row) =>
        row.repeated === repeated &&
        row.steps.length > 0 &&
        Object.keys(engines).some((engine) => row.way.startsWith(engine)),
    );
    const worst = own.reduce<SurvivalRow | null>((a, b) => (a && ratioOf(a) <= ratioOf(b) ? a : b), null);
    if (worst && ratioOf(worst) < 1)
      lines.push(
        `- Rules kept ${when}: ${share(worstStep(worst))} (${worst.way}, ${targetName(worst.target)}); the target is 100 %.`,
      );
  }
  return lines.length > 0
    ? ['Missed targets:', '', ...lines]
    : ['No violations; every current request is kept word for word; no rule is lost.'];
}

/** Returns the step that kept the smallest share of rules. */
const worstStep = ({ steps }: SurvivalRow): Kept => steps.reduce((a, b) => (ratio(b) < ratio(a) ? b : a));
const ratioOf = (row: SurvivalRow): number => ratio(worstStep(row));
