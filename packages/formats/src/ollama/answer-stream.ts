import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import type { AnswerStream, IsOwn, RawAnswer } from '../wire/answers.ts';
import type { ReadEvent, StreamEvent } from '../wire/framing.ts';
import { TextGaps } from '../wire/text-gaps.ts';
import { readOllama, withAllCounts } from './read-answer.ts';

/** Streams of `/api/chat`: each line has the part of the message that is new, the last one the counts. */
export class OllamaAnswerStream implements AnswerStream {
  hasBegun = false;
  readonly #isOwn: IsOwn;
  /** Other fields of the message, such as its role. */
  #message: Fields = {};
  #texts: string[] = [];
  #thoughts: string[] = [];
  #calls: Fields[] = [];
  /** The lines that ended earlier answers, and the one that is read. */
  readonly #earlier: Fields[] = [];
  #ending: Fields | null = null;
  readonly #gaps = new TextGaps();

  constructor(isOwn: IsOwn) {
    this.#isOwn = isOwn;
  }

  read({ data, fields: line }: ReadEvent): readonly StreamEvent[] {
    if (!line) return [];
    if (!isRecord(line.message)) {
      this.hasBegun = true;
      return [{ data }];
    }
    if (line.done === true) this.#ending = line;
    const message = this.#visibleMessage(line.message);
    if (message === null) return [];
    this.hasBegun = true;
    if (line.done !== true) return [{ data: { ...line, message } }];
    // The line with the counts comes last, after further answers.
    const { model, created_at: createdAt } = line;
    return [{ data: { model, created_at: createdAt, message, done: false } }];
  }

  answer(): RawAnswer {
    const thinking = this.#thoughts.join('');
    const message = {
      role: 'assistant',
      ...this.#message,
      content: this.#texts.join(''),
      ...(thinking !== '' && { thinking }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
    };
    return readOllama({ ...this.#ending, message }, this.#isOwn);
  }

  next(): void {
    if (this.#ending) this.#earlier.push(this.#ending);
    this.#ending = null;
    this.#message = {};
    this.#texts = [];
    this.#thoughts = [];
    this.#calls = [];
    this.#gaps.next();
  }

  end(): readonly StreamEvent[] {
    if (!this.#ending) return [];
    return [{ data: { ...withAllCounts(this.#ending, this.#earlier), message: { role: 'assistant', content: '' } } }];
  }

  failure(message: string): StreamEvent {
    return { data: { error: message } };
  }

  /** What the client sees of the new part of a message; `null` for nothing. */
  #visibleMessage({ content, thinking, tool_calls: given, ...rest }: Fields): Fields | null {
    this.#message = { ...this.#message, ...rest };
    const shown: Record<string, unknown> = { ...rest, content: '' };
    if (typeof content === 'string' && content !== '') {
      this.#texts.push(content);
      shown.content = this.#gaps.before() + content;
    }
    if (typeof thinking === 'string' && thinking !== '') {
      this.#thoughts.push(thinking);
      shown.thinking = thinking;
    }
    const calls = recordsIn(given);
    for (const call of calls) this.#calls.push(call);
    const visible = calls.filter((call) => !this.#isOwn(fieldsIn(call.function).name));
    if (visible.length > 0) shown.tool_calls = visible;
    return shown.content === '' && shown.thinking === undefined && visible.length === 0 ? null : shown;
  }
}
