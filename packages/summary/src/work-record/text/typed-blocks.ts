import type { Message } from '@palimpsest/core';
import { pastedFences } from '@palimpsest/core/authoring';
import { isProgramOutput, quotingTag } from '../rules/pasted-lines.ts';
import { rememberingText } from './remembering.ts';

/** A part of a message: lines that the author wrote, or pasted lines. */
export interface TypedBlock {
  readonly isPasted: boolean;
  /** The lines without blank ones; of pasted text, only the first few. */
  readonly lines: string[];
  /** Number of lines; for pasted text, including blank ones. */
  count: number;
}

/** Maximum characters to read at the start and at the end of a long text. The middle counts as pasted. */
const longestStart = 8_000;
const longestEnd = 4_000;
/** Maximum lines and characters of a quotation that counts as the author's text. */
const fewLines = 2;
const fewCharacters = 200;

const lineEnd: RegExp = /\r\n?|[\n\u0085\u2028\u2029]/;
/** Matches the beginning of a line of code, of a diff, of a shell session or of a table. */
const codeStart: RegExp =
  /^\s*(?:import |from \S+ import|def |class |const |let |var |function |func |public |private |return\b|#include|@@ |\+\+\+ |--- |diff --git|index [\da-f]{6,}|[\u279c\u276f]|\w+@[\w.-]+[:~]|[\w/~.-]+ ?[$%]\s|~\/\S+(?: \([^)]*\))?\s*$|\||<\/?[a-z][\w-]*[ >/]|"[\w-]+":|\[?!\[|<!--)|^\s{4,}\S/i;
/** Matches the end of a line of code. */
const codeEnd: RegExp = /(?:[{};]|=>)$/;
/** Matches data without spaces. */
const longRun: RegExp = /[!-~]{300}/;

/** Returns the result of {@link typedBlocks}, cached per message. */
export const rememberedBlocks: (text: string, message: Message | undefined) => readonly TypedBlock[] =
  /* @__PURE__ */ rememberingText(typedBlocks);

/** Splits a message into text by its author and pasted text: code, logs, traces, quotations, tables. Linear time. */
function typedBlocks(text: string): readonly TypedBlock[] {
  const blocks: TypedBlock[] = [];
  const add = (isPasted: boolean, line: string, count = 1): void => {
    let last = blocks.at(-1);
    if (last?.isPasted !== isPasted) {
      last = { isPasted, lines: [], count: 0 };
      blocks.push(last);
    }
    last.count += count;
    if (line.trim() !== '' && (!isPasted || last.lines.length <= fewLines)) last.lines.push(line);
  };
  const readLines = lineReader(text, add);
  if (text.length <= longestStart + longestEnd) readLines(0, text.length);
  else {
    const to = text.lastIndexOf('\n', longestStart) + 1 || longestStart;
    const from = text.indexOf('\n', text.length - longestEnd) + 1 || text.length - longestEnd;
    readLines(0, to);
    add(true, '', countLines(text, to, from));
    readLines(from, text.length);
  }
  return mergeShort(blocks);
}

/** Creates a function that reads the lines of a range: those in code fences are pasted. */
function lineReader(text: string, add: (isPasted: boolean, line: string) => void): (from: number, to: number) => void {
  const fences = pastedFences(text);
  return (from, to) => {
    const read = typedLineReader(add);
    let at = from;
    for (const fence of fences) {
      if (fence.to <= from || fence.from >= to) continue;
      if (fence.from > at) read(text.slice(at, fence.from - 1));
      const [, ...lines] = text.slice(Math.max(fence.from, from), Math.min(fence.to, to)).split(lineEnd);
      if (fence.isClosed && fence.to <= to) lines.pop();
      for (const line of lines) add(true, line);
      at = fence.to + 1;
    }
    if (at < to) read(text.slice(at, to));
  };
}

/** Creates a function that reads text outside of code fences. */
function typedLineReader(add: (isPasted: boolean, line: string) => void): (text: string) => void {
  let quotedBy: string | null = null;
  let inOutput = false;
  return (text) => {
    for (const line of text.split(lineEnd)) {
      const tag = line.includes('<') ? quotingTag(line) : null;
      if (tag !== null && (quotedBy === null || quotedBy === tag)) quotedBy = /^\s*<\//.test(line) ? null : tag;
      else if (quotedBy !== null || /^\s*>/.test(line)) add(true, line);
      else if (line.trim() === '') inOutput = false;
      else {
        inOutput = isOutputLine(line) || (inOutput && !isProse(line));
        add(inOutput, line);
      }
    }
  };
}

function isOutputLine(line: string): boolean {
  return isProgramOutput(line) || codeStart.test(line) || codeEnd.test(line.trimEnd()) || longRun.test(line);
}

/** True for a line that begins like a sentence and has several words. */
function isProse(line: string): boolean {
  return (
    /^["'\u00a1A-Za-z\u00aa-\uffff]/.test(line) &&
    /^(?:\S+\s+){3}\S|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/u.test(line) &&
    !/[{}<>=|\\]/.test(line)
  );
}

function countLines(text: string, from: number, to: number): number {
  let count = 1;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to - 1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Merges short pasted blocks into the author's text around them. */
function mergeShort(blocks: readonly TypedBlock[]): TypedBlock[] {
  const merged: TypedBlock[] = [];
  for (const block of blocks) {
    const isShort = block.count <= fewLines && block.lines.join(' ').length <= fewCharacters;
    const isPasted = block.isPasted && !isShort;
    const last = merged.at(-1);
    if (last?.isPasted === isPasted) {
      last.lines.push(...block.lines);
      last.count += block.count;
    } else merged.push({ ...block, isPasted, lines: [...block.lines] });
  }
  return merged;
}
