import { hasToolCalls, type Message } from '@palimpsest/core';
import { shareGpt } from '@palimpsest/formats';
import { kindOfFrom, kindOfRole, type TurnKind } from './turn-kind.ts';

/** One element of a row's list of turns, as parsed from JSON. */
export type RawTurn = Readonly<Record<string, unknown>>;

/** Counts the exact tokens of a text or of a chat message. */
export interface TurnCounter {
  text(text: string): number;
  message(message: Message): number;
  /** Tokens the chat template adds to a turn of a ShareGPT row. */
  readonly turnTokens: number;
}

/** The turns as core messages, for a summarizer. `turnOf[i]` is the index of the turn that `messages[i]` came from. */
export interface TurnMessages {
  readonly messages: readonly Message[];
  readonly turnOf: readonly number[];
}

/** Reads and writes the turns of one format. */
export interface TurnFormat {
  /** Returns the speaker of a turn, or what is wrong with the turn, without its text. */
  read(turn: RawTurn): { readonly kind: TurnKind } | { readonly fault: string };
  /** Counts the exact tokens of a turn. */
  count(turn: RawTurn, counter: TurnCounter): number;
  /** Converts the turns to core messages. */
  messages(turns: readonly RawTurn[]): TurnMessages;
  /** Creates a human turn, with the name that the row uses for its human turns. */
  humanTurn(text: string, turns: readonly RawTurn[]): RawTurn;
  /** The field with a turn's text. */
  readonly textField: 'value' | 'content';
  /** Returns the turn with a text appended. */
  append(turn: RawTurn, text: string): RawTurn;
}

/** ShareGPT turns: `{ from, value }`. */
export const shareGptFormat: TurnFormat = {
  textField: 'value',
  read({ from, value }) {
    if (typeof from !== 'string') return { fault: 'has no "from"' };
    const kind = kindOfFrom(from);
    if (kind === null) return { fault: `has the unknown "from" ${JSON.stringify(from.slice(0, 40))}` };
    if (value === null || value === undefined) return { fault: 'has no value' };
    return typeof value === 'string' ? { kind } : { fault: 'has a value that is not text' };
  },
  count: (turn, counter) => counter.text(turn.value as string) + counter.turnTokens,
  messages(turns) {
    const conversations = turns.map(({ from, value }) => ({
      // Only these turns consist of the JSON of a call.
      from: from === 'function_call' || from === 'tool_call' ? from : kindOfFrom(from as string)!,
      value: value as string,
    }));
    const { messages, origins } = shareGpt.decode({ conversations });
    return { messages, turnOf: origins.map(({ pieces }) => pieces[0]!.index) };
  },
  humanTurn: (text, turns) => ({
    from: turns.find(({ from }) => kindOfFrom(from as string) === 'human')?.from ?? 'human',
    value: text,
  }),
  append: (turn, text) => ({ ...turn, value: `${turn.value as string}${text}` }),
};

const asMessage = (turn: RawTurn): Message => turn as unknown as Message;

/** OpenAI chat turns: `{ role, content, tool_calls, ... }`, the same as core's messages. */
export const openaiChatFormat: TurnFormat = {
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
  messages: (turns) => ({ messages: turns.map(asMessage), turnOf: turns.map((_, index) => index) }),
  humanTurn: (text) => ({ role: 'user', content: text }),
  append: (turn, text) =>
    Array.isArray(turn.content)
      ? { ...turn, content: [...turn.content, { type: 'text', text }] }
      : { ...turn, content: `${(turn.content as string | null) ?? ''}${text}` },
};
