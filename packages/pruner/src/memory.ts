import type { Message } from '@palimpsest/core';
import type { ToolName } from '@palimpsest/core/tools';
import { type Classifier, ToolExchange } from './exchange.ts';
import type { Fact } from './fact.ts';
import { KnownProposal } from './known-proposal.ts';
import type { PolicySettings } from './policy-settings.ts';
import type { Proposal } from './proposal.ts';
import type { SampledText } from './text-set.ts';

import { ownText } from './tool-result.ts';

/**
 * An exchange with all that was read out of it and written for it before. One object a message: many small weak tables
 * make collections slow, and a long text that need not be loaded again is most of the time saved.
 */
export class KnownExchange extends ToolExchange implements SampledText {
  /** Characters of the text. */
  readonly length: number;
  /** The content of the message, when it is nothing but the text. */
  readonly content: string | null;
  readonly classify: Classifier;
  /** The calls it was seen to be the only answer to, and the id it gave; `null` while it was not. */
  calls: Message['tool_calls'] = null;
  id: string | undefined = undefined;
  sample: number | undefined = undefined;
  twin: string | undefined = undefined;
  /** What it proves; `undefined` until it was asked. */
  fact: Fact | null | undefined = undefined;
  /** Index of the message the proposal is about, here so that it need not be loaded to be found the right one. */
  #at = 0;
  /** `undefined` until there was a proposal to make. It depends on the four below besides the exchange. */
  #proposal: KnownProposal | null | undefined = undefined;
  #content: Message['content'] = undefined;
  #suffix = '';
  #redact: PolicySettings['redact'] = null;
  #placeholder: PolicySettings['placeholder'] = 'stub';

  constructor(name: ToolName, input: string, { content }: Message, classify: Classifier) {
    super(name, input, ownText(content), classify);
    this.length = this.text.length;
    this.content = typeof content === 'string' ? content : null;
    this.classify = classify;
  }

  /** The proposal made before on this basis, `null` when none was to be made; `undefined` when it is not known. */
  recall(at: number, content: Message['content'], suffix: string, policy: PolicySettings): Proposal | null | undefined {
    if (
      !Object.is(this.#content, content) ||
      this.#suffix !== suffix ||
      this.#redact !== policy.redact ||
      this.#placeholder !== policy.placeholder
    )
      return undefined;
    if (this.#at !== at) {
      this.#at = at;
      if (this.#proposal) this.#proposal = new KnownProposal({ ...this.#proposal, at });
    }
    return this.#proposal;
  }

  remember(
    at: number,
    proposal: KnownProposal | null,
    content: Message['content'],
    suffix: string,
    { redact, placeholder }: PolicySettings,
  ): Proposal | null {
    this.#proposal = proposal;
    this.#at = at;
    this.#content = content;
    this.#suffix = suffix;
    this.#redact = redact;
    this.#placeholder = placeholder;
    this.release();
    return proposal;
  }
}

// Remembered by message object and checked against its content, so that planning a grown transcript anew costs the
// growth. Like the memo of a token counter, it holds no state of anybody's.
const memories = new WeakMap<Message, KnownExchange>();

/**
 * The call and its result as an exchange, the one from before while nothing about it has changed. Compared by
 * `Object.is`, which does not load texts that are one and the same.
 */
export function exchangeOf(message: Message, name: ToolName, input: string, classify: Classifier): KnownExchange {
  const known = memories.get(message);
  if (
    known !== undefined &&
    known.classify === classify &&
    Object.is(known.called, name.called) &&
    Object.is(known.input, input) &&
    (known.content === null ? known.text === ownText(message.content) : Object.is(known.content, message.content))
  )
    return known;
  const exchange = new KnownExchange(name, input, message, classify);
  memories.set(message, exchange);
  return exchange;
}

/** Remembers that an exchange is all that came of the calls of a message. */
export function rememberAnswer(
  exchange: KnownExchange,
  { tool_calls: calls }: Message,
  { tool_call_id: id }: Message,
): void {
  exchange.calls = calls ?? null;
  exchange.id = id;
}

/**
 * The exchange that a message is known to make as the only answer to the calls of another; `null` when it is not known, or
 * calls, id or content are others now. Looks at the two messages, as a token counter does, and not into the calls: most
 * of what a plan of known messages takes is loading what it looks at.
 */
export function recallAnswer(
  { tool_calls: calls }: Message,
  answer: Message,
  classify: Classifier,
): KnownExchange | null {
  const known = memories.get(answer);
  if (known === undefined || known.calls === null || known.content === null) return null;
  const isSame =
    known.classify === classify &&
    Object.is(known.calls, calls) &&
    Object.is(known.id, answer.tool_call_id) &&
    Object.is(known.content, answer.content);
  return isSame ? known : null;
}
