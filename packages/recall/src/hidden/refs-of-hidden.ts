import type { Message } from '@palimpsest/core';
import type { RecallRef } from '../recall.ts';
import { eachHidden, type HiddenText, type Projection } from './hidden-text.ts';
import { refOf } from './ref.ts';

// A pure cache: a text has the same ref in every request of its session.
const known = new WeakMap<HiddenText, { readonly sessionId: string; readonly ref: string }>();

/**
 * Returns the refs of the hidden texts of a history, by message index, without building a search index. The tools of
 * the session accept these refs.
 */
export function refsOfHidden(
  sessionId: string,
  history: readonly Message[],
  projection: Projection,
): ReadonlyMap<number, readonly RecallRef[]> {
  const refs = new Map<number, readonly RecallRef[]>();
  const taken = new Map<string, HiddenText>();
  eachHidden(history, projection, (texts, at) => {
    const found = texts.map((text) => ({ ref: freeRef(sessionId, text, taken), tool: text.tool, head: text.head }));
    refs.set(at, found);
  });
  return refs;
}

function freeRef(sessionId: string, text: HiddenText, taken: Map<string, HiddenText>): string {
  const plain = plainRef(sessionId, text);
  let ref = plain;
  for (let next = 2; ; next++) {
    const other = taken.get(ref);
    if (!other || isSameText(other, text)) break;
    ref = `${plain}-${next}`;
  }
  taken.set(ref, text);
  return ref;
}

function plainRef(sessionId: string, text: HiddenText): string {
  const before = known.get(text);
  if (before?.sessionId === sessionId) return before.ref;
  const ref = refOf(sessionId, text);
  known.set(text, { sessionId, ref });
  return ref;
}

/** True if two texts are equal, wherever they occur. Equal texts share a ref. */
export function isSameText(one: HiddenText, other: HiddenText): boolean {
  return one.head === other.head && one.text === other.text;
}
