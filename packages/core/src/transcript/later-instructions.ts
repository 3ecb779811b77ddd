import { readHandoff } from '../handoff/handoff.ts';
import { contentText, isSystem } from '../messages/message.ts';
import type { Transcript } from './transcript.ts';

/** What becomes of the host's instructions after the leading system messages when their turns are replaced. */
export interface LaterInstructions {
  /** Indices of the system messages that stay whole. */
  readonly kept: ReadonlySet<number>;
  /** Instructions in user messages, oldest first: they are quoted after a handoff that replaces their message. */
  readonly quoted: readonly QuotedInstruction[];
  /**
   * Indices of older copies among the system messages: a newer message has the same text, or a later version of it.
   */
  readonly copies: ReadonlySet<number>;
  /** Tokens of the messages and texts that stay. */
  readonly keptTokens: number;
}

/** An instruction of the host in a user message. */
interface QuotedInstruction {
  /** Index of the message. */
  readonly at: number;
  /** The instruction, word for word. */
  readonly text: string;
}

/** A message with at least this many lines, and the title of a newer one, may be an earlier version of it. */
const versionLines = 8;
/** Share of the characters of an earlier version that the newer one still has. */
const versionShare = 0.8;
/** A handoff states messages of up to this many characters verbatim, so they make room first. */
const shortMessage = 600;

// A pure cache: several steps of a pass ask about the same transcript.
const known = new WeakMap<Transcript, Map<number, LaterInstructions>>();

/**
 * Finds the newest copy of each instruction that the host gave after the leading system messages.
 * @param maxTokens limit for all of them together. Beyond it, short and old ones are summarized first.
 *   @default no limit
 */
export function laterInstructions(transcript: Transcript, maxTokens: number = Infinity): LaterInstructions {
  let found = known.get(transcript);
  if (!found) known.set(transcript, (found = new Map()));
  let instructions = found.get(maxTokens);
  if (!instructions) found.set(maxTokens, (instructions = findInstructions(transcript, maxTokens)));
  return instructions;
}

/** An instruction, in a message of its own or in a user message. */
interface Found extends QuotedInstruction {
  readonly isQuoted: boolean;
  readonly tokens: number;
}

function findInstructions(transcript: Transcript, maxTokens: number): LaterInstructions {
  const { messages, leading } = transcript;
  const copies = new Set<number>();
  const newest: Found[] = [];
  const texts = new Set<string>();
  const versions = new Map<string, ReadonlySet<string>>();
  for (let at = messages.length - 1; at >= leading; at--)
    for (const one of instructionsAt(transcript, at).toReversed()) {
      const text = one.text.trim();
      const lines = linesOf(text);
      const title = titleOf(lines);
      const version = versions.get(title);
      if (texts.has(text) || (version !== undefined && isEarlierVersion(lines, version))) {
        if (!one.isQuoted) copies.add(at);
        continue;
      }
      texts.add(text);
      if (version === undefined) versions.set(title, new Set(lines));
      newest.push(one);
    }
  let keptTokens = newest.reduce((sum, { tokens }) => sum + tokens, 0);
  const kept = new Set(newest);
  const oldest = newest.toReversed();
  const isShort = ({ text, isQuoted }: Found): boolean => !isQuoted && text.trim().length <= shortMessage;
  for (const one of [...oldest.filter(isShort), ...oldest.filter((found) => !isShort(found))]) {
    if (keptTokens <= maxTokens) break;
    kept.delete(one);
    keptTokens -= one.tokens;
  }
  const all = oldest.filter((one) => kept.has(one));
  return {
    kept: new Set(all.filter(({ isQuoted }) => !isQuoted).map(({ at }) => at)),
    quoted: all.filter(({ isQuoted }) => isQuoted),
    copies,
    keptTokens,
  };
}

/** The instructions in a message. What a carried message contains already takes no tokens of its own. */
function instructionsAt(transcript: Transcript, at: number): Found[] {
  const { reader, task, counter } = transcript;
  const message = transcript.messages[at]!;
  if (isSystem(message))
    return [{ at, text: contentText(message.content), isQuoted: false, tokens: transcript.tokens(at) }];
  const isCarried = task !== null && at >= task.from && at < task.to && !readHandoff(message);
  return (reader.readInstructions?.(message) ?? []).map((text) => ({
    at,
    text,
    isQuoted: true,
    tokens: isCarried ? 0 : counter.countText(text),
  }));
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The first line that is not only a tag: many different instructions begin with the same one. */
function titleOf(lines: readonly string[]): string {
  return lines.find((line) => !/^<[^<>]*>$/.test(line)) ?? '';
}

function isEarlierVersion(lines: readonly string[], newer: ReadonlySet<string>): boolean {
  if (lines.length < versionLines) return false;
  const length = (all: readonly string[]): number => all.reduce((sum, line) => sum + line.length, 0);
  return length(lines.filter((line) => newer.has(line))) >= length(lines) * versionShare;
}
