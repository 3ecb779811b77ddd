import type { Message, RewriteEdit, TokenCounter } from '@palimpsest/core';
import { rewritten, type Transcript } from '@palimpsest/core/authoring';
import type { Proposal } from './proposal.ts';

/**
 * A proposal with what comes of it, each made once: the edit, and the message it leaves. One object, so that a plan made
 * again loads one from memory.
 */
export class KnownProposal implements Proposal {
  readonly at: number;
  readonly set: Proposal['set'];
  readonly note: string;
  #code = '';
  #edit: RewriteEdit | undefined = undefined;
  #message: Message | undefined = undefined;
  #counter: TokenCounter | undefined = undefined;
  #tokens = 0;

  constructor({ at, set, note }: Proposal) {
    this.at = at;
    this.set = set;
    this.note = note;
  }

  /** As an edit of the strategy with this code. */
  edit(code: string): RewriteEdit {
    if (this.#edit && this.#code === code) return this.#edit;
    const { at, set, note } = this;
    this.#code = code;
    this.#edit = { kind: 'rewrite', at, set, reasons: [{ code, note }] };
    return this.#edit;
  }

  /** Carries it out on the message it is about, always the same one. */
  on(message: Message, transcript: Transcript): this {
    const { counter } = transcript;
    if (this.#counter !== counter) {
      this.#message = rewritten(message, this.set);
      this.#tokens = transcript.countMessage(this.#message, this.at);
      this.#counter = counter;
    }
    return this;
  }

  /** The message as it leaves it, once it was carried out. */
  get message(): Message {
    return this.#message!;
  }

  /** Of that message, as the transcript's counter counts it. */
  get tokens(): number {
    return this.#tokens;
  }
}
