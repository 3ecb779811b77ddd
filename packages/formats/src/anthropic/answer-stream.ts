import { isRecord, parseRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn } from '../record.ts';
import type { AnswerStream, IsOwn, RawAnswer } from '../wire/answers.ts';
import type { ReadEvent, StreamEvent } from '../wire/framing.ts';
import { combineUsage } from '../wire/usage.ts';
import { anthropicUsage, readAnthropic } from './read-answer.ts';

interface OpenBlock {
  readonly block: Record<string, unknown>;
  json: string;
  /** Those of its first event, and those of its deltas. */
  readonly citations: unknown[];
  /** Index of the block in the message that the SDK sees; -1 for a call of an own tool, and for a text that is still empty. */
  shownAs: number;
  /** The first event of the block, until it is passed on. */
  held: { readonly event: Fields; readonly name: string | undefined } | null;
}

/** Streams of Anthropic Messages. */
export class AnthropicAnswerStream implements AnswerStream {
  hasBegun = false;
  readonly #isOwn: IsOwn;
  #isFirst = true;
  /** The first event of the message, until something follows that the client sees. */
  #opening: StreamEvent | null = null;
  #id: unknown;
  #blocks: Map<unknown, OpenBlock> = new Map();
  #blocksShown = 0;
  #hasShownCalls = false;
  /** The usage reports of earlier answers, and of the beginning and the end of the one that is read. */
  #earlier: Fields | undefined;
  #begun: Fields = {};
  #ended: Fields = {};
  #ending: Fields | null = null;
  #isStopped = false;

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
  }

  read({ data, event: name, fields: event }: ReadEvent): readonly StreamEvent[] {
    if (!event) return [];
    switch (event.type) {
      case 'message_start':
        this.#begun = fieldsIn(fieldsIn(event.message).usage);
        this.#open(event, { event: name, data });
        return [];
      case 'content_block_start':
        return this.#start(event, name);
      case 'content_block_delta':
      case 'content_block_stop':
        return this.#continue(event, name);
      case 'message_delta':
        this.#ending = event;
        this.#ended = { ...this.#ended, ...fieldsIn(event.usage) };
        return [];
      case 'message_stop':
        this.#isStopped = true;
        return [];
      case 'ping':
        return this.#opening ? [] : [{ event: name, data }];
      default:
        return this.#show({ event: name, data });
    }
  }

  answer(): RawAnswer {
    const content = [...this.#blocks.values()].map(({ block, json }) =>
      block.type === 'tool_use' && json !== '' ? { ...block, input: parseRecord(json) ?? {} } : block,
    );
    // The beginning states the prompt, the end the answer. Some servers report both at the end.
    const { output_tokens: written = this.#begun.output_tokens } = this.#ended;
    const usage = anthropicUsage(this.#begun) ? { ...this.#begun, output_tokens: written } : this.#usage;
    return readAnthropic({ content, stop_reason: this.#reason, usage }, this.#isOwn);
  }

  next(): void {
    this.#earlier = combineUsage(this.#earlier, this.#usage);
    this.#isFirst = false;
    this.#blocks = new Map();
    this.#begun = {};
    this.#ended = {};
    this.#ending = null;
    this.#isStopped = false;
  }

  end(): readonly StreamEvent[] {
    if (!this.#ending) return [];
    const reason = this.#reason === 'tool_use' && !this.#hasShownCalls ? 'end_turn' : this.#reason;
    const delta = { ...fieldsIn(this.#ending.delta), stop_reason: reason };
    // The first event states the prompt of the answer in which the client sees something first.
    const usage = this.#isFirst ? this.#ending.usage : combineUsage(this.#earlier, this.#usage);
    const ending = { event: 'message_delta', data: { ...this.#ending, delta, usage } };
    const stop = { event: 'message_stop', data: { type: 'message_stop' } };
    return this.#show(ending, ...(this.#isStopped ? [stop] : []));
  }

  failure(message: string): StreamEvent {
    return { event: 'error', data: { type: 'error', error: { type: 'api_error', message } } };
  }

  get #usage(): Fields {
    return { ...this.#begun, ...this.#ended };
  }

  get #reason(): unknown {
    return fieldsIn(this.#ending?.delta).stop_reason;
  }

  /** Keeps the first event of the message, with the prompt of the newest answer. */
  #open(event: Fields, opening: StreamEvent): void {
    const message = fieldsIn(event.message);
    if (this.#isFirst) {
      this.#id = message.id;
      this.#opening = opening;
    } else if (this.#opening) this.#opening = { ...opening, data: { ...event, message: { ...message, id: this.#id } } };
  }

  /** Returns what the client sees, behind the first event. */
  #show(...events: readonly StreamEvent[]): readonly StreamEvent[] {
    this.hasBegun = true;
    const opening = this.#opening;
    this.#opening = null;
    return opening ? [opening, ...events] : events;
  }

  #start(event: Fields, name: string | undefined): readonly StreamEvent[] {
    const block = fieldsIn(event.content_block);
    const isCall = block.type === 'tool_use';
    const citations: unknown[] = Array.isArray(block.citations) ? [...block.citations] : [];
    const open: OpenBlock = { block: { ...block }, json: '', citations, shownAs: -1, held: null };
    this.#blocks.set(event.index, open);
    if (isCall && this.#isOwn(block.name)) return [];
    if (isCall) this.#hasShownCalls = true;
    // Anthropic rejects an empty text when the message is sent back.
    if (block.type !== 'text' || block.text !== '') return this.#showBlock(open, event, name);
    open.held = { event, name };
    return [];
  }

  #showBlock(open: OpenBlock, event: Fields, name: string | undefined): readonly StreamEvent[] {
    open.shownAs = this.#blocksShown++;
    return this.#show({ event: name, data: { ...event, index: open.shownAs } });
  }

  #continue(event: Fields, name: string | undefined): readonly StreamEvent[] {
    const open = this.#blocks.get(event.index);
    if (!open) return [];
    const { held } = open;
    if (isRecord(event.delta)) {
      extend(open, event.delta);
      open.held = null;
    }
    const begun = held && open.held === null ? this.#showBlock(open, held.event, held.name) : [];
    return open.shownAs < 0 ? begun : [...begun, { event: name, data: { ...event, index: open.shownAs } }];
  }
}

/** Adds a delta to its block, so that the block can be sent again. */
function extend(open: OpenBlock, { type, ...delta }: Fields): void {
  const { block } = open;
  if (type === 'input_json_delta') {
    open.json += typeof delta.partial_json === 'string' ? delta.partial_json : '';
    return;
  }
  if (type === 'citations_delta') {
    open.citations.push(delta.citation);
    block.citations = open.citations;
    return;
  }
  for (const [field, value] of Object.entries(delta)) {
    const before = block[field];
    block[field] = typeof value === 'string' && typeof before === 'string' ? before + value : value;
  }
}
