import type { Message } from '@palimpsest/core';
import { collapsed, type OutputReading } from './output-reading.ts';
import { simpleCommands } from './shell-words.ts';
import { readCalls, shellCommand } from './tool-calls.ts';

/** The last verdict of a command family. */
export interface Verdict {
  /** Such as `cargo test` or `git push`. */
  readonly family: string;
  /** Lines of the result that say how it went, up to 120 characters of each: the failing ones if there are any. */
  readonly lines: readonly string[];
  /** Names of failed tests. */
  readonly failing: readonly string[];
}

const longest = 120;
/** Lines shorter than this ("ok") must stand near the name of their command. */
const short = 16;

interface Runner {
  /** Start of the command; the matching part names the family. */
  readonly command: RegExp;
  /** Lines of its output that say how the run went. @default those of every runner, for commands that run others */
  readonly verdict?: RegExp;
}

const goTest = /^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[)|^FAIL$|^--- FAIL: /;
const goIssues = /^\d+ issues?[.:]/;
const cargoTest = /^test result: (?:ok|FAILED)\.|^error: .*could not compile/;
const cargoBuild = /^Finished [`[]?\w+|^error: .*(?:could not compile|aborting due to)|generated \d+ warnings?/;
const javascriptTest =
  /^(?:Tests?|Test Files|Test Suites):?\s+.*\d+ (?:passed|failed)|^\d+ (?:passing|failing)\b|^# (?:pass|fail) \d+/;
const pythonTest =
  /\b\d+ (?:passed|failed|errors?)\b.* in \d[\d.:]*s|^OK(?: \(.*\))?$|^FAILED \(.*\)$|^\w+: commands (?:succeeded|failed)/;
const lint =
  /^✖ \d+ problems?|^Found \d+ (?:errors?|warnings?)|^Success: no issues found|^All checks passed|^Checked \d+ files? in/;
const typescript = /error TS\d+:|^Found \d+ errors?/;
const build = /BUILD (?:SUCCESS|SUCCESSFUL|FAILURE|FAILED)|^Tests run: \d+|✓ built in /;
const docker = /Successfully (?:built|tagged)|^ERROR: failed to (?:solve|build)/;
const push =
  /^(?:[+*!-] )?(?:\[[\w ]+\]|[0-9a-f]{6,40}\.{2,3}[0-9a-f]{6,40})\s+\S+ -> \S+|^Everything up-to-date$|^error: failed to push/;
const make = /^make(?:\[\d+\])?: \*\*\* .*Error \d+/;
const npm = /^npm (?:ERR!|error) (?:code|Test failed)/;
const every = [
  goTest,
  goIssues,
  cargoTest,
  cargoBuild,
  javascriptTest,
  pythonTest,
  lint,
  typescript,
  build,
  docker,
  make,
  npm,
];
const anyVerdict = new RegExp(every.map(({ source }) => source).join('|'));

const runners: readonly Runner[] = [
  {
    command: /^(?:npm|pnpm|yarn|bun) (?:run )?(?:test|t|build|lint|check|typecheck|check-types|type-check)\b(?::\w+)?/,
  },
  { command: /^(?:npx |pnpm |yarn |bunx )?(?:vitest|jest|mocha|playwright)\b/, verdict: javascriptTest },
  { command: /^node --test\b/, verdict: javascriptTest },
  { command: /^(?:npx |pnpm |yarn |bunx )?(?:tsc|tsgo)\b/, verdict: typescript },
  { command: /^(?:npx |pnpm |yarn |bunx )?(?:eslint|biome)\b/, verdict: lint },
  { command: /^(?:uv run |poetry run |python3? -m )?(?:pytest|py\.test|tox|unittest)\b/, verdict: pythonTest },
  { command: /^(?:uv run |poetry run |python3? -m )?(?:ruff|mypy|flake8|pylint)\b/, verdict: lint },
  { command: /^cargo (?:\+\S+ )?(?:test|nextest)\b/, verdict: cargoTest },
  { command: /^cargo (?:\+\S+ )?(?:build|check|clippy|bench)\b/, verdict: cargoBuild },
  { command: /^go test\b/, verdict: goTest },
  { command: /^golangci-lint\b/, verdict: goIssues },
  {
    command:
      /^(?:mise (?:run|r) \S+|make(?: [\w-]+)?|rake|bundle exec \S+|ctest|dotnet (?:test|build)|swift (?:test|build))/,
  },
  { command: /^(?:\.\/)?(?:mvnw?|gradlew?)\b/, verdict: build },
  { command: /^docker(?:[ -]compose| buildx)? build\b/, verdict: docker },
  { command: /^git push\b/, verdict: push },
];

interface Family {
  readonly name: string;
  readonly verdict: RegExp;
}

/** Returns the command family of a simple command, or `null` for commands without a verdict. */
function familyOf(words: readonly string[]): Family | null {
  const from = words.findIndex((word) => !/^(?:sudo|time|env|timeout|nice|\d+[smh]?|[A-Z_]+=.*)$/.test(word));
  const command = words.slice(Math.max(0, from)).join(' ');
  for (const { command: start, verdict = anyVerdict } of runners) {
    const match = start.exec(command);
    if (match) return { name: match[0].replace(/^(?:npx|bunx|uv run|poetry run|python3? -m) /, ''), verdict };
  }
  return null;
}

const failure = /\bFAIL|\bfailed\b(?!: 0)|\berrors?\b|could not compile|\*\*\*|✖|rejected|failing/i;
const noFailure = /\b0 (?:failed|errors?|failures?)\b/gi;

/** Returns the last verdict of every command family that ran in a shell and printed one. */
export function verdictsOf(messages: readonly Message[]): Verdict[] {
  const verdicts = new Map<string, Verdict>();
  for (const call of readCalls(messages)) {
    const command = shellCommand(call);
    if (command === null || call.result === '') continue;
    for (const family of simpleCommands(command).flatMap(({ words }) => familyOf(words) ?? [])) {
      const verdict = verdictIn(family, call.result);
      if (verdict) verdicts.set(family.name, verdict);
    }
  }
  return [...verdicts.values()];
}

function verdictIn({ name, verdict }: Family, result: string): Verdict | null {
  const lines = result
    .split('\n')
    .filter((line) => line.length < 2_000)
    .map(trimmed)
    .filter((line) => verdict.test(line));
  const failed = lines.filter((line) => failure.test(line.replace(noFailure, '')));
  if (lines.length === 0) return null;
  const telling = failed.length > 0 ? failed : lines;
  return {
    family: name,
    lines: [...new Set(telling.map((line) => line.slice(0, longest).trim()))],
    failing: failed.length > 0 ? failingTests(result) : [],
  };
}

/** Collapses a line and removes rules around it (`==== 3 passed ====`). */
const trimmed = (line: string): string => collapsed(line).replace(/^[=\-─━*│|\s]{2,}|[=\-─━│|\s]{2,}$/g, '');

const failingTest =
  /^(?:--- FAIL: (\S+)|FAILED (\S+::\S+)|test (\S+) \.\.\. FAILED|[✗×✕] (.{4,120}?)(?: \(?\d+ ?m?s\)?)?$|(?:FAIL|ERROR): (\w+ \(\S+\)))/;
const failingTests = (result: string): string[] =>
  [
    ...new Set(result.split('\n').flatMap((line) => failingTest.exec(collapsed(line))?.slice(1).find(Boolean) ?? [])),
  ].slice(0, 50);

/** Returns the verdicts that an output tells: by a whole line, or for a failure by the name of a failed test in a line that says so. */
export const toldVerdicts = (verdicts: readonly Verdict[], { text }: OutputReading): Verdict[] =>
  verdicts.filter(
    ({ family, lines, failing }) =>
      lines.some((line) => (line.length >= short ? text.includes(line) : standsNear(family, line, text))) ||
      failing.some((name) => isSaidToFail(name, text)),
  );

function standsNear(family: string, line: string, text: string): boolean {
  const name = family.split(' ')[0]!;
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1))
    if (text.slice(Math.max(0, at - 300), at).includes(name)) return true;
  return false;
}

function isSaidToFail(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (
      /fail|error|✗|×|✕/i.test(
        text.slice(Math.max(0, at - 60), at) + text.slice(at + name.length, at + name.length + 60),
      )
    )
      return true;
  return false;
}
