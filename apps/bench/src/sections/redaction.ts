import { candidates } from '../redaction/candidates.ts';
import { type Case, readCases, type Score, score } from '../redaction/score.ts';
import { speed } from '../redaction/speed.ts';
import { adversaries, megabyte, speedTexts } from '../redaction/speed-texts.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { type Spread, withRange } from '../spread.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';

/** Targets. A miss on recall, false positives or the adversarial ratio fails the run; a miss on time is only reported. */
const limits = { recall: 0.99, falsePositives: 0.01, worstRatio: 5, cleanMsPerMb: 10, denseMsPerMb: 40 } as const;

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

async function scoreTables(
  cases: readonly Case[],
  quick: boolean,
  broken: string[],
): Promise<{ lines: string[]; figures: unknown; targets: Target[] }> {
  const lines = [
    row(
      'on the public corpus',
      'secrets masked',
      'harmless texts changed',
      'development half: masked / changed',
      'held-out half: masked / changed',
    ),
    '|---|---|---|---|---|',
  ];
  const kinds = new Map<string, string[]>();
  const targets: Target[] = [];
  const figures: Record<string, unknown> = {};
  for (const candidate of candidates) {
    const { total, development, other, byKind } = await score(
      // A quick run samples the cases for the other libraries, which take most of the time.
      quick && candidate !== candidates[0] ? cases.filter((_, at) => at % 8 === 0) : cases,
      candidate,
    );
    const cell = ({ secrets, masked, harmless, changed }: Score): string =>
      `${percent(masked, secrets)} / ${percent(changed, harmless)}`;
    lines.push(
      row(
        `${candidate.name} (${candidate.version})`,
        `${total.masked} of ${total.secrets}, ${percent(total.masked, total.secrets)}`,
        `${total.changed} of ${total.harmless}, ${percent(total.changed, total.harmless)}`,
        cell(development),
        cell(other),
      ),
    );
    figures[candidate.name] = { total, byKind: Object.fromEntries(byKind) };
    for (const [kind, tally] of byKind)
      kinds.set(kind, [
        ...(kinds.get(kind) ?? []),
        `${tally.masked}/${tally.secrets} ${tally.changed}/${tally.harmless}`,
      ]);
    if (candidate !== candidates[0]) continue;
    targets.push(
      atLeast('redactor', 'secrets masked', limits.recall, total.masked / total.secrets, inPercent),
      atMost('redactor', 'harmless texts changed', limits.falsePositives, total.changed / total.harmless, inPercent),
    );
    if (total.masked / total.secrets < limits.recall)
      broken.push(`recall ${percent(total.masked, total.secrets)} is under 99 %`);
    if (total.changed / total.harmless > limits.falsePositives)
      broken.push(`${percent(total.changed, total.harmless)} of harmless texts changed`);
  }
  lines.push('', '<details><summary>By kind: masked/secrets changed/harmless</summary>', '');
  lines.push(row('kind', ...candidates.map(({ name }) => name)), `|---|${candidates.map(() => '---|').join('')}`);
  for (const [kind, cells] of [...kinds].sort(([a], [b]) => (a < b ? -1 : 1))) lines.push(row(kind, ...cells));
  lines.push('', '</details>');
  return { lines, figures, targets };
}

async function run({ quick, dataFolder }: BenchOptions): Promise<SectionResult> {
  const broken: string[] = [];
  const lines: string[] = [];
  const figures: Record<string, unknown> = { limits };

  const cases = readCases(dataFolder);
  const scored = cases && (await scoreTables(cases, quick, broken));
  if (scored) {
    lines.push(...scored.lines);
    figures.scores = scored.figures;
  } else {
    lines.push(
      'The corpus (`secrets/cases.json.gz` in the data folder) is missing: recall and false positives were not measured.',
    );
  }

  const rounds = quick ? 5 : 9;
  const texts = speedTexts(quick ? megabyte / 4 : megabyte);
  const own = await speed(texts, rounds, 6);
  figures.msPerMb = { '@palimpsest/redactor': own };
  lines.push(
    '',
    row('processor time, ms per MB: median (min to max)', 'clean logs', 'clean code', 'dense environment dump'),
    '|---|---|---|---|',
  );
  const cells = (times: Readonly<Record<string, Spread>>): string[] =>
    ['logs', 'code', 'dense'].map((name) =>
      times === own
        ? withRange(own[name]!, 1)
        : `${times[name]!.median.toFixed(1)}, ${(times[name]!.median / own[name]!.median).toFixed(1)} x ours`,
    );
  lines.push(
    row('@palimpsest/redactor', ...cells(own)),
    row('target', limits.cleanMsPerMb, limits.cleanMsPerMb, limits.denseMsPerMb),
  );
  const samples = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.slice(0, megabyte / (quick ? 64 : 8))]),
  );
  for (const candidate of candidates.slice(1)) {
    const times = await speed(samples, quick ? 1 : 3, 1, candidate);
    (figures.msPerMb as Record<string, unknown>)[candidate.name] = times;
    lines.push(row(candidate.name, ...cells(times)));
  }

  const size = quick ? megabyte / 4 : megabyte;
  const hostile = Object.fromEntries(
    Object.entries(adversaries).map(([name, unit]) => [
      name,
      unit.repeat(Math.ceil(size / unit.length)).slice(0, size),
    ]),
  );
  const times = await speed({ clean: texts.code.slice(0, size), ...hostile }, quick ? 3 : 5, 2);
  const ratios = Object.entries(times)
    .filter(([name]) => name !== 'clean')
    .map(([name, time]) => [name, time.median / times.clean!.median] as const);
  lines.push(
    '',
    `Time for adversarial text, relative to clean code of the same size: ${ratios.map(([name, ratio]) => `\`${name}\` ${ratio.toFixed(1)}`).join(', ')}.`,
  );
  figures.adversarial = Object.fromEntries(ratios);
  // The few short rounds of a quick run cannot distinguish a slow text from a disturbed measurement.
  for (const [name, ratio] of quick ? [] : ratios)
    if (ratio > limits.worstRatio)
      broken.push(`adversarial text "${name}" takes ${ratio.toFixed(1)} times as long as clean text`);
  const area = 'redactor';
  const perMegabyte = inUnit(1, 'ms/MB');
  const targets = [
    atMost(area, 'clean logs', limits.cleanMsPerMb, own.logs!.median, perMegabyte),
    atMost(area, 'clean code', limits.cleanMsPerMb, own.code!.median, perMegabyte),
    atMost(area, 'dense environment dump', limits.denseMsPerMb, own.dense!.median, perMegabyte),
    atMost(
      area,
      'worst adversarial text, relative to clean code',
      limits.worstRatio,
      Math.max(...ratios.map(([, ratio]) => ratio)),
      inUnit(1, 'x'),
    ),
    ...(scored?.targets ?? []),
  ];
  return { markdown: lines.join('\n'), figures, broken, targets };
}

/** Measures the redactor's recall, false positives and speed, compared with other npm packages. */
export const redaction: Section = { name: 'redaction', title: 'Redaction of secrets', run };
