import { isSystem, isToolResult, type Message } from '@palimpsest/core';
import type { Policy, PolicyRun, Simulated, SummaryCall } from '@palimpsest/eval/measures';
import { summaryOf, summaryTokens } from './stand-in-writer.ts';

/** What is summarized. */
interface Summarizable {
  /** The prompt without system messages and an earlier summary. */
  readonly messages: readonly Message[];
  /** Tokens of the whole prompt. */
  readonly promptTokens: number;
  readonly world: Simulated;
}

/** A policy that replaces old messages by a summary, as data. */
export interface SummaryRule {
  readonly name: string;
  readonly rule: string;
  readonly source: string;
  /** Prompt size from which on it summarizes, in tokens. */
  readonly threshold: (window: number) => number;
  /** Where the messages that stay begin. 0 or less: nothing is summarized. */
  readonly tailStart: (summary: Summarizable) => number;
  /** First messages after the system prompt that stay. @default 0 */
  readonly head?: number | undefined;
  /** What is put after the summary, made of what was summarized. @default nothing */
  readonly restore?: ((summarized: readonly Message[], world: Simulated) => readonly Message[]) | undefined;
  /** The calls for one summary. @default one that reads what is summarized */
  readonly calls?: ((sizes: SummarySizes) => readonly SummaryCall[]) | undefined;
  /** What the summarizer reads of a message. @default all of it */
  readonly read?: ((message: Message) => Message) | undefined;
  /** Rewrites results when a person writes. @default nothing */
  readonly prune?: ((messages: readonly Message[], world: Simulated) => readonly Message[]) | undefined;
}

/** Sizes of one summary, in tokens. */
export interface SummarySizes {
  /** The agent's last request. */
  readonly promptTokens: number;
  /** What the summarizer reads: the summarized messages, and the summary before them. */
  readonly readTokens: number;
  readonly summaryTokens: number;
}

/** The instruction of a summarizer. Tokens. */
export const instructionTokens = 1_000;

/** A call that reads what is summarized as a new prompt. */
export const ordinaryCall = ({ readTokens, summaryTokens: outputTokens }: SummarySizes): SummaryCall => ({
  inputTokens: readTokens + instructionTokens,
  prefixTokens: 0,
  outputTokens,
});

/** A call that sends the agent's last request again with an instruction after it. */
export const callWithCache = ({ promptTokens, summaryTokens: outputTokens }: SummarySizes): SummaryCall => ({
  inputTokens: promptTokens + instructionTokens,
  prefixTokens: promptTokens,
  outputTokens,
});

/** Returns the first position of a tail with at most so many tokens. It never begins with a tool result. */
export function tailWithin(messages: readonly Message[], tokens: number, world: Simulated): number {
  let from = messages.length;
  for (let left = tokens; from > 0; from--) {
    left -= world.countMessage(messages[from - 1]!);
    if (left < 0) break;
  }
  while (from < messages.length && isToolResult(messages[from]!)) from++;
  return from;
}

export const summaryPolicy = (rule: SummaryRule): Policy => ({
  name: rule.name,
  rule: rule.rule,
  source: rule.source,
  open: (world) => new SummarizingRun(rule, world),
});

class SummarizingRun implements PolicyRun {
  readonly #rule: SummaryRule;
  readonly #world: Simulated;
  #system: readonly Message[] = [];
  #head: readonly Message[] = [];
  #summary: { readonly text: string; readonly messages: readonly Message[] } | null = null;
  #messages: readonly Message[] = [];
  #seen = 0;

  constructor(rule: SummaryRule, world: Simulated) {
    this.#rule = rule;
    this.#world = world;
  }

  async prepare(history: readonly Message[]) {
    const added = history.slice(this.#seen);
    this.#seen = history.length;
    this.#system = [...this.#system, ...added.filter(isSystem)];
    this.#messages = [...this.#messages, ...added.filter((message) => !isSystem(message))];
    let rewrites = 0;
    if (this.#rule.prune && added.some(this.#world.isFromPerson)) {
      const pruned = this.#rule.prune(this.#messages, this.#world);
      if (pruned !== this.#messages) rewrites++;
      this.#messages = pruned;
    }
    const calls: SummaryCall[] = [];
    const promptTokens = this.#count(this.#prompt());
    if (promptTokens >= this.#rule.threshold(this.#world.window)) {
      const made = await this.#summarize(promptTokens);
      if (made) rewrites++;
      calls.push(...(made ?? []));
    }
    return { prompt: this.#prompt(), calls, rewrites };
  }

  noteAnswer(): void {}

  async #summarize(promptTokens: number): Promise<readonly SummaryCall[] | null> {
    const { head = 0, restore, calls, read = (message) => message } = this.#rule;
    const summary = { messages: this.#messages, promptTokens, world: this.#world };
    const from = this.#summary === null ? Math.min(head, this.#messages.length) : 0;
    const to = this.#rule.tailStart(summary);
    if (to <= from) return null;
    const summarized = this.#messages.slice(from, to);
    if (this.#summary === null) this.#head = this.#messages.slice(0, from);
    const readable = summarized.map(read);
    const text = await summaryOf(readable, this.#summary?.text ?? null);
    const readTokens = this.#count(readable) + (this.#summary ? this.#count(this.#summary.messages) : 0);
    const kept = restore?.(summarized, this.#world) ?? [];
    this.#summary = { text, messages: [{ role: 'user', content: text }, ...kept] };
    this.#messages = this.#messages.slice(to);
    const sizes = {
      promptTokens,
      readTokens,
      summaryTokens: Math.min(summaryTokens, this.#count(this.#summary.messages)),
    };
    return calls?.(sizes) ?? [ordinaryCall(sizes)];
  }

  #prompt(): readonly Message[] {
    return [...this.#system, ...this.#head, ...(this.#summary?.messages ?? []), ...this.#messages];
  }

  #count(messages: readonly Message[]): number {
    return messages.reduce((total, message) => total + this.#world.countMessage(message), 0);
  }
}
