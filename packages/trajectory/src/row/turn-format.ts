import type { Message } from '@palimpsest/core';
import type { TurnKind } from '../turn-kind.ts';

/** One element of a row's list of turns, as JSON gave it. */
export type RawTurn = Readonly<Record<string, unknown>>;

/** Counts exactly: a text, or all that a chat message costs. */
export interface TurnCounter {
  text(text: string): number;
  message(message: Message): number;
  /** Tokens the chat template adds to a turn of a ShareGPT row. */
  readonly turnTokens: number;
}

/** The turns as core messages, for a summarizer; `turnOf[i]` is the turn `messages[i]` came from. */
export interface TurnMessages {
  readonly messages: readonly Message[];
  readonly turnOf: readonly number[];
}

/** How one format writes a turn. */
export interface TurnFormat {
  readonly name: 'sharegpt' | 'openai';
  /** Who speaks in a turn, or what is wrong with it. Says nothing of what the turn holds. */
  read(turn: RawTurn): { readonly kind: TurnKind } | { readonly fault: string };
  /** Exact tokens of a turn. */
  count(turn: RawTurn, counter: TurnCounter): number;
  /** True when a row of as many bytes cannot have more tokens than bytes. */
  hasOnlyText(turns: readonly RawTurn[]): boolean;
  messages(turns: readonly RawTurn[]): TurnMessages;
  /** A turn of the human, named as the row names its own. */
  humanTurn(text: string, turns: readonly RawTurn[]): RawTurn;
  /** The field that holds a turn's text. */
  readonly textField: 'value' | 'content';
  /** The turn with a text behind its own. */
  append(turn: RawTurn, text: string): RawTurn;
}
