import type { TokenCounter } from '@palimpsest/core';
import { oneLine, startOf } from '@palimpsest/pruner/salience';

/** Counts the tokens of a text. */
export type CountText = TokenCounter['countText'];

/** An answer to the model with a limited number of tokens. */
export class BoundedAnswer {
  readonly #count: CountText;
  readonly #maxTokens: number;
  readonly #lines: string[] = [];
  #tokens = 0;

  constructor(count: CountText, maxTokens: number) {
    this.#count = count;
    this.#maxTokens = maxTokens;
  }

  /** Tokens that are still free. */
  get free(): number {
    return this.#maxTokens - this.#tokens;
  }

  /** Tokens of one line with its line break. */
  cost(line: string): number {
    return this.#count(line) + 1;
  }

  /**
   * Adds lines if all of them fit and leave `reserve` tokens free. Line breaks in quoted text are
   * removed, so that it cannot imitate other lines of the answer.
   */
  add(given: readonly string[], reserve = 0): boolean {
    const lines = given.map(oneLine);
    let cost = 0;
    for (const line of lines) cost += this.cost(line);
    if (cost + reserve > this.free) return false;
    this.#tokens += cost;
    this.#lines.push(...lines);
    return true;
  }

  /** Returns the text. If it has more tokens than its lines had alone, it is cut at the end, first by lines. */
  text(): string {
    const lines = [...this.#lines];
    let text = lines.join('\n');
    while (lines.length > 1 && this.#count(text) > this.#maxTokens) {
      lines.length = Math.min(lines.length - 1, Math.floor(lines.length * 0.95));
      text = lines.join('\n');
    }
    while (text !== '' && this.#count(text) > this.#maxTokens) text = startOf(text, Math.floor(text.length / 2));
    return text;
  }
}

/** A row as it is shown, with its number. */
export function numberRow(row: number, text: string): string {
  return `${row}| ${text}`;
}
