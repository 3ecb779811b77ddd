import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { arch, cpus, platform } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installMissing } from './peers/install.ts';
import { peers } from './peers/peer-list.ts';
import { detailsText, resultsText } from './results-text.ts';
import { runApart } from './run-apart.ts';
import { type BenchOptions, type Measured, markdownOf, type Section } from './section.ts';
import { sections } from './sections/index.ts';
import { failures } from './target.ts';

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

if (!options.quick) await installMissing(peers.map(({ folder }) => folder));
const measured = new Map<string, Measured>();
const [untimed, timed] = [true, false].map((wanted) => chosen.filter(({ isUntimed = false }) => isUntimed === wanted));
const announce = ({ title }: Section): void => void process.stderr.write(`${title} ...\n`);
for (const section of timed!) {
  announce(section);
  measured.set(section.name, await section.measure(options));
}
await Promise.all(
  untimed!.map(async (section) => {
    announce(section);
    measured.set(section.name, await runApart(section.name, options));
  }),
);

const setting = `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}; \`npm run bench${options.quick ? ' -- --quick' : ''}\`.`;
const all = [...measured.values()].flatMap(({ targets = [] }) => targets);
// A quick run does not use full inputs: only those of its targets count whose miss fails it.
const targets = options.quick ? [] : all;
const reported = chosen.map(({ name, title }) => ({ title, markdown: markdownOf(measured.get(name)!.report) }));
const details = detailsText({ setting, targets }, reported);
process.stdout.write(details);
if (!options.quick && !only) {
  const summaries = chosen.flatMap(({ name, title }) => {
    const { summary } = measured.get(name)!;
    return summary ? [{ title, markdown: markdownOf(summary) }] : [];
  });
  const figures = Object.fromEntries(chosen.map(({ name }) => [name, measured.get(name)!.figures]));
  await writeFile(`${folder}/RESULTS.md`, resultsText({ setting, targets }, summaries));
  await writeFile(`${folder}/../../docs/bench.md`, details);
  await writeFile(`${folder}/results.json`, `${JSON.stringify({ targets, ...figures }, null, 1)}\n`);
}
const broken = chosen.flatMap(({ name }) =>
  [...(measured.get(name)!.broken ?? []), ...failures(measured.get(name)!.targets ?? [], options.quick)].map(
    (line) => `${name}: ${line}`,
  ),
);
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
