import { afterOptions, programName } from '../shell/wrappers.ts';
import {
  checkers,
  gitCommands,
  groups,
  idleOptions,
  lookupCommands,
  lookups,
  projectPrograms,
  testRunners,
  testWords,
  valuedOptions,
  workWords,
} from './command-words.ts';
import type { RunKind } from './line-shapes.ts';

/** One run of a program whose outcome matters. */
export interface ToolRun {
  /** The program with its subcommand or target, such as `npm run lint`. Runs of one name replace each other. */
  readonly name: string;
  readonly kind: RunKind;
  /** False if nothing in the name shows that it checks or changes a project. Then only results of tests are reported. */
  readonly isExpected: boolean;
  /** Files, folders or test names that the run is restricted to. Empty for a full run. */
  readonly scope: readonly string[];
}

/** Matches a script by its file name, except for those of frameworks. Agents write and run many. */
const oneOff = /^(?!manage\.py|runtests\.py|py\.test)\S+\.\w+$/;
/** Matches commands that show what is installed, and those that change it or ask for a review. */
const goLookup = /^go (?:doc|tool)\b/;
const otherWork = /^(?:cargo|go) (?:add|update|get|generate|mod)\b|^gh (?:pr|run|release) /;

/** Returns the run of a command; `null` for commands that look something up, show help, or are part of the shell. */
export function readRun(words: readonly string[]): ToolRun | null {
  const program = programName(words[0] ?? '');
  const isScript = /\.(?:sh|bash)$/.test(words[0] ?? '');
  const mode = words.find((word) => /^--(?:test|check|check-only)$/.test(word));
  if (!/^[a-z]/.test(program) || (lookups.has(program) && !isScript && mode !== '--test')) return null;
  if (words.some((word) => idleOptions.has(word))) return null;
  const { name, rest } = readName(program, words, mode);
  const kind = kindOf(name);
  if (kind === null) return null;
  const isExpected =
    !oneOff.test(name) &&
    (kind !== 'code' ||
      (projectPrograms.has(program) && name !== program) ||
      has(name, workWords) ||
      otherWork.test(name));
  return { name, kind, isExpected: isExpected || checkers.has(program), scope: scopeOf(rest) };
}

const has = (name: string, words: ReadonlySet<string>): boolean =>
  name.split(/[\s:_/-]+/).some((word) => words.has(word));
const isTool = (program: string): boolean => testRunners.has(program) || checkers.has(program);
/** True for a program whose first argument is not a subcommand. */
const isDirect = (program: string): boolean => isTool(program) || lookups.has(program) || oneOff.test(program);

/** What a command prints; `null` if it only looks something up. */
function kindOf(name: string): RunKind | null {
  const [program = '', ...commands] = name.split(' ');
  const command = commands.join('-');
  if (program === 'git') {
    if (command === 'commit' || command === 'push') return command;
    return gitCommands.has(command) ? 'git' : null;
  }
  if (testRunners.has(program) || has(name, testWords)) return 'test';
  const isLookup = lookupCommands.has(commands.at(-1) ?? '') && name !== 'go get';
  return isLookup || goLookup.test(name) ? null : 'code';
}

function readName(
  program: string,
  words: readonly string[],
  mode: string | undefined,
): { name: string; rest: readonly string[] } {
  if (isDirect(program)) {
    const rest = words.slice(1).filter((word) => word !== mode);
    return { name: mode === undefined ? program : `${program} ${mode}`, rest };
  }
  const names = [program];
  let at = program === 'yarn' && words[1] === 'workspace' ? 3 : 1;
  const before: string[] = [];
  do {
    const from = at;
    at = afterOptions(words, at, valuedOptions);
    before.push(...words.slice(from, at));
    if (!/^[a-z][\w:-]*$/i.test(words[at] ?? '')) break;
    names.push(words[at++]!);
  } while (groups.has(names.at(-1)!) && names.length < 4);
  // `pnpm vitest` runs a program of the project.
  const isManager = /^(?:pnpm|yarn|bun)$/.test(program) && isTool(names[1] ?? '');
  return { name: isManager ? names[1]! : plainName(names.join(' ')), rest: [...before, ...words.slice(at)] };
}

/** `npm run test` is `npm test`, `pnpm run lint` is `pnpm lint`, `mvn clean install` is `mvn install`. */
function plainName(name: string): string {
  return name
    .replace(/ clean (?=\S)/, ' ')
    .replace(/^(npm|pnpm|yarn) (?:run|run-script) (?=\S)/, (all, manager: string) =>
      manager !== 'npm' || /^npm \S+ test$/.test(name) ? `${manager} ` : all,
    )
    .replace(
      /^(npm|cargo|pnpm) (tst|t|i|b|c)$/,
      (_, manager: string, short: string) => `${manager} ${longNames[short]}`,
    );
}

const longNames: Readonly<Record<string, string>> = { t: 'test', tst: 'test', i: 'install', b: 'build', c: 'check' };

/** Matches options whose value does not restrict a run. */
const neutral =
  /^(?:--(?:reporter|config|tb|maxfail|max-?[wW]orkers|timeout|colou?r|pool|features|target|target-dir|profile|manifest-path|format|(?:output|message)-format|rcfile|max-warnings|log-level|retries|jobs|cov|cov-report|durations|ext|message)|-[cCnjoT]|-timeout|-count|-parallel|-tags|-coverprofile)$/;
const restricting =
  /^(?:--(?:lib|bins|doc|changed|onlyChanged|lf|last-failed|testNamePattern=|grep=|filter=|package=|project=)|-run=|-D[a-z]*[tT]est=)/;

/** The arguments that restrict a run: files, folders, and values of options that are not known to be neutral. */
function scopeOf(words: readonly string[]): readonly string[] {
  const scope = words
    .filter((word, at) => (word.startsWith('-') ? restricting.test(word) : !neutral.test(words[at - 1] ?? '')))
    .filter((word) => !/^(?:run|\.|\.\/\.\.\.|\d{1,6})$/.test(word))
    .map((word) => word.replace(/^\.\//, '').replace(/\/(?:\.\.\.)?$/, ''));
  return [...new Set(scope)];
}

/** True if a run checks only a part of what the other checks. */
export function isNarrower(run: ToolRun, other: ToolRun): boolean {
  const covers = (wide: string): boolean =>
    run.scope.some((narrow) => narrow === wide || (narrow.startsWith(wide) && /^[/:]/.test(narrow.slice(wide.length))));
  const isSame = run.scope.length === other.scope.length && run.scope.every((part) => other.scope.includes(part));
  return other.scope.every(covers) && !isSame;
}
