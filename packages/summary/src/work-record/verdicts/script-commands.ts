import type { ShellCommand, ShellOperator } from '../shell/read-shell.ts';
import { readShell } from '../shell/read-shell.ts';
import { nestedScript, unwrapped, withoutPrefix } from '../shell/wrappers.ts';
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

/** Maximum nesting of shells and wrappers to resolve. */
const deepest = 5;
/** Maximum number of commands to read at the end of a script, because the last runs count. */
const mostCommands = 60;

/** Reads the commands of a script and what they run. */
export function scriptCommands(script: string): ScriptCommand[] {
  return withNested(readShell(script).slice(-mostCommands), 0).slice(-mostCommands);
}

function withNested(commands: readonly ShellCommand[], depth: number): ScriptCommand[] {
  return commands.flatMap(({ words: read, follows, outputs, text }): ScriptCommand[] => {
    const written = read.map((word) => word.written);
    let words = withoutPrefix(written);
    for (let level = depth; level < deepest; level++) {
      const nested = nestedScript(words);
      if (nested !== null) {
        const [first, ...rest] = withNested(readShell(words[nested]!), level + 1);
        return first ? [{ ...first, follows }, ...rest] : [];
      }
      const inner = unwrapped(words);
      if (inner === null) break;
      words = words.slice(inner);
    }
    return [{ words: written, follows, isRedirected: outputs.length > 0, text, run: readRun(words) }];
  });
}
