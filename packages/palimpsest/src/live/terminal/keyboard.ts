import type { ActionName } from '../actions.ts';
import type { ScreenState } from './screen.ts';
import { findSelected } from './screen.ts';

/** A key, as `node:readline` names it. */
export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  /** What was typed. */
  readonly sequence?: string | undefined;
}

/** What a key leads to. */
export type KeyResult =
  | { readonly do: 'quit' }
  | { readonly do: 'show'; readonly state: ScreenState }
  | { readonly do: 'act'; readonly name: ActionName }
  | { readonly do: 'search'; readonly query: string };

const maxQuery = 400;

/** Reads a key: while a search is typed, keys are its text. */
export function readKey(state: ScreenState, key: Key): KeyResult {
  const { name, ctrl, sequence = '' } = key;
  if (ctrl && (name === 'c' || name === 'd')) return { do: 'quit' };
  if (state.query !== null) return readText(state, state.query, key);
  const chosen = findSelected(state);
  if (name === 'q') return { do: 'quit' };
  if (name === 'escape') return { do: 'show', state: { ...state, said: null } };
  if (name === 'up' || name === 'down') return { do: 'show', state: moveSelection(state, name === 'up' ? -1 : 1) };
  if (!chosen) return { do: 'show', state };
  if (name === 'c') return { do: 'act', name: 'compact' };
  if (name === 'u') return { do: 'act', name: 'undo' };
  if (name === 'p') return { do: 'act', name: chosen.mode === 'paused' ? 'resume' : 'pause' };
  if (sequence === '/') return { do: 'show', state: { ...state, query: '' } };
  return { do: 'show', state };
}

function readText(state: ScreenState, query: string, { name, ctrl, sequence = '' }: Key): KeyResult {
  if (name === 'escape') return { do: 'show', state: { ...state, query: null } };
  if (name === 'return' || name === 'enter')
    return query.trim() === '' ? { do: 'show', state: { ...state, query: null } } : { do: 'search', query };
  if (name === 'backspace') return { do: 'show', state: { ...state, query: query.slice(0, -1) } };
  const isText = !ctrl && sequence >= ' ' && sequence !== '\u007f' && !sequence.startsWith('\u001b');
  return { do: 'show', state: { ...state, query: isText ? (query + sequence).slice(0, maxQuery) : query } };
}

function moveSelection(state: ScreenState, by: number): ScreenState {
  const { conversations } = state.view;
  const at = conversations.indexOf(findSelected(state)!);
  const to = Math.min(conversations.length - 1, Math.max(0, at + by));
  return { ...state, selected: conversations[to]?.id ?? null, said: null };
}
