import { type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { quarterCounter } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { type PrunePolicy, prune } from '../src/index.ts';
import { readTranscript, sharedTranscripts } from './shared-transcripts.ts';

const everything: PrunePolicy = { protect: { tokens: 0 }, keepTurns: 0, minimum: 0, tokens: quarterCounter };

/** A call and its result, paired by position and id, without using the pruner. */
interface Pair {
  readonly at: number;
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly text: string;
}

function pairsOf(messages: readonly Message[]): Pair[] {
  const pairs: Pair[] = [];
  let calls: ReturnType<typeof toolCalls> = [];
  messages.forEach((message, at) => {
    if (toolCalls(message).length > 0) calls = toolCalls(message);
    const call = message.role === 'tool' ? calls.find(({ id }) => id === message.tool_call_id) : undefined;
    if (!call) return;
    let input: Record<string, unknown> = {};
    try {
      input = JSON.parse(toolCallInput(call));
    } catch {
      // Without JSON arguments, a call names no file.
    }
    const text = typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
    pairs.push({ at, name: toolCallName(call), input, text });
  });
  return pairs;
}

const pathIn = (input: Record<string, unknown>): unknown =>
  input.file_path ?? input.filePath ?? input.path ?? input.notebook_path;
const cosmetic = new Set(['description', 'timeout', 'explanation', 'security_risk', 'run_in_background']);
const without = (input: Record<string, unknown>): string =>
  JSON.stringify(
    Object.entries(input)
      .filter(([key]) => !cosmetic.has(key))
      .sort(),
  );

/** Line numbers at the start of lines, in any format. */
const numbersIn = (text: string): number[] => {
  const output = text.startsWith('{') ? String((JSON.parse(text) as { content?: string }).content ?? '') : text;
  return [...output.matchAll(/^\s*(\d+)(?:\u2192|\t|\||:)/gm)].map((match) => Number(match[1]));
};

/** Why a later pair makes an earlier read stale, without using the pruner; `null` if it does not. */
function proof(old: Pair, later: Pair): string | null {
  const refused = /^(?:<tool_use_error>|Error|ERROR)/.test(later.text);
  if (refused || pathIn(later.input) !== pathIn(old.input)) return null;
  if (later.input.content !== undefined || later.input.file_text !== undefined) return 'the file was overwritten later';
  if (/edit|replace|patch|write/i.test(later.name) && later.input.command !== 'view') return null;
  if (without(later.input) === without(old.input)) return 'read again later';
  const [mine, theirs] = [numbersIn(old.text), new Set(numbersIn(later.text))];
  return mine.length > 0 && theirs.has(mine[0]!) && theirs.has(mine.at(-1)!) ? 'read again later' : null;
}

describe.skipIf(sharedTranscripts.length === 0)('on real transcripts (needs ../shared)', () => {
  it('every superseded read and run is stale, as an independent check proves', () => {
    const found = { 'read again later': 0, 'the file was overwritten later': 0, command: 0, snapshot: 0 };
    for (const name of sharedTranscripts) {
      const messages = readTranscript(name);
      const { messages: output, provenance } = prune(messages, everything);
      const pairs = pairsOf(messages);
      provenance.source.forEach((outcome, at) => {
        if (outcome.kind !== 'rewritten' || !outcome.reasons.some(({ code }) => code === 'supersede')) return;
        const old = pairs.find((pair) => pair.at === at)!;
        const after = pairs.filter((pair) => pair.at > at);
        const content = output[at]!.content;
        const line = typeof content === 'string' ? content : JSON.stringify(content);
        if (line.includes('the same command')) {
          const again = after.filter((pair) => pair.name === old.name && pair.input.command === old.input.command);
          const fine = again.some(
            ({ text }) =>
              !/^(?:Error: )?Exit code [1-9]|<returncode>[1-9]|"exit_code": ?[1-9]|exit(?:ed with)? code:? [1-9]\d*\.?\]?$/.test(
                text,
              ),
          );
          expect(fine, `${name} ${at}: ${line}`).toBe(true);
          found.command++;
          return;
        }
        if (line.includes('a newer one was taken')) {
          expect(
            after.some((pair) => pair.name === old.name),
            `${name} ${at}: ${line}`,
          ).toBe(true);
          found.snapshot++;
          return;
        }
        const reasons = after.map((pair) => proof(old, pair)).filter((reason) => reason !== null);
        const said = reasons.find((reason) => line.includes(reason));
        expect(said, `${name} ${at}: ${line}`).toBeDefined();
        found[said as 'read again later']++;
      });
    }
    console.info(`superseded, each proved: ${JSON.stringify(found)}`);
    expect(found['read again later']).toBeGreaterThan(20);
  });

  it('stubs state only exit codes and counts from the result, and quote only its text', () => {
    let quoted = 0;
    for (const name of sharedTranscripts) {
      const messages = readTranscript(name);
      const output = prune(messages, everything).messages;
      for (const { at, text } of pairsOf(messages)) {
        const content = output[at]!.content;
        if (output[at] === messages[at] || typeof content !== 'string') continue;
        expect(content.length).toBeLessThanOrEqual(200);
        const exit = / -> exit (-?\d+)/.exec(content);
        if (exit)
          expect(
            new RegExp(`(?:code|exit_code"|returncode|exit)\\W{0,4}${exit[1]}\\b`).test(text),
            `${name} ${at}: ${content}`,
          ).toBe(true);
        const matches = / -> (\d[\d,]*) (?:match|file)/.exec(content);
        if (matches) expect(said(text, matches[1]!), `${name} ${at}: ${content}`).toBe(true);
        const excerpt = /, removed\)?: ([\s\S]+?)(?: \(repeated\))?(?:; [a-z ]+)?$/
          .exec(content)?.[1]
          ?.replaceAll(' (repeated)', '');
        if (!excerpt) continue;
        quoted++;
        const known = letters(text);
        // Added and removed lines of a diff are counted, not quoted.
        for (const word of excerpt.replace(/\s*\S*\u2026$| [+-]\d+(?=[ ,]|$)/g, '').split(' '))
          expect(known.includes(letters(word)), `${name} ${at}: ${word} of ${content}`).toBe(true);
      }
    }
    expect(quoted).toBeGreaterThan(1_000);
  });
});

/** True if the result states the number, or has as many lines of matches or paths. */
function said(text: string, number: string): boolean {
  const lines = text.split('\n');
  const counts = [
    lines.filter((line) => /^(?:[^:\n]*:)?\d+:/.test(line)).length,
    lines.filter((line) => /^\d+:/.test(line)).length,
    lines.filter((line) => line.trim() !== '' && !/^[\s([]/.test(line)).length,
  ];
  if (text.startsWith('[')) counts.push((JSON.parse(text) as unknown[]).length);
  return new RegExp(`\\b${number}\\b`).test(text) || counts.includes(Number(number.replaceAll(',', '')));
}

/** Keeps only letters and digits, because JSON escapes and quotation marks may differ. */
const letters = (text: string): string => text.replace(/\\u[0-9a-f]{4}|[^\p{L}\p{N}]/gu, '');
