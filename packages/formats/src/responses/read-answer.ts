import { type Fields, recordsIn } from '../record.ts';
import { type IsOwn, type RawAnswer, textIn } from '../wire/answers.ts';

/** Reads an answer of the Responses API. */
export function readResponse({ output, status, usage }: Fields, isOwn: IsOwn): RawAnswer {
  const items = recordsIn(output);
  const own = items.filter((item) => isOwnCall(item, isOwn));
  return {
    items,
    visible: visibleItems(items, isOwn),
    text: items.map(({ type, content }) => (type === undefined || type === 'message' ? textIn(content) : '')).join(''),
    calls: own.map(({ call_id: id, name, arguments: input }) => ({ id: String(id), name: String(name), input })),
    hasHostCalls: items.some((item) => isCall(item) && !isOwnCall(item, isOwn)),
    isComplete: status === 'completed',
    usage,
  };
}

export function isOwnCall({ type, name }: Fields, isOwn: IsOwn): boolean {
  return type === 'function_call' && isOwn(name);
}

export function isCall({ type }: Fields): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

/** Leaves out reasoning that leads only to calls of own tools: OpenAI rejects reasoning without the call that follows it. */
function visibleItems(items: readonly Fields[], isOwn: IsOwn): readonly Fields[] {
  const visible: Fields[] = [];
  let held: Fields[] = [];
  let hasOwn = false;
  for (const item of items) {
    if (item.type === 'reasoning') held.push(item);
    else if (isOwnCall(item, isOwn)) hasOwn = true;
    else {
      visible.push(...held, item);
      held = [];
    }
  }
  return hasOwn ? visible : [...visible, ...held];
}
