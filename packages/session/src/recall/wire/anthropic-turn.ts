import type { Fields, IsOwn, ReplyTurn } from './recall-format.ts';

/** Reads the blocks of a reply. */
export function anthropicTurn(given: readonly Fields[], reason: unknown, isOwn: IsOwn): ReplyTurn {
  const said = given.filter(({ type, text }) => type !== 'text' || text !== '');
  const isOwnCall = ({ type, name }: Fields): boolean => type === 'tool_use' && isOwn(name);
  const own = said.filter(isOwnCall);
  const rest = said.filter((block) => !isOwnCall(block));
  return {
    items: [{ role: 'assistant', content: said }],
    visible: rest.length === 0 ? [] : [{ role: 'assistant', content: rest }],
    calls: own.map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
    hasHostCalls: rest.some(({ type }) => type === 'tool_use'),
    isComplete: reason === 'tool_use' || reason === 'end_turn',
  };
}
