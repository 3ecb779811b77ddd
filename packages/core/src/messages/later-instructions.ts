import { contentText, isSystem } from './message.ts';
import type { Transcript } from './transcript.ts';

/** What becomes of the host's instructions after the leading system messages when their turns are replaced. */
export interface LaterInstructions {
  /** Indices of the system messages that stay whole. */
  readonly kept: ReadonlySet<number>;
  /** Indices of older copies: a newer message has the same text, or a later version of it. */
  readonly copies: ReadonlySet<number>;
  /** Tokens of the messages that stay. */
  readonly keptTokens: number;
}

/** A message with at least this many lines, and the first line of a newer one, may be an earlier version of it. */
const versionLines = 8;
/** Share of the characters of an earlier version that the newer one still has. */
const versionShare = 0.8;
/** A handoff states messages of up to this many characters verbatim, so they make room first. */
const shortMessage = 600;

// A pure cache: several steps of a pass ask about the same transcript.
const known = new WeakMap<Transcript, Map<number, LaterInstructions>>();

/**
 * Finds the newest copy of each instruction that the host gave after the leading system messages.
 * @param mostTokens limit for all of them together. Beyond it, short and old ones are folded first. @default no limit
 */
export function laterInstructions(transcript: Transcript, mostTokens: number = Infinity): LaterInstructions {
  let found = known.get(transcript);
  if (!found) known.set(transcript, (found = new Map()));
  let instructions = found.get(mostTokens);
  if (!instructions) found.set(mostTokens, (instructions = findInstructions(transcript, mostTokens)));
  return instructions;
}

function findInstructions(transcript: Transcript, mostTokens: number): LaterInstructions {
  const { messages, leading } = transcript;
  const copies = new Set<number>();
  /** Newest first. */
  const newest: { readonly at: number; readonly length: number }[] = [];
  const texts = new Set<string>();
  const versions = new Map<string, ReadonlySet<string>>();
  for (let at = messages.length - 1; at >= leading; at--) {
    if (!isSystem(messages[at]!)) continue;
    const text = contentText(messages[at]!.content).trim();
    const lines = linesOf(text);
    const version = versions.get(lines[0] ?? '');
    if (texts.has(text) || (version !== undefined && isEarlierVersion(lines, version))) {
      copies.add(at);
      continue;
    }
    texts.add(text);
    if (version === undefined) versions.set(lines[0] ?? '', new Set(lines));
    newest.push({ at, length: text.length });
  }
  let keptTokens = newest.reduce((sum, { at }) => sum + transcript.tokens(at), 0);
  const kept = new Set(newest.map(({ at }) => at));
  const oldest = newest.toReversed();
  const isShort = ({ length }: (typeof newest)[number]): boolean => length <= shortMessage;
  for (const { at } of [...oldest.filter(isShort), ...oldest.filter((one) => !isShort(one))]) {
    if (keptTokens <= mostTokens) break;
    kept.delete(at);
    keptTokens -= transcript.tokens(at);
  }
  return { kept, copies, keptTokens };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function isEarlierVersion(lines: readonly string[], newer: ReadonlySet<string>): boolean {
  if (lines.length < versionLines) return false;
  const length = (all: readonly string[]): number => all.reduce((sum, line) => sum + line.length, 0);
  return length(lines.filter((line) => newer.has(line))) >= length(lines) * versionShare;
}
