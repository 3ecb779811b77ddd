import { createTokenCounter } from '@palimpsest/tokens';
import { engines } from '../engines/open-engine.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { atLeast, atMost, inPercent, type Target } from '../target.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';
import { targetName, targets } from '../validity/compactions.ts';
import { Ledger } from '../validity/ledger.ts';
import { measureRecognition, type Recognition, type Told } from '../validity/measure-recognition.ts';
import { type Kept, measureSurvival, type Survival, type SurvivalRow } from '../validity/measure-survival.ts';
import { measureNative, measureWire } from '../validity/measure-wire.ts';

/** What must never happen, counted: prompts that a provider refuses, a request changed, a rule forgotten. */
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
      broken.push(`the current request was lost ${ledger.withRequest - ledger.requestKept} times`);
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
  const once = survival.rows.filter(({ inARow }) => !inARow);
  const ways = [...new Set(once.map(({ way }) => way))];
  const tried = targets.filter((target) => once.some((row) => row.target === target));
  const cell = (way: string, target: (typeof targets)[number]): string => {
    const [step] = once.find((row) => row.way === way && row.target === target)?.steps ?? [];
    return step ? share(step) : '';
  };
  const rows = survival.rows.filter(({ inARow }) => inARow);
  const steps = Math.max(0, ...rows.map((row) => row.steps.length));
  const forgotten = [...survival.byRule]
    .filter(([, { stated, kept }]) => kept < stated)
    .sort(([, a], [, b]) => ratio(a) - ratio(b));
  return [
    ...short(ledger, survival),
    '',
    `${number(ledger.outputs)} compressions: ${data}, cut at several places, both engines, with and without a target; then again with rules planted, once and several times in a row. ` +
      'An output is broken when it has a fault that its input did not have on the same messages.',
    '',
    '| read as | of valid inputs | broken | of inputs with faults | broken further |',
    '|---|--:|--:|--:|--:|',
    ...[...ledger.wire].map(
      ([name, { clean, cleanBroken, flawed, flawedBroken }]) =>
        `| ${name} | ${number(clean)} | ${cleanBroken} | ${flawed > 0 ? number(flawed) : ''} | ${flawed > 0 ? flawedBroken : ''} |`,
    ),
    '',
    `The current request stands word for word in ${number(ledger.requestKept)} of ${number(ledger.withRequest)} outputs; compressions that the contract stopped: ${ledger.refused}.`,
    '',
    `Rules that users stated early, letter for letter in the context after a compression: ${survival.byRule.size} rules, in many languages and ways of saying it, planted into ${survival.transcripts} transcripts.`,
    '',
    `| rules kept | ${tried.map((target) => (target === null ? 'no target' : `at ${targetName(target)}`)).join(' | ')} |`,
    `|---|${tried.map(() => '--:').join('|')}|`,
    ...ways.map((way) => `| ${way} | ${tried.map((target) => cell(way, target)).join(' | ')} |`),
    '',
    'After compressions in a row, each of what the one before left and the messages that followed, to the same share of the whole transcript:',
    '',
    `| rules kept | target of each | ${Array.from({ length: steps }, (_, at) => `after ${at + 1}`).join(' | ')} |`,
    `|---|---|${'--:|'.repeat(steps)}`,
    ...rows.map((row) => `| ${row.way} | ${targetName(row.target)} | ${row.steps.map(share).join(' | ')} |`),
    ...(forgotten.length === 0
      ? []
      : [
          '',
          'The rules that did not always stay, the worst first:',
          '',
          ...forgotten.map(([rule, count]) => `- ${rule} (${share(count)})`),
        ]),
    '',
    ...recognised(recognition),
  ].join('\n');
}

/** What is listed as a rule, and how much of that is one. */
function recognised({ labelled, requests, withRules, listed, mentioned }: Recognition): string[] {
  return [
    'Sentences of users, in many languages, labelled by hand as lasting rules or as anything else (reports, praise, questions, things to do once, pasted logs), each listed as a rule or not:',
    '',
    '| sentences | rules listed | others listed | listed that are rules |',
    '|---|--:|--:|--:|',
    ...Object.entries(labelled).map(
      ([half, told]: [string, Told]) =>
        `| ${half === 'blind' ? 'held aside while the recogniser was written' : 'looked at'} | ${told.rulesListed} of ${told.rules} | ${told.othersListed} of ${told.others} | ${inPercent(precision(told))} |`,
    ),
    '',
    `Of ${number(requests)} requests in the transcripts, ${number(withRules)} have sentences that are listed as rules, ${number(listed)} in all; ${number(mentioned)} more are listed as mentioned.`,
  ];
}

const precision = ({ rulesListed, othersListed }: Told): number => rulesListed / (rulesListed + othersListed);

function targetsOf(ledger: Ledger, { rows }: Survival, { labelled: { blind } }: Recognition): Target[] {
  const own = rows.filter(({ way }) => Object.keys(engines).some((engine) => way.startsWith(engine)));
  const worst = (inARow: boolean): number =>
    Math.min(...own.filter((row) => row.inARow === inARow).flatMap(({ steps }) => steps.map(ratio)));
  return [
    atMost('validity', 'outputs that a dialect newly refuses', 0, ledger.violations),
    atLeast('validity', 'current request word for word', 1, ledger.requestKept / ledger.withRequest, inPercent),
    atLeast('survival', 'rules of users after one compression, at the worst setting', 1, worst(false), inPercent),
    atLeast('survival', 'rules of users after compressions in a row, at the worst setting', 1, worst(true), inPercent),
    atLeast('survival', 'labelled sentences listed as rules that are rules', 0.9, precision(blind), inPercent),
    atLeast('survival', 'labelled rules listed as rules', 0.9, blind.rulesListed / blind.rules, inPercent),
  ];
}

const ratio = ({ stated, kept }: Kept): number => kept / stated;

/** What misses its target, before anything else. */
function short(ledger: Ledger, { rows }: Survival): string[] {
  const lines: string[] = [];
  if (ledger.violations > 0) lines.push(`- ${ledger.violations} violations; the target is none.`);
  if (ledger.requestKept < ledger.withRequest)
    lines.push(`- The current request was lost or changed ${ledger.withRequest - ledger.requestKept} times.`);
  lines.push(...ledger.examples.map((line) => `  - ${line}`));
  for (const [inARow, when] of [
    [false, 'after one compression'],
    [true, 'after compressions in a row'],
  ] as const) {
    const own = rows.filter(
      (row) =>
        row.inARow === inARow &&
        row.steps.length > 0 &&
        Object.keys(engines).some((engine) => row.way.startsWith(engine)),
    );
    const worst = own.reduce<SurvivalRow | null>((a, b) => (a && ratioOf(a) <= ratioOf(b) ? a : b), null);
    if (worst && ratioOf(worst) < 1)
      lines.push(
        `- Rules kept ${when}: at worst ${share(worstStep(worst))} (${worst.way}, ${targetName(worst.target)}); the target is 100 %.`,
      );
  }
  return lines.length > 0
    ? ['Not at its target:', '', ...lines]
    : ['No violation, every request word for word, and no rule forgotten.'];
}

/** At its worst step. */
const worstStep = ({ steps }: SurvivalRow): Kept => steps.reduce((a, b) => (ratio(b) < ratio(a) ? b : a));
const ratioOf = (row: SurvivalRow): number => ratio(worstStep(row));
