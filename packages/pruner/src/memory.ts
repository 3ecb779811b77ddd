import { type Message, rewritten } from '@palimpsest/core';
import type { Fact } from './evidence.ts';
import { type Call, ToolExchange } from './exchange.ts';
import type { ResolvedPolicy } from './policy.ts';
import type { Proposal, PruneView } from './strategy.ts';
import type { SampledText } from './text-set.ts';
import type { Classifier } from './tool.ts';

/** What a proposal depends on besides the exchange. */
interface Basis {
  readonly content: Message['content'];
  readonly suffix: string;
  readonly redact: ResolvedPolicy['redact'];
  readonly placeholder: ResolvedPolicy['placeholder'];
}

/**
 * An exchange with all that was read out of it and written for it before. One object a message: many small weak tables
 * make collections slow, and a long text that need not be loaded again is most of the time saved.
 */
export class KnownExchange extends ToolExchange implements SampledText {
  /** Characters of the text. */
  readonly length: number;
  readonly classify: Classifier;
  sample: number | undefined = undefined;
  twin: string | undefined = undefined;
  /** What it proves; `undefined` until it was asked. */
  fact: Fact | null | undefined = undefined;
  #proposal: Proposal | null = null;
  #basis: Basis | null = null;
  /** The message as the proposal leaves it. */
  #copy: Message | null = null;

  constructor(call: Call, text: string, classify: Classifier) {
    super(call, text, classify);
    this.length = text.length;
    this.classify = classify;
  }

  /** The proposal made before on this basis, `null` when none was to be made; `undefined` when it is not known. */
  recall(at: number, content: Message['content'], suffix: string, policy: ResolvedPolicy): Proposal | null | undefined {
    const basis = this.#basis;
    if (
      basis === null ||
      !Object.is(basis.content, content) ||
      basis.suffix !== suffix ||
      basis.redact !== policy.redact ||
      basis.placeholder !== policy.placeholder
    )
      return undefined;
    const known = this.#proposal;
    if (known && known.at !== at) this.#proposal = { ...known, at };
    return this.#proposal;
  }

  remember(proposal: Proposal | null, basis: Basis): Proposal | null {
    this.#proposal = proposal;
    this.#basis = basis;
    this.#copy = null;
    return proposal;
  }

  /** The message as the proposal leaves it, made once when the proposal is the one remembered. */
  carriedOut(message: Message, proposal: Proposal): Message {
    if (this.#proposal !== proposal) return rewritten(message, proposal.set);
    this.#copy ??= rewritten(message, proposal.set);
    return this.#copy;
  }
}

// Remembered by message object and checked against its content, so that planning a grown transcript anew costs the
// growth. Like the memo of a token counter, it holds no state of anybody's.
const memories = new WeakMap<Message, KnownExchange>();

/**
 * The call and its result as an exchange, the one from before while nothing about it has changed. Compared by
 * `Object.is`, which does not load texts that are one and the same.
 */
export function exchangeOf(message: Message, call: Call, text: string, classify: Classifier): KnownExchange {
  const known = memories.get(message);
  if (
    known !== undefined &&
    known.classify === classify &&
    Object.is(known.text, text) &&
    Object.is(known.called, call.called) &&
    Object.is(known.input, call.input)
  )
    return known;
  const exchange = new KnownExchange(call, text, classify);
  memories.set(message, exchange);
  return exchange;
}

/** The exchange at an index, with its memory. */
export function knownAt(view: PruneView, at: number): KnownExchange | null {
  const exchange = view.exchange(at);
  return exchange instanceof KnownExchange ? exchange : null;
}
