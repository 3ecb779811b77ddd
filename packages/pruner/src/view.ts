import { isSystem, isToolResult, type Message, toolCallName, toolCalls } from '@palimpsest/core';
import type { Draft, Group } from '@palimpsest/core/authoring';
import { readToolName, type ToolName } from '@palimpsest/core/tools';
import { pairCalls } from './exchange.ts';
import type { KnownProposal } from './known-proposal.ts';
import { exchangeOf, type KnownExchange, recallAnswer, rememberAnswer } from './memory.ts';
import { nameMatcher } from './name-matcher.ts';
import type { ResolvedPolicy } from './policy.ts';
import { protectedFrom, turnsFrom } from './protection.ts';
import { quoter } from './quote.ts';
import type { PruneView } from './strategy.ts';
import { classifier } from './tool.ts';

/** A view that takes proposals: what a strategy sees next is the message as the last one left it. */
export interface WritableView extends PruneView {
  /** Carries a proposal out on the view. @returns tokens reclaimed; 0, and nothing is changed, when it would not shrink the message */
  take(proposal: KnownProposal): number;
}

/**
 * Opens a view on what a draft has left of its transcript. Nothing is written to the draft. Messages are looked at once,
 * here: of a long transcript hardly one is in the processor's cache any more when a second walk comes to it.
 */
export function openView(draft: Draft, policy: ResolvedPolicy): WritableView {
  const { transcript } = draft;
  const { messages, groups, request } = transcript;
  const isProtected = nameMatcher(policy.protectTools);
  const classify = classifier(policy.tools);
  /** By the message they were carried out on. */
  const taken: (KnownProposal | undefined)[] = new Array(messages.length).fill(undefined);
  /** As they were before the first proposal was taken. */
  const exchanges: (KnownExchange | null)[] = new Array(messages.length).fill(null);
  const inParts: number[] = [];
  const resultLengths = new Int32Array(messages.length);
  const editableEnd = transcript.inFlight?.from ?? messages.length;
  const current = (index: number): Message | null => taken[index]?.message ?? draft.current(index);

  const open = (at: number, name: ToolName, input: string): void => {
    const message = current(at);
    if (message) exchanges[at] = exchangeOf(message, name, input, classify);
  };
  const openGroup = (group: Group): void => {
    const [caller, at] = [messages[group.from]!, group.to - 1];
    const answer = at === group.from + 1 ? current(at) : null;
    const known = answer && recallAnswer(caller, answer, classify);
    if (known) exchanges[at] = known;
    else pairCalls(messages, group, open);
    if (answer && !known && exchanges[at]) rememberAnswer(exchanges[at], caller, answer);
  };
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index]!;
    if (group.to <= policy.from) continue;
    if (group.kind === 'exchange') openGroup(group);
    for (let at = group.from; at < group.to; at++) {
      const { role, content } = messages[at]!;
      const known = exchanges[at]!;
      // A text is told by what is known of it: to ask what it is, even whether it is empty, would load it.
      if (known !== null && known.content !== null) resultLengths[at] = known.length;
      else if (role !== 'assistant' && Array.isArray(content)) inParts.push(at);
    }
  }

  const view: WritableView = {
    transcript,
    policy,
    inParts,
    resultLengths,
    oldEnd: protectedFrom(transcript, policy),
    turnsStart: turnsFrom(transcript, policy),
    quote: quoter(policy.redact),
    current,
    mayEdit(index) {
      if (index < policy.from || index >= editableEnd) return false;
      if (request && index >= request.from && index < request.to) return false;
      const exchange = exchanges[index]!;
      if (exchange) return !isProtected(exchange);
      const message = messages[index]!;
      if (isSystem(message) || isToolResult(message)) return false;
      if (groups[transcript.groupOf(index)]!.kind === 'message') return true;
      const isSound = index + 1 < messages.length && exchanges[index + 1] !== null;
      return isSound && !toolCalls(message).some((made) => isProtected(readToolName(toolCallName(made))));
    },
    message: (index) => (view.mayEdit(index) ? current(index) : null),
    tokens: (index) => taken[index]?.tokens ?? draft.currentTokens(index),
    exchange(index) {
      const known = exchanges[index]!;
      const now = known && taken[index]?.message;
      return now ? exchangeOf(now, known, known.input, classify) : known;
    },
    take(proposal) {
      const { at } = proposal;
      const before = view.tokens(at);
      const after = proposal.on(current(at)!, transcript);
      if (after.tokens >= before) return 0;
      taken[at] = after;
      resultLengths[at] = 0;
      return before - after.tokens;
    },
  };
  return view;
}
