import { type Content, isBlank } from '@palimpsest/core';
import { isJson } from '@palimpsest/core/authoring';
import type { NativeViolation } from '../codec.ts';
import { fieldsOf } from '../record.ts';
import { checkConversation, checkItem } from './check.ts';
import type { ResponsesConversation, ResponsesItem } from './conversation.ts';
import { callIdOf, kindOf, roleOf } from './item.ts';

/** Rules of the Responses API. */
export type ResponsesRule =
  | 'no-input'
  | 'user-empty'
  | 'arguments-not-json'
  | 'call-unanswered'
  | 'call-id-duplicate'
  | 'result-orphan'
  | 'reasoning-alone';

/** Lists what the Responses API would reject. Pending calls at the very end are allowed. */
export function validateResponses(native: ResponsesConversation): readonly NativeViolation[] {
  checkConversation(native);
  const { input } = native;
  const found: NativeViolation[] = [];
  const add = (index: number, rule: ResponsesRule, reason: string): void => {
    found.push({ index, rule, reason });
  };
  const continued = Boolean(native.previous_response_id ?? native.conversation);
  if (!continued && (input === undefined || input.length === 0)) add(-1, 'no-input', 'a request needs an input');
  const items = typeof input === 'string' ? [] : (input ?? []);
  const calls = new Map<string, number>();
  // A reference may replace the call that an output answers.
  let seesAll = !continued;
  items.forEach((item, index) => {
    checkItem(item, index);
    const kind = kindOf(item);
    const id = callIdOf(item);
    if (item.type === 'item_reference' || !item.type) seesAll = seesAll && kind !== 'kept';
    if (kind === 'message' && roleOf(item) === 'user' && isBlank(fieldsOf(item).content as Content))
      add(index, 'user-empty', 'a user message without content');
    if (kind === 'thought' && isAlone(items, index))
      add(index, 'reasoning-alone', 'a reasoning item without the item it led to');
    if (kind === 'output' && !calls.delete(id) && seesAll)
      add(index, 'result-orphan', 'an output that answers no open call before it');
    if (kind !== 'call') return;
    if (item.type === 'function_call' && !isJson(String(fieldsOf(item).arguments)))
      add(index, 'arguments-not-json', 'the arguments of the call are not JSON');
    if (calls.has(id)) add(index, 'call-id-duplicate', 'a call with the id of one that is still open');
    calls.set(id, index);
  });
  const end = items.findLastIndex((item) => kindOf(item) !== 'call' && kindOf(item) !== 'output');
  for (const index of calls.values()) if (index < end) add(index, 'call-unanswered', 'a tool call without an output');
  return found.sort((left, right) => left.index - right.index);
}

function isAlone(items: readonly ResponsesItem[], at: number): boolean {
  const next = items[at + 1];
  if (!next) return true;
  const kind = kindOf(next);
  return kind === 'output' || (kind === 'message' && roleOf(next) !== 'assistant');
}
