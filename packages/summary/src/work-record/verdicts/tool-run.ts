import { readShell } from '../shell/read-shell.ts';
import type { ShellCommand, ShellOperator } from '../shell/shell-command.ts';
import { afterOptions, nestedScript, programName, unwrapped, withoutPrefix } from '../shell/wrappers.ts';
import { type ToolFamily, toolFamilies } from './tool-families.ts';
import type { CommandShape } from './tool-row.ts';

/** One run of a known tool. */
export interface ToolRun {
  /** The name of the family, such as `npm run lint`. */
  readonly name: string;
  readonly family: ToolFamily;
  /** Files, folders or test names that the run is restricted to. Empty for a full run. */
  readonly scope: readonly string[];
}

/** A command of a script, with the tool that it runs; `null` for other commands. */
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
const help: ReadonlySet<string> = new Set(['--help', '--version', '-h']);
/** Matches subcommands of package managers that run no script. */
const builtIn =
  /^(?:add|approve-builds|audit|bin|cache|config|create|dedupe|deploy|dlx|env|exec|get|global|help|import|info|init|i|install|licenses|link|list|ll|login|logout|ls|node|outdated|pack|patch|pkg|plugin|prune|publish|rebuild|remove|repl|rm|root|set|show|store|unlink|up|update|upgrade|version|versions|view|whoami|why|workspaces|graph|daemon|reset|report|projects)$/;

const byProgram = new Map<string, { family: ToolFamily; shape: CommandShape }[]>();
for (const family of toolFamilies)
  for (const shape of family.commands)
    for (const program of shape.programs) {
      const shapes = byProgram.get(program) ?? [];
      shapes.push({ family, shape });
      byProgram.set(program, shapes);
    }

/** Maximum number of commands to read at the end of a script, because the last runs count. */
const mostCommands = 60;

/** Reads the commands of a script and the tools they run. */
export function scriptCommands(script: string): ScriptCommand[] {
  return withNested(readShell(script).slice(-mostCommands), 0).slice(-mostCommands);
}

function withNested(commands: readonly ShellCommand[], depth: number): ScriptCommand[] {
  return commands.flatMap(({ words: read, follows, outputs, text }): ScriptCommand[] => {
    const written = read.map((word) => word.written);
    const command = { words: written, follows, isRedirected: outputs.length > 0, text };
    let words = withoutPrefix(written);
    for (let level = depth; level < deepest && words.length > 0; level++) {
      const nested = nestedScript(words);
      if (nested !== null) {
        const [first, ...rest] = withNested(readShell(words[nested]!), level + 1);
        return first ? [{ ...first, follows }, ...rest] : [];
      }
      words = withoutManager(words);
      const run = toolRun(words);
      if (run) return [{ ...command, run: run === 'idle' ? null : run }];
      const inner = unwrapped(words);
      if (inner === null) break;
      words = words.slice(inner);
    }
    return [{ ...command, run: null }];
  });
}

/** Removes a package manager that only runs a program of the package, as in `pnpm vitest run`. */
function withoutManager(words: readonly string[]): readonly string[] {
  const program = programName(words[0]!);
  if (!/^(?:pnpm|yarn|bun)$/.test(program)) return words;
  if (program === 'yarn' && words[1] === 'workspace') return withoutManager([words[0]!, ...words.slice(3)]);
  const at = afterOptions(words, 1, ['--filter', '-F', '-C', '--dir', '--cwd']);
  return byProgram.has(words[at] ?? '') ? words.slice(at) : words;
}

/** Returns the tool run of a command; `'idle'` for a call that only shows help or a list; `null` for other commands. */
function toolRun(words: readonly string[]): ToolRun | 'idle' | null {
  const program = programName(words[0]!);
  for (const { family, shape } of byProgram.get(program) ?? []) {
    const found = matchShape(program, words, shape);
    if (!found) continue;
    if (words.some((word) => help.has(word) || shape.idle?.includes(word))) return 'idle';
    return { name: found.name, family, scope: scopeOf(found.rest) };
  }
  return null;
}

function matchShape(
  program: string,
  words: readonly string[],
  shape: CommandShape,
): { name: string; rest: readonly string[] } | null {
  const { subcommands, needs, target, valued } = shape;
  if (needs) {
    const option = words.find((word) => needs.includes(word));
    return option === undefined
      ? null
      : { name: `${program} ${option}`, rest: words.slice(1).filter((word) => word !== option) };
  }
  const at = subcommands || target ? afterOptions(words, 1, valued) : 1;
  const before = words.slice(1, at);
  if (!subcommands) {
    if (!target) return { name: program, rest: words.slice(1) };
    return targetName(program, words.slice(at), before);
  }
  const sub = subcommands.find((one) => one === words.slice(at, at + one.split(' ').length).join(' '));
  if (sub === undefined) return null;
  const rest = words.slice(at + sub.split(' ').length);
  if (target && /^(?:run|run-script|r)$/.test(sub)) return targetName(`${program} run`, rest, before);
  const name = aliases[`${program} ${sub}`] ?? `${program} ${sub}`;
  return { name, rest: [...before, ...rest] };
}

const aliases: Readonly<Record<string, string>> = {
  'npm t': 'npm test',
  'npm tst': 'npm test',
  'npm i': 'npm install',
  'npm add': 'npm install',
  'pnpm i': 'pnpm install',
  'cargo t': 'cargo test',
  'cargo b': 'cargo build',
  'cargo c': 'cargo check',
};

/** Names a run of a target: `npm run test` is `npm test`, `pnpm run lint` is `pnpm lint`. */
function targetName(
  program: string,
  words: readonly string[],
  before: readonly string[],
): { name: string; rest: readonly string[] } | null {
  const manager = /^(pnpm|yarn|npm|bun)( run)?$/.exec(program);
  let from = 0;
  if (manager && words[0] === 'run' && manager[2] === undefined) from = 1;
  from = afterOptions(words, from);
  // `mvn clean install` counts as `mvn install`.
  if (words[from] === 'clean' && /^[^-]/.test(words[from + 1] ?? '')) from++;
  const target = words[from];
  if (manager) {
    if (target === undefined) return null;
    if (from === 0 && manager[2] === undefined && builtIn.test(target)) return null;
  }
  const rest = [...before, ...words.slice(0, from).filter((word) => word !== 'run'), ...words.slice(from + 1)];
  if (target === undefined) return { name: program, rest };
  if (manager && (target === 'test' || manager[1] !== 'npm') && manager[1] !== 'bun')
    return { name: `${manager[1]} ${target}`, rest };
  return { name: `${program} ${target}`, rest };
}

/** Matches options whose value restricts a run. */
const selecting =
  /^(?:-k|-t|-m|-g|-p|-e|-F|-w|-run|-bench|--(?:filter|test|bench|bin|example|package|exclude|testNamePattern|testPathPattern|test-name-pattern|grep|project|tests|only|workspace|env|fgrep|keyword|deselect|ignore|prefix))$/;
/** Matches options whose value does not restrict a run. */
const neutral =
  /^(?:--(?:reporter|config|tb|maxfail|max-workers|maxWorkers|timeout|color|colour|pool|features|target|target-dir|profile|manifest-path|format|output-format|message-format|rcfile|max-warnings|log-level|retries|jobs|cov|cov-report|durations|ext|message)|-[cCnjoT]|-timeout|-count|-parallel|-tags|-coverprofile)$/;
const restricting =
  /^(?:--(?:lib|bins|doc|changed|onlyChanged|lf|last-failed|testNamePattern=|grep=|filter=|package=|project=)|-run=|-Dtest=|-D[a-z]*[tT]est)/;

function scopeOf(words: readonly string[]): readonly string[] {
  const scope: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const next = words[at + 1];
    if (selecting.test(word) && next !== undefined && !next.startsWith('-')) scope.push(`${word} ${words[++at]}`);
    else if (neutral.test(word)) at++;
    else if (restricting.test(word)) scope.push(word);
    else if (!word.startsWith('-') && !/^(?:run|\.|\.\/\.\.\.|\d{1,6})$/.test(word))
      scope.push(word.replace(/^\.\//, '').replace(/\/(?:\.\.\.)?$/, ''));
  }
  return scope;
}

/** True if a run checks only a part of what the other checks. */
export function isNarrower(run: ToolRun, other: ToolRun): boolean {
  const within = other.scope.every((wide) =>
    run.scope.some((narrow) => narrow === wide || (narrow.startsWith(wide) && /^[/:]/.test(narrow.slice(wide.length)))),
  );
  return within && !sameScope(run, other);
}

function sameScope(run: ToolRun, other: ToolRun): boolean {
  return run.scope.length === other.scope.length && run.scope.every((part) => other.scope.includes(part));
}
