import { followInputs, readToolName } from '@palimpsest/agents';
import { isSystem, isToolResult, type Message, toolCallName, toolCalls } from '@palimpsest/core';
import { type Draft, withRewrite } from '@palimpsest/core/authoring';
import { pairCalls } from '../exchange/pair-calls.ts';
import { ownText } from '../exchange/result-text.ts';
import { classifier } from '../exchange/tool-descriptor.ts';
import { ToolExchange } from '../exchange/tool-exchange.ts';
import { nameMatcher } from '../policy/name-matcher.ts';
import type { PolicySettings } from '../policy/policy-settings.ts';
import { startOfProtected, startOfTurns } from '../policy/start-of-protected.ts';
import { quoter } from '../stub/quote.ts';
import type { Proposal, PruneView } from './strategy.ts';

/** A view to which proposals can be applied. */
export interface WritableView extends PruneView {
  /** Applies a proposal if it shrinks its message. @returns tokens reclaimed; 0 if nothing was changed */
  apply(proposal: Proposal): number;
}

/** Opens a view on the transcript with a draft's changes. The draft itself is not changed. */
export function openView(draft: Draft, policy: PolicySettings): WritableView {
  const { transcript } = draft;
  const { messages, groups, task } = transcript;
  const isProtected = nameMatcher(policy.protectTools);
  const editableEnd = transcript.pendingCalls?.from ?? messages.length;
  const exchanges = readExchanges(draft, policy);
  /** Messages that proposals have rewritten, with their tokens. */
  const changed = new Map<number, { readonly message: Message; readonly tokens: number }>();

  const view: WritableView = {
    transcript,
    policy,
    oldEnd: startOfProtected(transcript, policy),
    turnsStart: startOfTurns(transcript, policy),
    quote: quoter(policy.redact),
    mayEdit(index) {
      if (index < policy.from || index >= editableEnd) return false;
      if (task && index >= task.from && index < task.to) return false;
      const exchange = exchanges[index];
      if (exchange) return !isProtected(exchange);
      const message = messages[index]!;
      if (isSystem(message) || isToolResult(message)) return false;
      if (groups[transcript.groupOf(index)]!.kind === 'message') return true;
      const isSound = Boolean(exchanges[index + 1]);
      return isSound && !toolCalls(message).some((call) => isProtected(readToolName(toolCallName(call))));
    },
    current: (index) => changed.get(index)?.message ?? draft.current(index),
    message: (index) => (view.mayEdit(index) ? view.current(index) : null),
    tokens: (index) => changed.get(index)?.tokens ?? draft.currentTokens(index),
    exchange: (index) => exchanges[index] ?? null,
    apply({ at, set }) {
      const before = view.tokens(at);
      const message = withRewrite(view.current(at)!, set);
      const tokens = transcript.countMessage(message, at);
      if (tokens >= before) return 0;
      changed.set(at, { message, tokens });
      if (set.content !== undefined) exchanges[at] = exchanges[at]?.withText(ownText(set.content)) ?? null;
      return before - tokens;
    },
  };
  return view;
}

/** Reads the tool exchanges of a draft, by index of the result, starting with the group of message `policy.from`. */
function readExchanges(draft: Draft, policy: PolicySettings): (ToolExchange | null)[] {
  const { messages, groups } = draft.transcript;
  const classify = classifier(policy.tools);
  const inputs = followInputs(messages);
  const exchanges: (ToolExchange | null)[] = new Array(messages.length).fill(null);
  for (const group of groups) {
    if (group.kind !== 'calls' || group.to <= policy.from) continue;
    for (const { at, name, input } of pairCalls(messages, group, inputs)) {
      const message = draft.current(at);
      if (message) exchanges[at] = new ToolExchange(readToolName(name), input, ownText(message.content), classify);
    }
  }
  return exchanges;
}
