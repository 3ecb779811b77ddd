import { contentWithoutHandoff } from '../handoff/any-handoff.ts';
import { type Group, groupMessages } from '../messages/group.ts';
import { isToolResult, leadingSystems, type Message } from '../messages/message.ts';
import type { MessageReader } from './message-reader.ts';
import { createPersonRecognizer, judgingOriginals, type PersonRecognizer } from './person-recognizer.ts';
import { plainReader } from './plain-reader.ts';

/**
 * Counts tokens. Estimates are fine. For any input, it must not throw and must not return `NaN` or a negative number.
 * `@palimpsest/tokens` has an implementation that is memoized per message object.
 */
export interface TokenCounter {
  /** Tokens of a plain text. */
  countText(text: string): number;
  /**
   * Tokens one message adds to a prompt: content, name, tool calls and the fixed envelope. Reasoning is counted only
   * with `reasoning: true`: providers drop it from all but the newest assistant turn.
   */
  countMessage(message: Message, options?: { readonly reasoning?: boolean | undefined }): number;
}

/** A half-open range of message indices. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** How user messages are read: the part of an `EngineHost` that a {@link Transcript} needs. */
export interface Reading {
  /** @default core's plain reader, which knows only what this library writes */
  readonly reader?: MessageReader | undefined;
  /** Which user messages a person wrote. @default those in which the reader finds a person's words */
  readonly isFromPerson?: PersonRecognizer | undefined;
}

/**
 * An immutable, indexed view of a message array: tokens per message, prefix sums, atomic groups, the current task.
 * Built in one pass. With a memoized counter, only new messages are counted.
 */
export class Transcript {
  readonly messages: readonly Message[];
  readonly counter: TokenCounter;
  /** Separates a person's words from text that no person typed. */
  readonly reader: MessageReader;
  readonly groups: readonly Group[];
  /** The current task: the last run of consecutive user messages from a person, or `null`. */
  readonly task: Span | null;
  /** Number of system messages at the start. They are never removed. */
  readonly leading: number;
  /**
   * The pending tool calls, which the model has not answered yet, or `null`: the last assistant message with its calls
   * and their results. Messages without an answer may follow it, such as reminders, instructions of the host, and text
   * that a user typed meanwhile.
   */
  readonly pendingCalls: Span | null;
  /** Index after the last user message. From here on, reasoning is part of the prompt. */
  readonly #reasoningFrom: number;
  readonly #sums: Float64Array;
  readonly #groupOf: Int32Array;
  readonly #recognize: PersonRecognizer;

  /** @param reading how user messages are read: pass the host */
  static of(messages: readonly Message[], counter: TokenCounter, reading: Reading = {}): Transcript {
    return new Transcript(messages, counter, reading);
  }

  private constructor(
    messages: readonly Message[],
    counter: TokenCounter,
    { reader = plainReader, isFromPerson = createPersonRecognizer(reader) }: Reading,
  ) {
    this.messages = messages;
    this.counter = counter;
    this.reader = reader;
    this.groups = groupMessages(messages);
    this.leading = leadingSystems(messages);
    this.#groupOf = new Int32Array(messages.length);
    this.groups.forEach((group, index) => this.#groupOf.fill(index, group.from, group.to));
    this.#sums = new Float64Array(messages.length + 1);
    this.#reasoningFrom = messages.findLastIndex((message) => message.role === 'user') + 1;
    for (let index = 0; index < messages.length; index++) {
      this.#sums[index + 1] = this.#sums[index]! + this.countMessage(messages[index]!, index);
    }
    this.#recognize = judgingOriginals(isFromPerson);
    this.task = this.#findTask();
    this.pendingCalls = this.#findPending();
  }

  get length(): number {
    return this.messages.length;
  }

  /** Tokens of all messages, without overhead such as tool schemas. */
  get totalTokens(): number {
    return this.#sums[this.messages.length]!;
  }

  /**
   * Tokens that compaction cannot save: the leading system messages, and the current task without a handoff before
   * it.
   */
  get fixedTokens(): number {
    const { task } = this;
    let fixed = 0;
    this.messages.forEach((message, index) => {
      if (index < this.leading) fixed += this.tokens(index);
      if (task && index >= task.from && index < task.to) {
        const content = contentWithoutHandoff(message, this.reader);
        fixed += content === message.content ? this.tokens(index) : this.countMessage({ ...message, content }, index);
      }
    });
    return fixed;
  }

  /** Tokens of the tool results that the model has not seen yet. They stay whole, and do not count toward a target. */
  get unreadTokens(): number {
    const { pendingCalls, messages } = this;
    let unread = 0;
    for (let at = messages.length - 1; pendingCalls && at >= pendingCalls.from; at--) {
      if (messages[at]!.role === 'assistant') break;
      if (at < pendingCalls.to && isToolResult(messages[at]!)) unread += this.tokens(at);
    }
    return unread;
  }

  /** Tokens of one message. */
  tokens(index: number): number {
    return this.#sums[index + 1]! - this.#sums[index]!;
  }

  /** Tokens that a message would have at position `index`. */
  countMessage(message: Message, index: number): number {
    return this.counter.countMessage(message, { reasoning: index >= this.#reasoningFrom });
  }

  /** Tokens of the messages in `[from, to)`. */
  tokensBetween(from: number, to: number): number {
    return this.#sums[to]! - this.#sums[from]!;
  }

  /** Tokens of the groups in `[from, to)`. */
  tokensOfGroups(from: number, to: number): number {
    return from >= to ? 0 : this.tokensBetween(this.groups[from]!.from, this.groups[to - 1]!.to);
  }

  /** Index of the group a message belongs to. */
  groupOf(index: number): number {
    return this.#groupOf[index]!;
  }

  /** True for a user message that the recognizer accepts as a person's words. */
  isFromPerson(index: number): boolean {
    const message = this.messages[index]!;
    return message.role === 'user' && this.#recognize(message, index, this.messages);
  }

  #findPending(): Span | null {
    const answered = this.messages.findLastIndex(({ role }) => role === 'assistant');
    if (answered < 0) return null;
    const group = this.groups[this.groupOf(answered)]!;
    // Calls whose group ends with the assistant have nothing unread, unless they are still to be answered.
    const isOpen = group.to > answered + 1 || group.to === this.messages.length;
    return group.kind === 'calls' && isOpen ? group : null;
  }

  #findTask(): Span | null {
    let last = this.messages.length - 1;
    while (last >= 0 && !this.isFromPerson(last)) last--;
    if (last < 0) return null;
    let from = last;
    while (from > 0 && this.isFromPerson(from - 1)) from--;
    return { from, to: last + 1 };
  }
}
