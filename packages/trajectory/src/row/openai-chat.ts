import { hasToolCalls, type Message } from '@palimpsest/core';
import { kindOfRole } from '../turn-kind.ts';
import type { RawTurn, TurnFormat } from './turn-format.ts';

const asMessage = (turn: RawTurn): Message => turn as unknown as Message;

/** OpenAI chat turns: `{ role, content, tool_calls, ... }`, the same as core's messages. */
export const openaiChatFormat: TurnFormat = {
  name: 'openai',
  textField: 'content',
  read(turn) {
    const { role, content } = turn;
    if (typeof role !== 'string') return { fault: 'has no "role"' };
    const kind = kindOfRole(role);
    if (kind === null) return { fault: `has the unknown "role" ${JSON.stringify(role.slice(0, 40))}` };
    if (content === null || content === undefined)
      return hasToolCalls(asMessage(turn)) ? { kind } : { fault: 'has no content' };
    const isParts = Array.isArray(content) && content.every((part) => typeof part === 'object' && part !== null);
    return typeof content === 'string' || isParts ? { kind } : { fault: 'has content that is neither text nor parts' };
  },
  count: (turn, counter) => counter.message(asMessage(turn)),
  // An image can cost more tokens than its URL has bytes.
  hasOnlyText: (turns) => turns.every(({ content }) => !Array.isArray(content)),
  messages: (turns) => ({ messages: turns.map(asMessage), turnOf: turns.map((_, index) => index) }),
  humanTurn: (text) => ({ role: 'user', content: text }),
  append: (turn, text) =>
    Array.isArray(turn.content)
      ? { ...turn, content: [...turn.content, { type: 'text', text }] }
      : { ...turn, content: `${(turn.content as string | null) ?? ''}${text}` },
};
