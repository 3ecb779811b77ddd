import type { ResponsesItem } from '../responses/conversation.ts';
import { isCompaction, isPrompt } from './item.ts';

/** The items of a session, updated as its log is read. */
export class CodexHistory {
  readonly #history: 'whole' | 'context';
  #items: ResponsesItem[] = [];

  constructor(history: 'whole' | 'context') {
    this.#history = history;
  }

  get items(): readonly ResponsesItem[] {
    return this.#items;
  }

  /** @returns false for a compaction by the provider that is left out, because the whole history is read */
  add(item: ResponsesItem): boolean {
    if (this.#history === 'whole' && isCompaction(item)) return false;
    this.#items.push(item);
    return true;
  }

  /**
   * Applies a compaction by the agent.
   * @param replacement the new history; null in logs of older versions, which kept the user's messages and the summary
   */
  compact(summary: string, replacement: readonly ResponsesItem[] | null): void {
    if (this.#history === 'whole') return;
    const written = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: summary }],
    } as ResponsesItem;
    this.#items = replacement
      ? [...replacement]
      : [...this.#items.filter(({ role }: ResponsesItem & { role?: unknown }) => role === 'user'), written];
  }

  /** Removes the last turns, each of which begins with a prompt of the user. */
  rollBack(turns: number): void {
    let left = turns;
    let at = this.#items.length;
    while (at > 0 && left > 0) if (isPrompt(this.#items[--at]!)) left--;
    this.#items.length = at;
  }
}
