import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { arch, cpus, platform } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { detailsText, resultsText } from './results-text.ts';
import { runApart } from './run-apart.ts';
import type { BenchOptions, Section, SectionResult } from './section.ts';
import { economics } from './sections/economics.ts';
import { evaluation } from './sections/evaluation.ts';
import { sections } from './sections/index.ts';
import type { Target } from './target.ts';

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

const setting = `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}; \`npm run bench${options.quick ? ' -- --quick' : ''}\`.`;
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
const reported: { title: string; markdown: string }[] = [];
for (const section of chosen) {
  const result = results.get(section)!;
  reported.push({ title: section.title, markdown: result.markdown });
  figures[section.name] = result.figures;
  targets.push(...(options.quick ? [] : (result.targets ?? [])));
  broken.push(...result.broken.map((line) => `${section.name}: ${line}`));
}
const details = detailsText({ setting, targets }, reported);
process.stdout.write(details);
if (!options.quick && !only) {
  const short = resultsText({ setting, targets }, results.get(economics)?.summary, results.get(evaluation)?.markdown);
  await writeFile(`${folder}/RESULTS.md`, short);
  await writeFile(`${folder}/../../docs/bench.md`, details);
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
