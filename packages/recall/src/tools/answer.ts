import type { TokenCounter } from '@palimpsest/core';

/** Counts the tokens of a text. */
export type CountText = TokenCounter['countText'];

/** An answer for the model that never has more tokens than it may. */
export class Answer {
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

  /** Adds lines if all of them fit and leave `reserve` tokens free. */
  add(lines: readonly string[], reserve = 0): boolean {
    let cost = 0;
    for (const line of lines) cost += this.cost(line);
    if (cost + reserve > this.free) return false;
    this.#tokens += cost;
    this.#lines.push(...lines);
    return true;
  }

  /** The text. Whole lines are left out at the end if it costs more than its lines, and then characters. */
  text(): string {
    const lines = [...this.#lines];
    let text = lines.join('\n');
    while (lines.length > 1 && this.#count(text) > this.#maxTokens) {
      lines.length = Math.min(lines.length - 1, Math.floor(lines.length * 0.95));
      text = lines.join('\n');
    }
    while (text !== '' && this.#count(text) > this.#maxTokens) text = text.slice(0, Math.floor(text.length / 2));
    return text;
  }
}

/** A row as it is shown, with its number. */
export function numbered(row: number, text: string): string {
  return `${row}| ${text.endsWith('\r') ? text.slice(0, -1) : text}`;
}
