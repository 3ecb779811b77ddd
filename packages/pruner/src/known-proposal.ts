import { type Message, type RewriteEdit, rewritten, type TokenCounter, type Transcript } from '@palimpsest/core';
import type { Proposal } from './strategy.ts';

/** A message as a proposal leaves it. */
export interface Taken {
  readonly message: Message;
  /** As this counter counts it. */
  readonly tokens: number;
  readonly counter: TokenCounter;
}

/** A proposal with what comes of it, each made once: the edit, and the message it leaves. */
export class KnownProposal implements Proposal {
  readonly at: number;
  readonly set: Proposal['set'];
  readonly note: string;
  #edit: RewriteEdit | undefined;
  #taken: Taken | undefined;

  constructor({ at, set, note }: Proposal) {
    this.at = at;
    this.set = set;
    this.note = note;
  }

  /** As an edit of the strategy with this code. */
  edit(code: string): RewriteEdit {
    const known = this.#edit;
    if (known?.reasons[0]?.code === code) return known;
    const { at, set, note } = this;
    this.#edit = { kind: 'rewrite', at, set, reasons: [{ code, note }] };
    return this.#edit;
  }

  /** Carried out on the message it is about, always the same one. */
  on(message: Message, transcript: Transcript): Taken {
    const { counter } = transcript;
    if (this.#taken?.counter === counter) return this.#taken;
    const copy = rewritten(message, this.set);
    this.#taken = { message: copy, tokens: transcript.countMessage(copy, this.at), counter };
    return this.#taken;
  }
}
