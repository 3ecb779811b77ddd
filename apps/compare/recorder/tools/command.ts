import { parameters, type Tool } from './tool.ts';

/** Arguments of the command tool. */
export interface CommandArguments {
  readonly command: string;
  readonly timeout_ms?: number;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const MAXIMUM_CHARACTERS = 30_000;

/** Runs a shell command. The output of a failing one ends with a line `Exit code: N`. */
export const command: Tool<CommandArguments> = {
  description:
    'Run a shell command in the project folder and return what it printed (both streams). A non-zero exit code is reported in the last line. Long output is cut in the middle.',
  parameters: parameters(
    { command: { type: 'string' }, timeout_ms: { type: 'integer', default: DEFAULT_TIMEOUT_MS } },
    ['command'],
  ),
  async run({ command, timeout_ms = DEFAULT_TIMEOUT_MS }, workspace) {
    const end = await workspace.run(command, timeout_ms);
    const output = shortened(end.output.trimEnd());
    const ok = end.exitCode === 0;
    if (ok) return { text: output === '' ? '(no output)' : output, ok, exitCode: 0 };
    const last = end.exitCode === null ? `Command timed out after ${timeout_ms} ms` : `Exit code: ${end.exitCode}`;
    return { text: output === '' ? last : `${output}\n\n${last}`, ok, exitCode: end.exitCode };
  },
};

/** The same tool with JSON results: `{ output, exit_code }`. */
export const jsonCommand: Tool<CommandArguments> = {
  description:
    'Run a shell command. Returns JSON: { "output": both streams, "exit_code": number or null when it timed out }.',
  parameters: command.parameters,
  async run({ command, timeout_ms }, workspace) {
    const end = await workspace.run(command, timeout_ms);
    const text = JSON.stringify({ output: shortened(end.output.trimEnd()), exit_code: end.exitCode });
    return { text, ok: end.exitCode === 0, exitCode: end.exitCode };
  },
};

function shortened(output: string): string {
  const over = output.length - MAXIMUM_CHARACTERS;
  if (over <= 0) return output;
  const half = MAXIMUM_CHARACTERS / 2;
  return `${output.slice(0, half)}\n\n[... ${over} characters cut ...]\n\n${output.slice(-half)}`;
}
