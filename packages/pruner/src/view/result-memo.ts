import type { Message } from '@palimpsest/core';
import type { ToolDescriptor } from '../exchange/tool-descriptor.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import type { PolicySettings } from '../policy/policy-settings.ts';
import type { Fact } from '../strategies/fact.ts';
import type { Proposal, PruneView } from './strategy.ts';

/** Cached data about one tool result, so that planning a grown transcript again processes only new results. */
interface ResultMemo extends MemoBasis {
  fact?: Fact | null;
  stub?: StubMemo;
}

/** Everything besides the policy that facts and stubs depend on. A memo is valid while all of it stays the same. */
interface MemoBasis {
  readonly called: string;
  readonly input: string;
  readonly text: string;
  readonly content: Message['content'];
  readonly tools: readonly ToolDescriptor[];
}

/** The stub proposed last, with the other values it depends on. */
interface StubMemo extends Pick<PolicySettings, 'redact' | 'placeholder'> {
  readonly suffix: string;
  readonly proposal: Proposal | null;
}

// A pure cache: garbage-collected with the message, and checked against its content on every use.
const memos = new WeakMap<Message, ResultMemo>();

function memoOf(view: PruneView, at: number, { called, input, text }: ToolExchange): ResultMemo {
  const message = view.current(at)!;
  const { content } = message;
  const { tools } = view.policy;
  const known = memos.get(message);
  if (
    known &&
    known.called === called &&
    known.input === input &&
    known.text === text &&
    known.content === content &&
    known.tools === tools
  )
    return known;
  const memo: ResultMemo = { called, input, text, content, tools };
  memos.set(message, memo);
  return memo;
}

/** Returns the fact that a result states, read once per message. */
export function readFactOnce(
  view: PruneView,
  at: number,
  exchange: ToolExchange,
  read: (exchange: ToolExchange) => Fact | null,
): Fact | null {
  const memo = memoOf(view, at, exchange);
  if (memo.fact === undefined) memo.fact = read(exchange);
  return memo.fact;
}

/** Returns the proposal to stub a result, created once per message, suffix and policy. */
export function proposeStubOnce(
  view: PruneView,
  { at, exchange }: { readonly at: number; readonly exchange: ToolExchange },
  suffix: string,
  propose: () => Proposal | null,
): Proposal | null {
  const { redact, placeholder } = view.policy;
  const memo = memoOf(view, at, exchange);
  const known = memo.stub;
  if (!known || known.suffix !== suffix || known.redact !== redact || known.placeholder !== placeholder) {
    const proposal = propose();
    memo.stub = { suffix, redact, placeholder, proposal };
    return proposal;
  }
  // The same message can have another index in another transcript.
  return known.proposal && known.proposal.at !== at ? { ...known.proposal, at } : known.proposal;
}
