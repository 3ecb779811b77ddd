import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';
import { evaluate } from '../evaluate/evaluate.ts';
import { eachSample } from '../inputs/each-sample.ts';
import { inputsOf } from '../inputs/find-inputs.ts';
import type { HomeSessions } from '../inputs/home-sessions.ts';
import type { Input } from '../inputs/input.ts';
import { addInputOptions, inputsFor } from '../inputs/input-options.ts';
import { openAtomic } from '../output/atomic-file.ts';
import { createProgress } from '../output/progress.ts';
import { evaluationJson } from '../report/json.ts';
import { evaluationPage } from '../report/page.ts';
import { textReport } from '../report/text-report.ts';
import { findMissedThresholds, readThreshold } from '../report/thresholds.ts';
import { halfOf, type NamedTranscript } from '../transcripts/named-transcript.ts';
import { chooseCompactors } from './choose-compactors.ts';
import { addEvalFlags, type EvalFlags } from './eval-flags.ts';

/** Folders of the recorded conversations: in the published package, and in the sources. */
const places: readonly string[] = ['./samples', '../../../../apps/compare/samples'];

/** The folder with the recorded conversations that come with this package. */
function samplesFolder(): string {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(folder)) ?? folders[0]!;
}

type AllFlags = EvalFlags & HomeSessions;

/** Exit code of a run in which a value misses a threshold. */
const belowThreshold = 3;

/** Makes a command the program: it scores compactors on transcripts. */
export function addEval(command: Command, terminal: Terminal): Command {
  return addEvalFlags(addInputOptions(command)).action((inputs: readonly string[], flags: AllFlags) =>
    score(inputs, flags, terminal),
  );
}

async function score(paths: readonly string[], flags: AllFlags, terminal: Terminal): Promise<void> {
  const thresholds = flags.threshold.map(readThreshold);
  const { own, baselines } = await chooseCompactors(flags, terminal);
  const html = flags.html === undefined ? null : openAtomic(flags.html, terminal.cwd);
  const json = flags.json === undefined || flags.json === '-' ? null : openAtomic(flags.json, terminal.cwd);
  const progress = createProgress(terminal);
  try {
    const outputs = { '--html': html?.path ?? null, '--json': json?.path ?? null };
    const transcripts = await readInputs(paths, flags, outputs, terminal);
    const evaluation = await evaluate({
      transcripts,
      compactors: { ...own, ...baselines },
      budgets: flags.budgets,
      cuts: flags.cuts,
      chainSteps: flags.chain,
      window: flags.cost ? flags.window : null,
      signal: terminal.signal,
      onProgress: ({ transcript, number, of }) => progress.say(`${number} of ${of}: ${transcript} …`),
    });
    progress.clear();
    html?.write(evaluationPage(evaluation));
    json?.write(evaluationJson(evaluation));
    html?.commit();
    json?.commit();
    terminal.out(
      flags.json === '-' ? evaluationJson(evaluation) : textReport(evaluation, Object.keys(own), terminal.columns),
    );
    for (const file of [html, json]) if (file) terminal.err(`palimpsest-eval: wrote ${printable(file.path, 300)}\n`);
    const missed = findMissedThresholds(evaluation, thresholds, Object.keys(own));
    for (const line of missed) terminal.err(`palimpsest-eval: ${line}\n`);
    if (missed.length > 0) terminal.fail(belowThreshold);
  } finally {
    progress.clear();
    html?.discard();
    json?.discard();
  }
}

/** The transcripts of a command line, under different names. */
async function readInputs(
  paths: readonly string[],
  flags: AllFlags,
  outputs: Readonly<Record<string, string | null>>,
  terminal: Terminal,
): Promise<NamedTranscript[]> {
  const found: NamedTranscript[] = [];
  const counts = new Map<string, number>();
  const inputs = async function* (): AsyncGenerator<Input> {
    const hasOwn = paths.length > 0 || flags.claudeCode || flags.codex;
    if (hasOwn || !flags.sample) yield* inputsFor(paths, flags, terminal, outputs);
    if (flags.sample) yield* inputsOf([samplesFolder()], terminal);
  };
  await eachSample(inputs(), terminal, async ({ found: { id }, messages }) => {
    const number = (counts.get(id) ?? 0) + 1;
    counts.set(id, number);
    found.push({ name: number === 1 ? id : `${id} (${number})`, messages });
  });
  const { half } = flags;
  const chosen = half === undefined ? found : found.filter(({ name }) => halfOf(name) === half);
  if (chosen.length === 0)
    throw CliError.badInput(`none of the ${found.length} transcripts is in the ${half} half; pass more of them`);
  return chosen;
}
