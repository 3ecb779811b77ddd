import { innerCommand } from '../shell/inner-command.ts';
import { readShell, type ShellCommand, type ShellOperator, type ShellWord } from '../shell/read-shell.ts';
import { readRun, type ToolRun } from './run-name.ts';

/** A command of a script, with the run that it is; `null` for other commands. */
export interface ScriptCommand {
  /** Program and arguments without quotation marks. Substitutions such as `$(...)` stay as written. */
  readonly words: readonly string[];
  readonly follows: ShellOperator;
  /** True if its output is redirected to a file. */
  readonly isRedirected: boolean;
  /** The command as written. */
  readonly text: string;
  readonly run: ToolRun | null;
}

/** Maximum nesting of shells to resolve. */
const maxDepth = 5;
/** Maximum number of commands to read at the end of a script, because the last runs count. */
const maxCommands = 60;

/** Reads the commands of a script and what they run. */
export function scriptCommands(script: string): ScriptCommand[] {
  return withNested(readShell(script).slice(-maxCommands), 0).slice(-maxCommands);
}

function withNested(commands: readonly ShellCommand[], depth: number): ScriptCommand[] {
  return commands.flatMap(({ words: read, follows, outputs, text }): ScriptCommand[] => {
    const { words, nested } = innerCommand(read);
    if (nested !== null && depth < maxDepth) {
      const [first, ...rest] = withNested(readShell(words[nested]!.written), depth + 1);
      return first ? [{ ...first, follows }, ...rest] : [];
    }
    const textsOf = (all: readonly ShellWord[]): string[] => all.map((word) => word.written);
    return [{ words: textsOf(read), follows, isRedirected: outputs.length > 0, text, run: readRun(textsOf(words)) }];
  });
}
