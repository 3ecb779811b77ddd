import { isRecord, parseRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import type { AnswerStream, IsOwn, RawAnswer } from '../wire/answers.ts';
import type { ReadEvent, StreamEvent } from '../wire/framing.ts';
import { combineBedrockUsage, readBedrock } from './read-answer.ts';

/** A block that is read. The first event of a text is its first delta. */
interface OpenBlock {
  readonly toolUse: Fields | null;
  /** A result of a tool that the provider runs, or an image, without its content. */
  readonly start: Fields;
  readonly results: Record<string, unknown>[];
  image: Fields;
  text: string;
  input: string;
  reasoning: { text?: string; signature?: string } | null;
  /** Encrypted thoughts, in base64. Each delta may end with padding. */
  readonly redacted: string[];
  readonly citations: unknown[];
  /** Index of the block in the message that the client sees; -1 for an own call, and until something of it is shown. */
  shownAs: number;
  /** True for an own call. */
  readonly isHidden: boolean;
}

/** Streams of `ConverseStream`. The data of an event is an object with one field, the type of the event. */
export class BedrockAnswerStream implements AnswerStream {
  hasBegun = false;
  readonly #isOwn: IsOwn;
  #isFirst = true;
  /** The first event of the message, until something follows that the client sees. */
  #opening: StreamEvent | null = null;
  #blocks: Map<unknown, OpenBlock> = new Map();
  #blocksShown = 0;
  #hasShownCalls = false;
  /** The usage reports of earlier answers. */
  #earlier: Fields | undefined;
  /** The last two events of the answer that is read. */
  #stop: Fields | null = null;
  #metadata: Fields | null = null;

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
  }

  read({ data, fields }: ReadEvent): readonly StreamEvent[] {
    const [type = '', value] = Object.entries(fields ?? {})[0] ?? [];
    const event = fieldsIn(value);
    switch (type) {
      case 'messageStart':
        if (this.#isFirst) this.#opening = { data };
        return [];
      case 'contentBlockStart':
        return this.#start(event);
      case 'contentBlockDelta':
        return this.#extend(event);
      case 'contentBlockStop':
        return this.#pass(type, event, this.#blocks.get(event.contentBlockIndex));
      case 'messageStop':
        this.#stop = event;
        return [];
      case 'metadata':
        this.#metadata = event;
        return [];
      default:
        return fields ? this.#show({ data }) : [];
    }
  }

  answer(): RawAnswer {
    const content = [...this.#blocks.values()].flatMap(finalBlocks);
    const { stopReason } = this.#stop ?? {};
    return readBedrock({ output: { message: { content } }, stopReason, usage: this.#metadata?.usage }, this.#isOwn);
  }

  next(): void {
    this.#earlier = combineBedrockUsage(this.#earlier, this.#metadata?.usage);
    this.#isFirst = false;
    this.#blocks = new Map();
    this.#stop = null;
    this.#metadata = null;
  }

  end(): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.#stop) {
      const { stopReason } = this.#stop;
      const reason = stopReason === 'tool_use' && !this.#hasShownCalls ? 'end_turn' : stopReason;
      events.push({ data: { messageStop: { ...this.#stop, stopReason: reason } } });
    }
    if (this.#metadata) {
      const usage = combineBedrockUsage(this.#earlier, this.#metadata.usage);
      events.push({ data: { metadata: { ...this.#metadata, usage } } });
    }
    return events.length === 0 ? [] : this.#show(...events);
  }

  failure(message: string): StreamEvent {
    return { data: { internalServerException: { message } } };
  }

  /** Returns what the client sees, behind the first event. */
  #show(...events: readonly StreamEvent[]): readonly StreamEvent[] {
    this.hasBegun = true;
    const opening = this.#opening;
    this.#opening = null;
    return opening ? [opening, ...events] : events;
  }

  #start(event: Fields): readonly StreamEvent[] {
    const open = this.#open(event.contentBlockIndex, fieldsIn(event.start));
    // A text may begin without this event, so it is shown only with its first words.
    if (open.isHidden || Object.keys(fieldsIn(event.start)).length === 0) return [];
    if (open.toolUse) this.#hasShownCalls = true;
    return this.#showBlock('contentBlockStart', event, open);
  }

  #extend(event: Fields): readonly StreamEvent[] {
    const open = this.#blocks.get(event.contentBlockIndex) ?? this.#open(event.contentBlockIndex, {});
    const delta = fieldsIn(event.delta);
    extend(open, delta);
    // Bedrock rejects a blank text when the message is sent back.
    if (open.isHidden || (open.shownAs < 0 && delta.text === '')) return [];
    return open.shownAs < 0
      ? this.#showBlock('contentBlockDelta', event, open)
      : this.#pass('contentBlockDelta', event, open);
  }

  #open(index: unknown, start: Fields): OpenBlock {
    const toolUse = isRecord(start.toolUse) ? start.toolUse : null;
    const isHidden = toolUse !== null && this.#isOwn(toolUse.name);
    const content = { text: '', input: '', reasoning: null, redacted: [], citations: [], results: [], image: {} };
    const open = { toolUse, start, ...content, shownAs: -1, isHidden };
    this.#blocks.set(index, open);
    return open;
  }

  #showBlock(type: string, event: Fields, open: OpenBlock): readonly StreamEvent[] {
    open.shownAs = this.#blocksShown++;
    return this.#pass(type, event, open);
  }

  #pass(type: string, event: Fields, open: OpenBlock | undefined): readonly StreamEvent[] {
    if (!open || open.shownAs < 0) return [];
    return this.#show({ data: { [type]: { ...event, contentBlockIndex: open.shownAs } } });
  }
}

/** Adds a delta to its block, so that the block can be sent again. */
function extend(open: OpenBlock, delta: Fields): void {
  const { text, toolUse, reasoningContent, citation, toolResult, image } = delta;
  if (typeof text === 'string') open.text += text;
  if (citation !== undefined) open.citations.push(citation);
  for (const result of recordsIn(toolResult)) addResult(open.results, result);
  open.image = { ...open.image, ...fieldsIn(image) };
  const { input } = fieldsIn(toolUse);
  if (typeof input === 'string') open.input += input;
  if (!isRecord(reasoningContent)) return;
  const { text: thought, signature, redactedContent } = reasoningContent;
  if (typeof redactedContent === 'string') {
    open.redacted.push(redactedContent);
    return;
  }
  open.reasoning ??= { text: '' };
  if (typeof thought === 'string') open.reasoning.text += thought;
  if (typeof signature === 'string') open.reasoning.signature = (open.reasoning.signature ?? '') + signature;
}

/** Adds a piece of a result. Its texts come in pieces, too. */
function addResult(results: Record<string, unknown>[], { text, ...rest }: Fields): void {
  const last = results.at(-1);
  if (typeof text !== 'string') results.push(rest);
  else if (typeof last?.text === 'string') last.text += text;
  else results.push({ text });
}

function finalBlocks(open: OpenBlock): readonly Fields[] {
  const { toolUse, start, input, reasoning, redacted, text, citations } = open;
  if (start.toolResult) return [{ toolResult: { ...fieldsIn(start.toolResult), content: open.results } }];
  if (start.image) return [{ image: { ...fieldsIn(start.image), ...open.image } }];
  if (toolUse) return [{ toolUse: { ...toolUse, input: parseRecord(input) ?? {} } }];
  if (redacted.length > 0) return [{ reasoningContent: { redactedContent: joinBase64(redacted) } }];
  if (reasoning) return [{ reasoningContent: { reasoningText: reasoning } }];
  if (citations.length > 0) return [{ citationsContent: { content: [{ text }], citations } }];
  return text.trim() === '' ? [] : [{ text }];
}

/** Joins chunks that are base64 each; as they are if one is not base64. */
function joinBase64(pieces: readonly string[]): string {
  try {
    return btoa(pieces.map(atob).join(''));
  } catch {
    return pieces.join('');
  }
}
