import type { Usage } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { callId } from '../unnamed-calls.ts';
import type { IsOwn, RawAnswer } from '../wire/answers.ts';
import { tokensOf, usageOf } from '../wire/usage.ts';
import { callIn, callsIn, isSigned, isWords, kindOf } from './part.ts';

/** Reads an answer of `generateContent`. */
export function readGemini({ candidates, usageMetadata: usage }: Fields, isOwn: IsOwn): RawAnswer {
  const [candidate = {}] = recordsIn(candidates);
  const parts = joinTexts(recordsIn(fieldsIn(candidate.content).parts));
  const calls = callsIn(parts);
  const visible = visibleParts(parts, isOwn);
  return {
    items: parts.length === 0 ? [] : [{ role: 'model', parts }],
    visible: visible.length === 0 ? [] : [{ role: 'model', parts: visible }],
    text: parts.map((part) => (isWords(part) ? part.text : '')).join(''),
    calls: calls
      .map((call, number) => ({ id: callId(call, 0, number), name: String(call.name), input: call.args ?? {} }))
      .filter(({ name }) => isOwn(name)),
    hasHostCalls: visible.some((part) => callIn(part) !== null),
    // A call whose arguments come in pieces is not put together.
    isComplete: candidate.finishReason === 'STOP' && !calls.some(({ willContinue }) => willContinue === true),
    usage,
  };
}

/** The pieces of a text as one part. A part with a signature stays as it is. */
function joinTexts(parts: readonly Fields[]): readonly Fields[] {
  const joined: Fields[] = [];
  // Joined at the end: a long text has thousands of pieces.
  let texts: string[] = [];
  const flush = (): void => {
    const last = joined.at(-1);
    if (last && texts.length > 1) joined[joined.length - 1] = { ...last, text: texts.join('') };
    texts = [];
  };
  for (const part of parts) {
    if (kindOf(part) === 'aside' && !isSigned(part)) continue;
    const last = joined.at(-1);
    if (last && isPlainText(part) && isPlainText(last) && part.thought === last.thought) texts.push(part.text);
    else {
      flush();
      joined.push(part);
      texts = isPlainText(part) ? [part.text] : [];
    }
  }
  flush();
  return joined;
}

function isPlainText(part: Fields): part is Fields & { readonly text: string } {
  return typeof part.text === 'string' && Object.keys(part).every((name) => name === 'text' || name === 'thought');
}

/**
 * The parts of an answer without own calls. Only the first of several calls is signed. If that one is an own call, its
 * signature goes to the next one: without any, the client could not send the answer back.
 */
function visibleParts(parts: readonly Fields[], isOwn: IsOwn): readonly Fields[] {
  const shown = new CallFilter(isOwn);
  return parts.map((part) => shown.of(part)).filter((part) => part !== null);
}

/** Removes own calls from the parts of one answer, which may come in several chunks. */
export class CallFilter {
  readonly #isOwn: IsOwn;
  #signature: Fields | null = null;

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
  }

  /** The part as the client sees it; `null` for an own call. */
  of(part: Fields): Fields | null {
    const call = callIn(part);
    if (!call) return part;
    if (this.#isOwn(call.name)) {
      const { functionCall: _, function_call: __, ...beside } = part;
      if (isSigned(part)) this.#signature = beside;
      return null;
    }
    const signed = this.#signature && !isSigned(part) ? { ...this.#signature, ...part } : part;
    this.#signature = null;
    return signed;
  }
}

/** Reads a usage report. Cached tokens are in `promptTokenCount`, and thoughts are in addition to `candidatesTokenCount`. */
export function geminiUsage(usage: Fields): Usage | null {
  const { promptTokenCount: prompt, cachedContentTokenCount: cached, thoughtsTokenCount: reasoning } = usage;
  return usageOf({ prompt, completion: outputTokensOf(usage), cached, reasoning });
}

/** See `combineUsage`: the prompt of the last answer, and what the model wrote in all. */
export function combineGeminiUsage(before: unknown, last: unknown): Fields | undefined {
  if (!isRecord(before)) return isRecord(last) ? last : undefined;
  if (!isRecord(last)) return before;
  const combined: Record<string, unknown> = { ...last };
  for (const name of ['candidatesTokenCount', 'thoughtsTokenCount']) {
    const tokens = (tokensOf(before[name]) ?? 0) + (tokensOf(last[name]) ?? 0);
    if (tokens > 0) combined[name] = tokens;
  }
  const total = tokensOf(last.totalTokenCount);
  if (total !== undefined) combined.totalTokenCount = total + outputTokensOf(before);
  return combined;
}

function outputTokensOf({ candidatesTokenCount: said, thoughtsTokenCount: thought }: Fields): number {
  return (tokensOf(said) ?? 0) + (tokensOf(thought) ?? 0);
}
