import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { arch, cpus, platform } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runApart } from './run-apart.ts';
import type { BenchOptions, Section, SectionResult } from './section.ts';
import { sections } from './sections/index.ts';
import { type Target, targetTable } from './target.ts';

const { values, positionals } = read();
const names = sections.map((section: Section) => section.name);
if (positionals.length > 0)
  exitWithError(
    `Unexpected argument "${positionals.join(' ')}". Choose sections with --only=${names.slice(0, 2).join(',')}.`,
  );
if (values.half !== undefined && values.half !== 'development' && values.half !== 'held-out')
  exitWithError(`--half must be "development" or "held-out", not "${values.half}".`);
const only = values.only?.split(',').map((name) => name.trim());
const unknown = (only ?? []).filter((name) => !names.includes(name));
if (unknown.length > 0)
  exitWithError(`--only got an unknown section: "${unknown.join('", "')}". Known sections: ${names.join(', ')}.`);
const folder = fileURLToPath(new URL('..', import.meta.url));
const dataFolder = resolve(values.data ?? `${folder}/../../../shared`);
const options: BenchOptions = {
  quick: values.quick ?? false,
  dataFolder: existsSync(dataFolder) ? dataFolder : null,
  half: values.half === 'development' ? 'development' : 'held-out',
};
// An environment variable also reaches the child processes.
if (options.quick) process.env.PALIMPSEST_BENCH_PATIENCE = '500';
const chosen = sections.filter((section: Section) => !only || only.includes(section.name));

const head = [
  '# Bench',
  '',
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}; ` +
    `\`npm run bench${options.quick ? ' -- --quick' : ''}\`.`,
  '',
  'A shared machine sometimes runs at half its speed. A short reference workload is timed before and after every timed round, and a round waits briefly for the machine to be fast. Times are medians over the half of the rounds with the fastest reference workload ("calm rounds").',
];
const report: string[] = [];
const targets: Target[] = [];
const figures: Record<string, unknown> = {};
const broken: string[] = [];
const results = new Map<Section, SectionResult>();
for (const section of chosen.filter(({ isUntimed }) => !isUntimed)) {
  process.stderr.write(`${section.title} ...\n`);
  results.set(section, await section.run(options));
}
await Promise.all(
  chosen
    .filter(({ isUntimed }) => isUntimed)
    .map(async (section) => {
      process.stderr.write(`${section.title} ...\n`);
      results.set(section, await runApart(section.name, options));
    }),
);
for (const section of chosen) {
  const result = results.get(section)!;
  report.push('', `## ${section.title}`, '', result.markdown);
  figures[section.name] = result.figures;
  targets.push(...(options.quick ? [] : (result.targets ?? [])));
  broken.push(...result.broken.map((line) => `${section.name}: ${line}`));
}
if (targets.length > 0) head.push('', '## Targets', '', targetTable(targets));
const markdown = `${[...head, ...report].join('\n')}\n`;
process.stdout.write(markdown);
if (!options.quick && !only) {
  await writeFile(`${folder}/RESULTS.md`, markdown);
  await writeFile(`${folder}/results.json`, `${JSON.stringify({ targets, ...figures }, null, 1)}\n`);
}
for (const line of broken) process.stderr.write(`broken: ${line}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;

function read() {
  try {
    return parseArgs({
      options: {
        quick: { type: 'boolean' },
        only: { type: 'string' },
        data: { type: 'string' },
        half: { type: 'string' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    exitWithError((error as Error).message);
  }
}

function exitWithError(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
