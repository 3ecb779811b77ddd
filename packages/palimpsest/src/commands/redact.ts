import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { redactInput } from '@palimpsest/eval/inputs/redact-input';
import { keepOriginal } from '@palimpsest/eval/output/keep-original';
import type { Command } from 'commander';
import { openOutput } from './output.ts';
import { singleInput } from './single-input.ts';

/** `palimpsest redact`: masks secrets in a transcript or any other text. */
export function addRedact(program: Command, terminal: Terminal): void {
  program
    .command('redact')
    .summary('mask secrets in a transcript or any text')
    .description('Mask the secrets in a transcript, a log or any other UTF-8 text; all other bytes stay unchanged.')
    .argument('<input>', 'a file, or - for standard input')
    .option('--out <file>', 'output file (default: standard output)')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest redact session.json --out shareable.json
  env | palimpsest redact -`,
    )
    .action(async (path: string, options: { readonly out?: string }) => {
      const input = await singleInput(path, terminal);
      const output = openOutput(options.out, terminal);
      try {
        await keepOriginal(input, output.path, '--out');
        const found = new Map<string, number>();
        for await (const text of redactInput(input, (kind) => found.set(kind, (found.get(kind) ?? 0) + 1))) {
          if (terminal.signal.aborted) throw CliError.badInput('interrupted');
          output.write(text);
        }
        output.commit();
        const kinds = [...found].sort((a, b) => b[1] - a[1]).map(([kind, times]) => `${times} ${kind}`);
        const total = [...found.values()].reduce((sum, times) => sum + times, 0);
        terminal.err(`${total === 0 ? 'no secret was found' : `${total} masked: ${kinds.join(', ')}`}\n`);
      } finally {
        output.discard();
      }
    });
}
