import { combineUsage } from './combine-usage.ts';
import {
  eventText,
  type Fields,
  type IsOwn,
  isFields,
  parsedFields,
  type ReplyStream,
  type ReplyTurn,
  type StreamEvent,
} from './recall-format.ts';
import { isOwnCall, responsesTurn } from './responses-turn.ts';

interface HeldEvent {
  readonly name: string | undefined;
  readonly event: Fields;
}

const beginnings: ReadonlySet<unknown> = new Set(['response.created', 'response.in_progress', 'response.queued']);
const endings: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Streams of OpenAI Responses. */
export class ResponsesStream implements ReplyStream {
  hasBegun = false;
  readonly #isOwn: IsOwn;
  #replies = 0;
  #id: unknown;
  #sequence = 0;
  #shown = 0;
  /** By index in the reply: index in the response that the SDK sees; -1 for a call of ours. */
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

  next(): void {
    this.#replies++;
    this.#places = new Map();
    this.#held = [];
    this.#items = [];
    this.#ending = null;
  }

  read({ data, event: name }: StreamEvent): string {
    const event = parsedFields(data);
    if (!event) return '';
    if (beginnings.has(event.type)) {
      if (this.#replies > 1) return '';
      this.#id ??= isFields(event.response) ? event.response.id : undefined;
      return this.#written({ name, event });
    }
    if (endings.has(event.type)) {
      this.#ending = { name, event };
      return '';
    }
    if (event.output_index === undefined) {
      this.hasBegun = true;
      return this.#written({ name, event });
    }
    return this.#readItem({ name, event });
  }

  turn(): ReplyTurn {
    const { response } = this.#ending?.event ?? {};
    const ended = isFields(response) ? response : {};
    this.#usage = combineUsage(this.#usage, ended.usage);
    const turn = responsesTurn(this.#items, ended.status, this.#isOwn);
    for (const item of turn.visible) this.#output.push(item);
    return turn;
  }

  end(): string {
    const isAnswered = this.#items.some((item) => isOwnCall(item, this.#isOwn));
    const held = isAnswered ? '' : this.#flushed();
    if (!this.#ending) return held;
    const { name, event } = this.#ending;
    const response = {
      ...(isFields(event.response) ? event.response : {}),
      ...(this.#id === undefined ? {} : { id: this.#id }),
      output: this.#output,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    };
    return `${held}${this.#written({ name, event: { ...event, response } })}`;
  }

  failure(message: string): string {
    return eventText(
      { type: 'error', code: 'server_error', message, param: null, sequence_number: this.#sequence++ },
      'error',
    );
  }

  #readItem(held: HeldEvent): string {
    const { event } = held;
    const at = event.output_index;
    const item = isFields(event.item) ? event.item : {};
    if (event.type === 'response.output_item.done') this.#items.push(item);
    if (event.type !== 'response.output_item.added') {
      const place = this.#places.get(at);
      if (place === undefined) {
        this.#held.push(held);
        return '';
      }
      return place < 0 ? '' : this.#written(placed(held, place));
    }
    if (item.type === 'reasoning') {
      this.#held.push(held);
      return '';
    }
    if (isOwnCall(item, this.#isOwn)) {
      this.#places.set(at, -1);
      return '';
    }
    const before = this.#flushed();
    this.hasBegun = true;
    return `${before}${this.#written(this.#place(held))}`;
  }

  /** The events of reasoning that leads to an item which the SDK sees. */
  #flushed(): string {
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) this.hasBegun = true;
    return held.map((one) => this.#written(this.#place(one))).join('');
  }

  #place(held: HeldEvent): HeldEvent {
    const at = held.event.output_index;
    const place = this.#places.get(at) ?? this.#shown++;
    this.#places.set(at, place);
    return placed(held, place);
  }

  #written({ name, event }: HeldEvent): string {
    const numbered = event.sequence_number === undefined ? event : { ...event, sequence_number: this.#sequence++ };
    return eventText(numbered, name);
  }
}

function placed({ name, event }: HeldEvent, place: number): HeldEvent {
  return { name, event: { ...event, output_index: place } };
}
