import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, fieldsOf, recordsIn } from '../record.ts';
import type { AnswerStream, IsOwn, RawAnswer } from '../wire/answers.ts';
import type { ReadEvent, StreamEvent } from '../wire/framing.ts';
import { TextGaps } from '../wire/text-gaps.ts';
import { listEnd } from './framing.ts';
import { gap, isSigned, isWords, kindOf } from './part.ts';
import { CallFilter, combineGeminiUsage, readGemini } from './read-answer.ts';

/** Streams of `streamGenerateContent`. Each chunk is an answer with the parts that are new. */
export class GeminiAnswerStream implements AnswerStream {
  hasBegun = false;
  readonly #isOwn: IsOwn;
  /** The id of the first answer: all chunks of a message have the same. */
  #id: unknown;
  #parts: Fields[] = [];
  #filter: CallFilter;
  /** The usage reports of earlier answers, and of the one that is read. */
  #earlier: Fields | undefined;
  #usage: unknown;
  /** The chunk that ended the answer, without its parts. */
  #ending: Fields | null = null;
  readonly #gaps = new TextGaps();
  #isListEnded = false;

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
    this.#filter = new CallFilter(isOwn);
  }

  read({ data, fields: chunk }: ReadEvent): readonly StreamEvent[] {
    if (data === listEnd) this.#isListEnded = true;
    if (!chunk) return [];
    this.#id ??= chunk.responseId;
    if (isRecord(chunk.usageMetadata)) this.#usage = chunk.usageMetadata;
    const [candidate] = recordsIn(chunk.candidates);
    if (!candidate) {
      // An error, or a prompt that was blocked. A report of usage alone is repeated at the end.
      if (!isRecord(chunk.error) && !isRecord(chunk.promptFeedback)) return [];
      this.hasBegun = true;
      return [{ data }];
    }
    const parts = recordsIn(fieldsIn(candidate.content).parts);
    for (const part of parts) this.#parts.push(part);
    if (typeof candidate.finishReason === 'string') this.#ending = chunk;
    const visibleParts = parts.flatMap((part) => this.#visibleParts(part));
    if (visibleParts.length === 0) return [];
    this.hasBegun = true;
    const { finishReason: _, finishMessage: __, ...rest } = candidate;
    return [this.#chunk(chunk, rest, visibleParts)];
  }

  answer(): RawAnswer {
    const [ending = {}] = recordsIn(this.#ending?.candidates);
    const candidate = { ...ending, content: { role: 'model', parts: this.#parts } };
    return readGemini({ candidates: [candidate], usageMetadata: this.#usage }, this.#isOwn);
  }

  next(): void {
    this.#earlier = combineGeminiUsage(this.#earlier, this.#usage);
    this.#usage = undefined;
    this.#parts = [];
    this.#filter = new CallFilter(this.#isOwn);
    this.#gaps.next();
    this.#ending = null;
    this.#isListEnded = false;
  }

  end(): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    const [candidate] = recordsIn(this.#ending?.candidates);
    // The API ends a stream with an empty text. A chunk without parts would make `@google/genai` drop the whole turn.
    if (this.#ending && candidate) events.push(this.#chunk(this.#ending, candidate, [{ text: '' }]));
    if (this.#isListEnded) events.push({ data: listEnd });
    return events;
  }

  failure(message: string): StreamEvent {
    return { data: { error: { code: 500, message, status: 'INTERNAL' } } };
  }

  /** What the client sees of a part. */
  #visibleParts(part: Fields): readonly Fields[] {
    const visible = this.#filter.of(part);
    if (visible === null) return [];
    if (kindOf(visible) === 'aside' && !isSigned(visible)) return [];
    if (!isWords(visible)) return [visible];
    return this.#gaps.before() === '' ? [visible] : [fieldsOf(gap), visible];
  }

  #chunk(chunk: Fields, candidate: Fields, parts: readonly Fields[]): StreamEvent {
    const content = { ...fieldsIn(candidate.content), role: 'model', parts };
    const usage = combineGeminiUsage(this.#earlier, chunk.usageMetadata ?? this.#usage);
    return {
      data: {
        ...chunk,
        candidates: [{ ...candidate, content }],
        ...(usage && { usageMetadata: usage }),
        ...(this.#id === undefined ? {} : { responseId: this.#id }),
      },
    };
  }
}
