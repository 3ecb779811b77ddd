import { shareGpt } from '@palimpsest/formats';
import { kindOfFrom, type TurnKind } from '../turn-kind.ts';
import type { RawTurn, TurnFormat } from './turn-format.ts';

/** Speakers whose turns contain only the JSON of a call. */
const callNames: ReadonlySet<unknown> = new Set(['function_call', 'tool_call']);

const kindOf = (turn: RawTurn): TurnKind => kindOfFrom(String(turn.from))!;

/** ShareGPT turns: `{ from, value }`. */
export const shareGptFormat: TurnFormat = {
  name: 'sharegpt',
  textField: 'value',
  read({ from, value }) {
    if (typeof from !== 'string') return { fault: 'has no "from"' };
    const kind = kindOfFrom(from);
    if (kind === null) return { fault: `has the unknown "from" ${JSON.stringify(from.slice(0, 40))}` };
    if (value === null || value === undefined) return { fault: 'has no value' };
    return typeof value === 'string' ? { kind } : { fault: 'has a value that is not text' };
  },
  count: (turn, counter) => counter.text(turn.value as string) + counter.turnTokens,
  hasOnlyText: () => true,
  messages(turns) {
    const conversations = turns.map((turn) => ({
      from: callNames.has(turn.from) ? 'function_call' : kindOf(turn),
      value: turn.value as string,
    }));
    const { messages, origins } = shareGpt.decode({ conversations });
    return { messages, turnOf: origins.map(({ pieces }) => pieces[0]!.index) };
  },
  humanTurn(text, turns) {
    const own = turns.find((turn) => kindOf(turn) === 'human');
    return { from: own?.from ?? 'human', value: text };
  },
  append: (turn, text) => ({ ...turn, value: `${turn.value as string}${text}` }),
};
