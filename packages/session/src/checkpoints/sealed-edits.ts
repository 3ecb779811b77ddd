import { type Edit, type Message, type Part, toolCallInput, toolCalls } from '@palimpsest/core';
import { checksum, jsonText } from '@palimpsest/core/authoring';

/**
 * A plan in its stored form. Text that is copied from the conversation is stored as a reference, so that the store
 * contains summaries but no conversation text and no secrets.
 */
export interface SealedEdits {
  /** Texts, and `[start, length]` of each piece copied from the conversation. */
  readonly pieces: readonly (string | readonly [start: number, length: number])[];
  readonly checksum: string;
}

/** The conversation is indexed in blocks of this many characters. */
const block = 8;
/** Shortest copy, in characters, that is stored as a reference. A shorter one is cheaper to store as text. */
const minCopy = 15;

/**
 * Seals a plan for storage.
 * @param messages the messages the plan covers
 * @param redact masks secrets; if it changes a piece that is not in the conversation, the plan contains a secret
 * @returns `null` when the plan cannot be stored without a secret
 */
export function sealEdits(
  edits: readonly Edit[],
  messages: readonly Message[],
  redact: (text: string) => string,
): SealedEdits | null {
  const plan = jsonText(edits);
  const base = baseText(messages);
  const blocks = new Map<string, number>();
  for (let at = 0; at + block <= base.length; at += block) {
    const key = base.slice(at, at + block);
    if (!blocks.has(key)) blocks.set(key, at);
  }
  const pieces: (string | readonly [number, number])[] = [];
  let written = 0;
  const write = (until: number): boolean => {
    if (until === written) return true;
    const piece = plan.slice(written, until);
    const text = toPlainText(piece);
    if (redact(text) !== text) return false;
    pieces.push(piece);
    return true;
  };
  for (let at = 0; at + block <= plan.length; ) {
    const found = blocks.get(plan.slice(at, at + block));
    if (found === undefined) {
      at++;
      continue;
    }
    let start = at;
    let from = found;
    while (start > written && from > 0 && plan[start - 1] === base[from - 1]) {
      start--;
      from--;
    }
    let end = at + block;
    while (end < plan.length && plan[end] === base[from + end - start]) end++;
    if (end - start < minCopy) {
      at++;
      continue;
    }
    if (!write(start)) return null;
    pieces.push([from, end - start]);
    written = at = end;
  }
  if (!write(plan.length)) return null;
  // Copied, because a slice keeps the whole plan in memory, with the conversation's text in it.
  return { pieces: JSON.parse(JSON.stringify(pieces)) as SealedEdits['pieces'], checksum: checksum(plan) };
}

/** Restores a sealed plan with its conversation; `null` when it is damaged or belongs to another conversation. */
export function unsealEdits({ pieces, checksum: expected }: SealedEdits, messages: readonly Message[]): Edit[] | null {
  const base = baseText(messages);
  const plan = pieces
    .map((piece) => (typeof piece === 'string' ? piece : base.slice(piece[0], piece[0] + piece[1])))
    .join('');
  if (checksum(plan) !== expected) return null;
  try {
    return JSON.parse(plan) as Edit[];
  } catch {
    return null;
  }
}

/** All text of the messages that their fingerprint covers, escaped as in JSON. */
function baseText(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const message of messages) {
    const { content } = message;
    if (typeof content === 'string') texts.push(content);
    else if (Array.isArray(content)) addTexts(content, texts);
    for (const call of toolCalls(message)) texts.push(call.id, toolCallInput(call));
    if (message.function_call) texts.push(message.function_call.arguments ?? '');
  }
  return texts.map((text) => JSON.stringify(text).slice(1, -1)).join('\u0000');
}

/** Collects every string in the parts in order, without recursion. Includes picture data, which is the longest. */
function addTexts(parts: readonly Part[], texts: string[]): void {
  const open: unknown[] = [parts];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value).reverse()) open.push(item);
  }
}

/** Approximately the original text. Exact enough to look for secrets in it. */
function toPlainText(piece: string): string {
  return piece.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}
