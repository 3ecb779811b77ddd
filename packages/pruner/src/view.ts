import { type Draft, isSystem, isToolResult, type Message, rewritten, toolCallName, toolCalls } from '@palimpsest/core';
import { readToolName } from '@palimpsest/core/tools';
import { pairCalls } from './exchange.ts';
import { exchangeOf, type KnownExchange } from './memory.ts';
import { nameMatcher } from './name-matcher.ts';
import type { ResolvedPolicy } from './policy.ts';
import { protectedFrom, turnsFrom } from './protection.ts';
import { quoter } from './quote.ts';
import type { Proposal, PruneView } from './strategy.ts';
import { classifier } from './tool.ts';
import { ownText } from './tool-result.ts';

/** A view that takes proposals: what a strategy sees next is the message as the last one left it. */
export interface WritableView extends PruneView {
  /** Carries a proposal out on the view. @returns tokens reclaimed; 0, and nothing is changed, when it would not shrink the message */
  take(proposal: Proposal): number;
}

/** A message as a proposal has left it. */
interface Taken {
  readonly message: Message;
  readonly tokens: number;
}

/** Opens a view on what a draft has left of its transcript. Nothing is written to the draft. */
export function openView(draft: Draft, policy: ResolvedPolicy): WritableView {
  const { transcript } = draft;
  const { messages, groups, request } = transcript;
  const pairs = pairCalls(messages, groups, policy.from);
  const isProtected = nameMatcher(policy.protectTools);
  const classify = classifier(policy.tools);
  const taken: (Taken | undefined)[] = new Array(messages.length).fill(undefined);
  /** Exchanges as the messages stand now; `undefined` where nobody asked. */
  const exchanges: (KnownExchange | null | undefined)[] = new Array(messages.length).fill(undefined);
  const editableEnd = transcript.inFlight?.from ?? messages.length;

  const mayEdit = (index: number): boolean => {
    const message = messages[index]!;
    if (index < policy.from || index >= editableEnd || isSystem(message)) return false;
    if (request && index >= request.from && index < request.to) return false;
    const call = pairs[index];
    if (isToolResult(message)) return call !== undefined && !isProtected(call);
    if (groups[transcript.groupOf(index)]!.kind === 'message') return true;
    return (
      pairs[index + 1] !== undefined &&
      !toolCalls(message).some((made) => isProtected(readToolName(toolCallName(made))))
    );
  };
  const current = (index: number): Message | null => taken[index]?.message ?? draft.current(index);
  const view: WritableView = {
    transcript,
    policy,
    oldEnd: protectedFrom(transcript, policy),
    turnsStart: turnsFrom(transcript, policy),
    quote: quoter(policy.redact),
    current,
    message: (index) => (mayEdit(index) ? current(index) : null),
    tokens: (index) => taken[index]?.tokens ?? draft.currentTokens(index),
    exchange(index) {
      const known = exchanges[index];
      if (known !== undefined) return known;
      const call = pairs[index];
      const message = call && current(index);
      return (exchanges[index] = message ? exchangeOf(message, call, ownText(message.content), classify) : null);
    },
    take(proposal) {
      const { at } = proposal;
      const before = view.tokens(at);
      const known = exchanges[at];
      const message = known ? known.carriedOut(current(at)!, proposal) : rewritten(current(at)!, proposal.set);
      const tokens = transcript.countMessage(message, at);
      if (tokens >= before) return 0;
      taken[at] = { message, tokens };
      exchanges[at] = undefined;
      return before - tokens;
    },
  };
  return view;
}
