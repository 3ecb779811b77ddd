import type { Message } from '@palimpsest/core';
import { collapse, type OutputReading } from './output-reading.ts';
import { simpleCommands } from './shell-words.ts';
import { readToolCalls, shellCommand } from './tool-calls.ts';

/** The last verdict of a command family. */
export interface Verdict {
  /** Such as `cargo test` or `git push`. */
  readonly family: string;
  /** Lines of the result that say how it went, up to 120 characters of each: the failing ones if there are any. */
  readonly lines: readonly string[];
  /** Names of failed tests. */
  readonly failing: readonly string[];
}

const maxVerdictLength = 120;
/** Lines shorter than this ("ok") must stand near the name of their command. */
const short = 16;

/** Lines that say how a run went, of test runners, compilers, linters, builds and git. */
const verdictLines: readonly RegExp[] = [
  /^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[)|^FAIL$|^--- FAIL: |^\d+ issues?[.:]/,
  /^test result: (?:ok|FAILED)\.|^Finished [`[]?\w+|^error: .*(?:could not compile|aborting due to)|generated \d+ warnings?/,
  /^(?:Tests?|Test Files|Test Suites):?\s+.*\d+ (?:passed|failed)|^\d+ (?:passing|failing)\b|^# (?:pass|fail) \d+/,
  /\b\d+ (?:passed|failed|errors?)\b.* in \d[\d.:]*s|^OK(?: \(.*\))?$|^FAILED \(.*\)$|^\w+: commands (?:succeeded|failed)/,
  /^✖ \d+ problems?|^Found \d+ (?:errors?|warnings?)|^Success: no issues found|^All checks passed|^Checked \d+ files? in/,
  /error TS\d+:|BUILD (?:SUCCESS|SUCCESSFUL|FAILURE|FAILED)|^Tests run: \d+|✓ built in |Successfully (?:built|tagged)/,
  /^(?:[+*!-] )?(?:\[[\w ]+\]|[0-9a-f]{6,40}\.{2,3}[0-9a-f]{6,40})\s+\S+ -> \S+|^Everything up-to-date$|^error: failed to push/,
  /^ERROR: failed to (?:solve|build)|^make(?:\[\d+\])?: \*\*\* .*Error \d+|^npm (?:ERR!|error) (?:code|Test failed)/,
];
const verdict = new RegExp(verdictLines.map(({ source }) => source).join('|'));

/** The start of a command that prints such lines. The matching part names the family. */
const runner: RegExp =
  /^(?:(?:npm|pnpm|yarn|bun) (?:run )?(?:test|t|build|lint|check|typecheck|check-types|type-check)\b(?::\w+)?|(?:vitest|jest|mocha|playwright|tsc|tsgo|eslint|biome|pytest|py\.test|tox|unittest|ruff|mypy|flake8|pylint|golangci-lint|ctest)\b|node --test\b|cargo (?:\+\S+ )?(?:test|nextest|build|check|clippy|bench)\b|go test\b|mise (?:run|r) \S+|make(?: [\w-]+)?|rake|bundle exec \S+|(?:dotnet|swift) (?:test|build)|(?:\.\/)?(?:mvnw?|gradlew?)\b|docker(?:[ -]compose| buildx)? build\b|git push\b)/;
const prefix = /^(?:sudo|time|env|timeout|nice|npx|bunx|uv|poetry|run|python3?|-m|\d+[smh]?|[A-Z_]+=.*)$/;

/** Returns the family of a simple command, or `null` for commands without a verdict. */
function familyOf(words: readonly string[]): string | null {
  const from = words.findIndex((word) => !prefix.test(word));
  const [first = '', ...rest] = words.slice(Math.max(0, from));
  // `pnpm vitest` runs a program of the project.
  const command = [first, ...rest].join(' ');
  return (/^(?:pnpm|yarn)$/.test(first) ? runner.exec(rest.join(' ')) : null)?.[0] ?? runner.exec(command)?.[0] ?? null;
}

const failure = /\bFAIL|\bfailed\b(?!: 0)|\berrors?\b|could not compile|\*\*\*|✖|rejected|failing/i;
const noFailure = /\b0 (?:failed|errors?|failures?)\b/gi;

/** Returns the last verdict of every command family that ran in a shell and printed one. */
export function verdictsOf(messages: readonly Message[]): Verdict[] {
  const verdicts = new Map<string, Verdict>();
  for (const call of readToolCalls(messages)) {
    const command = shellCommand(call);
    if (command === null || call.result === '') continue;
    for (const family of simpleCommands(command).flatMap(({ words }) => familyOf(words) ?? [])) {
      const found = verdictIn(family, call.result);
      if (found) verdicts.set(family, found);
    }
  }
  return [...verdicts.values()];
}

function verdictIn(family: string, result: string): Verdict | null {
  const lines = result
    .split('\n')
    .filter((line) => line.length < 2_000)
    .map(trimRules)
    .filter((line) => verdict.test(line));
  const failed = lines.filter((line) => failure.test(line.replace(noFailure, '')));
  if (lines.length === 0) return null;
  const telling = failed.length > 0 ? failed : lines;
  return {
    family,
    lines: [...new Set(telling.map((line) => line.slice(0, maxVerdictLength).trim()))],
    failing: failed.length > 0 ? failingTests(result) : [],
  };
}

/** Collapses a line and removes rules around it (`==== 3 passed ====`). */
const trimRules = (line: string): string => collapse(line).replace(/^[=\-─━*│|\s]{2,}|[=\-─━│|\s]{2,}$/g, '');

const failingTest =
  /^(?:--- FAIL: (\S+)|FAILED (\S+::\S+)|test (\S+) \.\.\. FAILED|[✗×✕] (.{4,120}?)(?: \(?\d+ ?m?s\)?)?$|(?:FAIL|ERROR): (\w+ \(\S+\)))/;
const failingTests = (result: string): string[] =>
  [
    ...new Set(result.split('\n').flatMap((line) => failingTest.exec(collapse(line))?.slice(1).find(Boolean) ?? [])),
  ].slice(0, 50);

/** Returns the verdicts that an output has: as a whole line, or, for a failure, as a line with the name of a failed test. */
export const verdictsIn = (verdicts: readonly Verdict[], { text }: OutputReading): Verdict[] =>
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
