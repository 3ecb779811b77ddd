import type { ResponsesItem } from '../responses/conversation.ts';
import { isCompaction, isPrompt } from './item.ts';

/** The items of a session, as its log replays them. */
export class CodexHistory {
  readonly #history: 'whole' | 'context';
  #items: ResponsesItem[] = [];

  constructor(history: 'whole' | 'context') {
    this.#history = history;
  }

  get items(): readonly ResponsesItem[] {
    return this.#items;
  }

  /** @returns false for a compaction of the provider's, where all that it stands for is wanted */
  add(item: ResponsesItem): boolean {
    if (this.#history === 'whole' && isCompaction(item)) return false;
    this.#items.push(item);
    return true;
  }

  /**
   * @param replacement what the agent goes on from; older versions did not write it down, and went on from what the
   * user had said and the summary
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

  /** Takes back the last turns, each from what the user said on. */
  rollBack(turns: number): void {
    let left = turns;
    let at = this.#items.length;
    while (at > 0 && left > 0) if (isPrompt(this.#items[--at]!)) left--;
    this.#items.length = at;
  }
}
