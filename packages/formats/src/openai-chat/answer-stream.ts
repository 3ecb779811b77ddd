import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import type { AnswerStream, IsOwn, RawAnswer } from '../wire/answers.ts';
import type { ReadEvent, StreamEvent } from '../wire/framing.ts';
import { TextGaps } from '../wire/text-gaps.ts';
import { combineUsage } from '../wire/usage.ts';
import { readChat } from './read-answer.ts';

/** A call of which parts arrived. */
interface OpenCall {
  id: string;
  name: string;
  arguments: string;
  /** Number of the call in the message that the SDK sees; -1 for a call of `recall` or another own tool, or before its name is known. */
  shownAs: number;
}

/** Streams of OpenAI chat completions. */
export class ChatAnswerStream implements AnswerStream {
  hasBegun = false;
  readonly #isOwn: IsOwn;
  /** Id and time of the first chunk: all chunks of a message have the same. */
  #first: Fields | null = null;
  /** The usage reports of earlier answers, and of the one that is read. */
  #earlier: Fields | undefined;
  #usage: Fields | undefined;
  #message: Record<string, unknown> = {};
  #calls: Map<number, OpenCall> = new Map();
  #shownCalls = 0;
  readonly #gaps = new TextGaps();
  /** The choice that ended the answer. */
  #ending: Fields | null = null;
  #isDone = false;
  #last: Fields | null = null;

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
  }

  read({ data, fields: chunk }: ReadEvent): readonly StreamEvent[] {
    if (data === '[DONE]') this.#isDone = true;
    if (!chunk) return [];
    if (isRecord(chunk.usage)) this.#usage = chunk.usage;
    if (!Array.isArray(chunk.choices)) {
      this.hasBegun = true;
      return [{ data }];
    }
    const [choice] = recordsIn(chunk.choices);
    if (!choice) return isRecord(chunk.usage) ? [] : [{ data }];
    const isFirst = this.#first === null;
    this.#first ??= chunk;
    this.#last = chunk;
    if (typeof choice.finish_reason === 'string') this.#ending = choice;
    const delta = this.#visibleDelta(fieldsIn(choice.delta), isFirst);
    return delta === null ? [] : [this.#chunk(chunk, { ...choice, delta, finish_reason: null })];
  }

  answer(): RawAnswer {
    const calls = [...this.#calls.values()].map(({ id, name, arguments: written }) => ({
      id,
      type: 'function',
      function: { name, arguments: written },
    }));
    const message = {
      role: 'assistant',
      content: null,
      ...this.#message,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return readChat({ choices: [{ ...this.#ending, message }], usage: this.#usage }, this.#isOwn);
  }

  next(): void {
    this.#message = {};
    this.#calls = new Map();
    this.#gaps.next();
    this.#ending = null;
    this.#isDone = false;
    this.#earlier = combineUsage(this.#earlier, this.#usage);
    this.#usage = undefined;
  }

  end(): readonly StreamEvent[] {
    const chunk = this.#last;
    const events: StreamEvent[] = [];
    if (chunk && this.#ending) {
      const { logprobs: _, finish_reason: given, ...rest } = this.#ending;
      const reason = given === 'tool_calls' && this.#shownCalls === 0 ? 'stop' : given;
      events.push(this.#chunk(chunk, { ...rest, delta: {}, finish_reason: reason }));
    }
    const usage = combineUsage(this.#earlier, this.#usage);
    if (chunk && usage) events.push({ data: { ...this.#plain(chunk), choices: [], usage } });
    if (this.#isDone) events.push({ data: '[DONE]' });
    return events;
  }

  failure(message: string): StreamEvent {
    return { data: { error: { message, type: 'server_error', param: null, code: null } } };
  }

  /** What the SDK sees of a delta; `null` for nothing. */
  #visibleDelta(given: Fields, isFirst: boolean): Fields | null {
    const { role, tool_calls: calls, content, ...rest } = given;
    const shown: Record<string, unknown> = isFirst && role !== undefined ? { role } : {};
    for (const [name, value] of Object.entries(rest)) {
      this.#append(name, value);
      shown[name] = value;
    }
    if (typeof content === 'string' && content !== '') {
      this.#append('content', content);
      shown.content = this.#gaps.before() + content;
    } else if (isFirst && content !== undefined) shown.content = content;
    const shownCalls = recordsIn(calls).flatMap((call) => this.#visibleCall(call));
    if (shownCalls.length > 0) shown.tool_calls = shownCalls;
    if (Object.keys(shown).some((name) => name !== 'role' && shown[name] !== '' && shown[name] !== null))
      this.hasBegun = true;
    return Object.keys(shown).length === 0 ? null : shown;
  }

  /** A call is passed on from the moment its name is known. */
  #visibleCall(given: Fields): readonly Fields[] {
    const called = fieldsIn(given.function);
    const isNew = typeof given.id === 'string' && given.id !== '';
    const at = typeof given.index === 'number' ? given.index : this.#calls.size - (isNew ? 0 : 1);
    const call = this.#calls.get(at) ?? { id: '', name: '', arguments: '', shownAs: -1 };
    this.#calls.set(at, call);
    const wasNamed = call.name !== '';
    if (isNew) call.id = given.id as string;
    if (!wasNamed && typeof called.name === 'string') call.name = called.name;
    const written = typeof called.arguments === 'string' ? called.arguments : '';
    call.arguments += written;
    if (call.name === '' || this.#isOwn(call.name)) return [];
    if (wasNamed) return [{ ...given, index: call.shownAs }];
    call.shownAs = this.#shownCalls++;
    return [
      {
        type: 'function',
        ...given,
        index: call.shownAs,
        id: call.id,
        function: { ...called, name: call.name, arguments: call.arguments },
      },
    ];
  }

  /** Other fields, such as reasoning, are text in pieces or lists. */
  #append(name: string, value: unknown): void {
    const before = this.#message[name];
    if (typeof value === 'string' && typeof before === 'string') this.#message[name] = before + value;
    else if (Array.isArray(value) && Array.isArray(before)) for (const item of value) before.push(item);
    // A copy, because the list is extended later.
    else if (Array.isArray(value)) this.#message[name] = [...value];
    else if (value !== null && value !== undefined) this.#message[name] = value;
  }

  #chunk(chunk: Fields, choice: Fields): StreamEvent {
    return { data: { ...this.#plain(chunk), choices: [choice] } };
  }

  #plain({ usage: _, ...chunk }: Fields): Fields {
    const { id, created } = this.#first ?? chunk;
    return { ...chunk, ...(id === undefined ? {} : { id }), ...(created === undefined ? {} : { created }) };
  }
}
