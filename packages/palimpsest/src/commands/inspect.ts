import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { configHelp } from '@palimpsest/eval/engines/engine-options';
import { parseCount } from '@palimpsest/eval/engines/parse-count';
import { parseTokens } from '@palimpsest/eval/engines/parse-tokens';
import { projectEngine } from '@palimpsest/eval/engines/project-config';
import { eachSample } from '@palimpsest/eval/inputs/each-sample';
import type { HomeSessions } from '@palimpsest/eval/inputs/home-sessions';
import { addInputOptions, inputsFor } from '@palimpsest/eval/inputs/input-options';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { type AtomicFile, openAtomic } from '@palimpsest/eval/output/atomic-file';
import { pageFoot, pageHead } from '@palimpsest/eval/page/page';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import type { Command } from 'commander';
import { enginePrompt, handoffEntries, messageEntries } from '../comparison/page/messages.ts';
import { type Inspection, inspectSample } from '../inspection/inspection.ts';
import { inspectionText } from '../inspection/inspection-text.ts';
import { type PromptAt, promptAtEnd } from '../replay/prompt-at.ts';
import { replayEngine } from '../replay/replay-engine.ts';
import { chooseWindow } from '../replay/window-choice.ts';
import { jsonReport } from './json-report.ts';

interface InspectOptions extends HomeSessions {
  readonly top: number;
  readonly json?: boolean;
  readonly html?: string;
  readonly engine?: string;
  readonly config?: string;
  readonly window?: number;
}

/** `palimpsest inspect`: shows what uses the tokens of a transcript. */
export function addInspect(program: Command, terminal: Terminal): void {
  addInputOptions(
    program
      .command('inspect')
      .summary('show what uses the tokens of a transcript')
      .description('Show token usage by role, tool and message, and which tokens are stale.'),
  )
    .option('--top <count>', 'how many tools and messages to list', parseCount(9_999), 10)
    .option('--json', 'print one JSON document instead of tables; it counts messages from 0, tables and pages from 1')
    .option('--html <file>', 'also write a page that shows what an engine makes of each message')
    .option('--engine <name>', 'the engine, by name or path (default: the configured one, or compressor)')
    .option('--config <file>', configHelp)
    .option(
      '--window <tokens>',
      'the context window, such as 128k (default: the largest that the transcript outgrows)',
      parseTokens,
    )
    .addHelpText(
      'after',
      `
Examples:
  palimpsest inspect session.json
  palimpsest inspect session.json --top 30
  palimpsest inspect session.json --html session.html --window 64k
  palimpsest inspect --codex --newest 1
  palimpsest inspect sessions/ --json | jq '.transcripts[] | {id, tokens}'`,
    )
    .action((inputs: readonly string[], options: InspectOptions) => inspect(inputs, options, terminal));
}

async function inspect(inputs: readonly string[], options: InspectOptions, terminal: Terminal): Promise<void> {
  const { top, json, html } = options;
  const report = html === undefined ? null : await openReport(html, options, terminal);
  const transcripts: Inspection[] = [];
  try {
    const found = inputsFor(inputs, options, terminal, { '--html': report?.path ?? null });
    const { passedOver, broken } = await eachSample(found, terminal, async (sample) => {
      const inspection = inspectSample(sample, top);
      if (json) transcripts.push(inspection);
      else terminal.out(inspectionText(inspection, top, terminal.colours, terminal.columns));
      await report?.add(sample);
    });
    report?.commit();
    if (report) terminal.err(`palimpsest: wrote ${printable(report.path, 300)}\n`);
    if (json) terminal.out(jsonReport({ transcripts, passedOver }));
    if (broken) terminal.fail(1);
  } finally {
    report?.discard();
  }
}

/** The page that `--html` writes. */
interface Report extends Pick<AtomicFile, 'path' | 'commit' | 'discard'> {
  add(sample: Sample): Promise<void>;
}

async function openReport(file: string, options: InspectOptions, terminal: Terminal): Promise<Report> {
  const engines = await projectEngine(options, terminal);
  const name = engines.names[0]!;
  const page = openAtomic(file, terminal.cwd);
  let sections = 0;
  page.write(
    pageHead('What became of each message', 'Click a handoff or a message to read it, and what the model sees of it.'),
  );
  return {
    path: page.path,
    async add(sample) {
      const window = chooseWindow(sample.promptTokens, options.window);
      const run = await replayEngine(engines, name, sample, { windowTokens: window.tokens });
      sections++;
      page.write(inspectionSection(sample, name, promptAtEnd(sample.messages, run), sections));
    },
    commit() {
      page.write(pageFoot);
      page.commit();
    },
    discard: () => page.discard(),
  };
}

/** The HTML section of one transcript: the handoff with its sources, and the outcome of every message. */
function inspectionSection(sample: Sample, engine: string, prompt: PromptAt, number: number): string {
  const section = `i${number}`;
  const { compactions, pages } = prompt;
  const times = ['never', 'once', 'twice'][compactions] ?? `${compactions} times`;
  const summary = compactions === 0 ? 'sent whole: the window was never full' : `compacted ${times} by ${engine}`;
  const writer = pages > 0 ? 'A model wrote the handoffs, and rules added to them.' : 'Handoffs are written by rules.';
  const read = enginePrompt(engine, prompt);
  return [
    `<section><h2>${shareableText(sample.found.id)}</h2>`,
    `<p>${shareableText(`${sample.messages.length} messages, ${summary}. ${writer}`)}</p>`,
    handoffEntries(read, section),
    '<h3>Messages</h3>',
    messageEntries(sample, [read], section),
    '</section>\n',
  ].join('\n');
}
