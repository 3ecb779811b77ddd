import type { Message } from '@palimpsest/core';
import type { TurnKind } from '../turn-kind.ts';

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
  readonly name: 'sharegpt' | 'openai';
  /** Returns the speaker of a turn, or what is wrong with the turn, without its text. */
  read(turn: RawTurn): { readonly kind: TurnKind } | { readonly fault: string };
  /** Counts the exact tokens of a turn. */
  count(turn: RawTurn, counter: TurnCounter): number;
  /** True if the turns cannot have more tokens than bytes. */
  hasOnlyText(turns: readonly RawTurn[]): boolean;
  /** Converts the turns to core messages. */
  messages(turns: readonly RawTurn[]): TurnMessages;
  /** Creates a human turn, with the name that the row uses for its human turns. */
  humanTurn(text: string, turns: readonly RawTurn[]): RawTurn;
  /** The field with a turn's text. */
  readonly textField: 'value' | 'content';
  /** Returns the turn with a text appended. */
  append(turn: RawTurn, text: string): RawTurn;
}
