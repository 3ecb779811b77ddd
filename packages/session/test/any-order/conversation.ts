import type { Message } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import { filler } from '../make-session.ts';

/** What the user says first. It applies to the whole conversation. */
const rule = 'Never touch the folder vendor.';

/** An agent's conversation: its history, and what is checked in the requests made of it. */
export class Conversation {
  readonly name: string;
  history: Message[] = [];
  /** The last request that was sent, as JSON of each message; `null` if the next one may begin differently. */
  sent: readonly string[] | null = null;
  #count = 0;

  constructor(name: string) {
    this.name = name;
    this.ask();
    for (let round = 0; round < 12; round++) this.work([300, 200]);
    this.answer();
  }

  /** True if there is nothing for the model to answer. */
  get isAnswered(): boolean {
    return this.history.length === 0 || this.history.at(-1)!.role === 'assistant';
  }

  ask(): void {
    const first = this.history.length === 0 ? ` ${rule}` : '';
    this.history.push(user(`${this.#next('Request')}${first} ${filler(60, this.#count)}`));
  }

  answer(): void {
    this.history.push(assistant(`${this.#next('Answer')} ${filler(300, this.#count)}`));
  }

  /** The model calls a tool for each size. Results have that many tokens. */
  work(sizes: readonly number[]): void {
    const calls = sizes.map((tokens) => ({ id: `${this.name}${this.#count++}`, tokens }));
    this.history.push(assistant(null, ...calls.map(({ id }) => call(`c${id}`, 'bash', { command: `make ${id}` }))));
    for (const { id, tokens } of calls) this.history.push(result(`c${id}`, `result ${id}. ${filler(tokens, id)}`));
  }

  /** What has to be in the next request word for word. */
  get required(): readonly string[] {
    const task = this.history.findLast(({ role }) => role === 'user');
    const unread = this.history.slice(this.history.findLastIndex(({ role }) => role === 'assistant') + 1);
    const results = unread.filter(({ role }) => role === 'tool').map(({ content }) => String(content).split('. ')[0]!);
    return [rule, String(task?.content), ...results];
  }

  #next(what: string): string {
    return `${what} ${this.name}${this.#count++}.`;
  }
}
