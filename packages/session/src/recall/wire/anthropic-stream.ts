import { anthropicTurn } from './anthropic-turn.ts';
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

interface OpenBlock {
  readonly block: Record<string, unknown>;
  json: string;
  /** Those that it began with, and those of its deltas. */
  readonly citations: unknown[];
  /** Index of the block in the message that the SDK sees; -1 for a call of ours, and for a text without words so far. */
  shownAs: number;
  /** The first event of the block, until it is passed on. */
  held: string | null;
}

/** Streams of Anthropic Messages. */
export class AnthropicStream implements ReplyStream {
  hasBegun = false;
  readonly #isOwn: IsOwn;
  /** The first event of the message, until something follows that the SDK sees. */
  #opening: string | null = null;
  #id: unknown;
  #blocks: Map<unknown, OpenBlock> = new Map();
  #blocksShown = 0;
  #hasShownCalls = false;
  #replies = 0;
  /** Of all replies, and of the reply that is read now. */
  #usage: Fields | undefined;
  #usageOfReply: Fields | undefined;
  #ending: Fields | null = null;
  #isStopped = false;

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
  }

  next(): void {
    this.#replies++;
    this.#blocks = new Map();
    this.#ending = null;
    this.#isStopped = false;
    this.#usageOfReply = undefined;
  }

  read({ data, event: name }: StreamEvent): string {
    const event = parsedFields(data);
    if (!event) return '';
    const pass = (): string => eventText(data, name);
    switch (event.type) {
      case 'message_start': {
        this.#usageOfReply = isFields(event.message) && isFields(event.message.usage) ? event.message.usage : undefined;
        this.#open(event, data, name);
        return '';
      }
      case 'content_block_start':
        return this.#start(event, name);
      case 'content_block_delta':
      case 'content_block_stop':
        return this.#continue(event, name);
      case 'message_delta':
        this.#ending = event;
        if (isFields(event.usage)) this.#usageOfReply = { ...this.#usageOfReply, ...event.usage };
        return '';
      case 'message_stop':
        this.#isStopped = true;
        return '';
      case 'ping':
        return this.#opening === null ? pass() : '';
      default:
        return this.#shown(pass());
    }
  }

  turn(): ReplyTurn {
    this.#usage = combineUsage(this.#usage, this.#usageOfReply);
    const blocks = [...this.#blocks.values()].map(({ block, json }) =>
      block.type === 'tool_use' && json !== '' ? { ...block, input: parsedFields(json) ?? {} } : block,
    );
    return anthropicTurn(blocks, this.#reason, this.#isOwn);
  }

  end(): string {
    if (!this.#ending) return '';
    const reason = this.#reason === 'tool_use' && !this.#hasShownCalls ? 'end_turn' : this.#reason;
    const delta = { ...(isFields(this.#ending.delta) ? this.#ending.delta : {}), stop_reason: reason };
    // The first event states the prompt of the reply in which the SDK sees something first.
    const usage = this.#replies > 1 ? this.#usage : this.#ending.usage;
    const ending = eventText({ ...this.#ending, delta, usage }, 'message_delta');
    const stop = this.#isStopped ? eventText({ type: 'message_stop' }, 'message_stop') : '';
    return this.#shown(`${ending}${stop}`);
  }

  failure(message: string): string {
    return eventText({ type: 'error', error: { type: 'api_error', message } }, 'error');
  }

  get #reason(): unknown {
    return isFields(this.#ending?.delta) ? this.#ending.delta.stop_reason : undefined;
  }

  /** Keeps the first event of the message, with the prompt of the newest reply. */
  #open(event: Fields, data: string, name: string | undefined): void {
    const message = isFields(event.message) ? event.message : {};
    if (this.#id === undefined) {
      this.#id = message.id;
      this.#opening = eventText(data, name);
    } else if (this.#opening !== null)
      this.#opening = eventText({ ...event, message: { ...message, id: this.#id } }, name);
  }

  /** Passes on what the SDK sees, behind the first event. */
  #shown(text: string): string {
    this.hasBegun = true;
    const opening = this.#opening ?? '';
    this.#opening = null;
    return `${opening}${text}`;
  }

  #start(event: Fields, name: string | undefined): string {
    const block = isFields(event.content_block) ? event.content_block : {};
    const isCall = block.type === 'tool_use';
    const citations: unknown[] = Array.isArray(block.citations) ? [...block.citations] : [];
    const open: OpenBlock = { block: { ...block }, json: '', citations, shownAs: -1, held: null };
    this.#blocks.set(event.index, open);
    if (isCall && this.#isOwn(block.name)) return '';
    if (isCall) this.#hasShownCalls = true;
    // Anthropic rejects an empty text when the message is sent back.
    if (block.type !== 'text' || block.text !== '') return this.#show(open, event, name);
    open.held = eventText({ ...event, index: this.#blocksShown }, name);
    return '';
  }

  /** @param before an earlier event of the block */
  #show(open: OpenBlock, event: Fields, name: string | undefined, before = ''): string {
    open.shownAs = this.#blocksShown++;
    return this.#shown(`${before}${eventText({ ...event, index: open.shownAs }, name)}`);
  }

  #continue(event: Fields, name: string | undefined): string {
    const open = this.#blocks.get(event.index);
    if (!open) return '';
    const { held } = open;
    if (isFields(event.delta)) {
      extend(open, event.delta);
      if (held !== null) {
        open.held = null;
        return this.#show(open, event, name, held);
      }
    }
    return open.shownAs < 0 ? '' : eventText({ ...event, index: open.shownAs }, name);
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
