import type { Message, Role } from '@palimpsest/core';
import { kindOfFrom, type TurnKind } from '../turn-kind.ts';
import type { RawTurn, TurnFormat } from './turn-format.ts';

const roles: Readonly<Record<TurnKind, Role>> = { system: 'system', human: 'user', gpt: 'assistant', tool: 'tool' };

const kindOf = (turn: RawTurn): TurnKind => kindOfFrom(String(turn.from))!;

/** ShareGPT: `{ from, value }`. */
export const shareGptFormat: TurnFormat = {
  name: 'sharegpt',
  textField: 'value',
  read({ from, value }) {
    if (typeof from !== 'string') return { fault: 'has no "from"' };
    const kind = kindOfFrom(from);
    if (kind === null) return { fault: `has the unknown "from" ${JSON.stringify(from.slice(0, 40))}` };
    if (value === null || value === undefined) return { fault: 'has no value' };
    return typeof value === 'string' ? { kind } : { fault: 'has a value that is no text' };
  },
  count: (turn, counter) => counter.text(turn.value as string) + counter.turnTokens,
  hasOnlyText: () => true,
  messages: (turns) => ({
    messages: turns.map((turn): Message => ({ role: roles[kindOf(turn)], content: turn.value as string })),
    turnOf: turns.map((_, index) => index),
  }),
  humanTurn(text, turns) {
    const own = turns.find((turn) => kindOf(turn) === 'human');
    return { from: own?.from ?? 'human', value: text };
  },
  append: (turn, text) => ({ ...turn, value: `${turn.value as string}${text}` }),
};
