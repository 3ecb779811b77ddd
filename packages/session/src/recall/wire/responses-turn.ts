import type { Fields, IsOwn, ReplyTurn } from './recall-format.ts';

/** Reads the items of a reply. */
export function responsesTurn(items: readonly Fields[], status: unknown, isOwn: IsOwn): ReplyTurn {
  const own = items.filter((item) => isOwnCall(item, isOwn));
  return {
    items,
    visible: visibleItems(items, isOwn),
    calls: own.map(({ call_id: id, name, arguments: input }) => ({ id: String(id), name: String(name), input })),
    hasHostCalls: items.some((item) => isCall(item.type) && !isOwnCall(item, isOwn)),
    isComplete: status === 'completed',
  };
}

export function isOwnCall({ type, name }: Fields, isOwn: IsOwn): boolean {
  return type === 'function_call' && isOwn(name);
}

/** Reasoning that leads only to calls of ours is left out, because OpenAI rejects it without what it led to. */
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

const calls: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call']);

export function isCall(type: unknown): boolean {
  return calls.has(type);
}
