import { type Fields, fieldsIn } from '../record.ts';
import type { AnswerStream, IsOwn, RawAnswer } from '../wire/answers.ts';
import type { ReadEvent, StreamEvent } from '../wire/framing.ts';
import { combineUsage } from '../wire/usage.ts';
import { isOwnCall, readResponse } from './read-answer.ts';

interface HeldEvent {
  readonly name: string | undefined;
  readonly event: Fields;
}

const beginnings: ReadonlySet<unknown> = new Set(['response.created', 'response.in_progress', 'response.queued']);
const endings: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Streams of OpenAI Responses. */
export class ResponsesAnswerStream implements AnswerStream {
  hasBegun = false;
  readonly #isOwn: IsOwn;
  #isFirst = true;
  #id: unknown;
  #sequence = 0;
  #shown = 0;
  /** By index in the reply: index in the response that the SDK sees; -1 for a call of an own tool. */
  #places: Map<unknown, number> = new Map();
  /** Events of reasoning, until the item that it leads to begins. */
  #held: HeldEvent[] = [];
  #items: Fields[] = [];
  readonly #output: Fields[] = [];
  #usage: Fields | undefined;
  #ending: HeldEvent | null = null;

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
  }

  read({ event: name, fields: event }: ReadEvent): readonly StreamEvent[] {
    if (!event) return [];
    const held = { name, event };
    if (beginnings.has(event.type)) {
      if (!this.#isFirst) return [];
      this.#id ??= fieldsIn(event.response).id;
      return [this.#write(held)];
    }
    if (endings.has(event.type)) {
      this.#ending = held;
      return [];
    }
    if (event.output_index !== undefined) return this.#readItem(held);
    this.hasBegun = true;
    return [this.#write(held)];
  }

  answer(): RawAnswer {
    return readResponse({ ...this.#response, output: this.#items }, this.#isOwn);
  }

  next(): void {
    this.#close();
    this.#isFirst = false;
    this.#places = new Map();
    this.#held = [];
    this.#items = [];
    this.#ending = null;
  }

  end(): readonly StreamEvent[] {
    this.#close();
    const isAnswered = this.#items.some((item) => isOwnCall(item, this.#isOwn));
    const held = isAnswered ? [] : this.#flush();
    if (!this.#ending) return held;
    const { name, event } = this.#ending;
    const response = {
      ...this.#response,
      ...(this.#id === undefined ? {} : { id: this.#id }),
      output: this.#output,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    };
    return [...held, this.#write({ name, event: { ...event, response } })];
  }

  failure(message: string): StreamEvent {
    const data = { type: 'error', code: 'server_error', message, param: null, sequence_number: this.#sequence++ };
    return { event: 'error', data };
  }

  get #response(): Fields {
    return fieldsIn(this.#ending?.event.response);
  }

  /** Adds the answer that was read to the message. */
  #close(): void {
    const { visible, usage } = this.answer();
    for (const item of visible) this.#output.push(item);
    this.#usage = combineUsage(this.#usage, usage);
  }

  #readItem(held: HeldEvent): readonly StreamEvent[] {
    const { event } = held;
    const at = event.output_index;
    const item = fieldsIn(event.item);
    if (event.type === 'response.output_item.done') this.#items.push(item);
    if (event.type !== 'response.output_item.added') {
      const place = this.#places.get(at);
      if (place === undefined) {
        this.#held.push(held);
        return [];
      }
      return place < 0 ? [] : [this.#write(withPlace(held, place))];
    }
    if (item.type === 'reasoning') {
      this.#held.push(held);
      return [];
    }
    if (isOwnCall(item, this.#isOwn)) {
      this.#places.set(at, -1);
      return [];
    }
    const before = this.#flush();
    this.hasBegun = true;
    return [...before, this.#write(this.#place(held))];
  }

  /** The events of reasoning that leads to an item which the SDK sees. */
  #flush(): readonly StreamEvent[] {
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) this.hasBegun = true;
    return held.map((one) => this.#write(this.#place(one)));
  }

  #place(held: HeldEvent): HeldEvent {
    const at = held.event.output_index;
    const place = this.#places.get(at) ?? this.#shown++;
    this.#places.set(at, place);
    return withPlace(held, place);
  }

  #write({ name, event }: HeldEvent): StreamEvent {
    const data = event.sequence_number === undefined ? event : { ...event, sequence_number: this.#sequence++ };
    return { event: name, data };
  }
}

function withPlace({ name, event }: HeldEvent, place: number): HeldEvent {
  return { name, event: { ...event, output_index: place } };
}
