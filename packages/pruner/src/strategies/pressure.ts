import { isToolResult } from '@palimpsest/core';
import { proposeStub } from '../stub/propose-stub.ts';
import type { Strategy } from '../view/strategy.ts';
import { proposeShorterArguments } from './shorten-arguments.ts';

/** Number of newest messages that are never pruned if no exchange is pending. */
const untouched = 3;

/**
 * Prunes the protected part while it has more than `protect.maxTokens` tokens: stubs results and shortens arguments, oldest
 * first. Keeps the newest turns and the pending tool calls; without pending tool calls, the last 3 messages. Only for the
 * compressor style.
 */
export const pressure: Strategy = {
  name: 'pressure',
  *propose(view) {
    const { protect } = view.policy;
    if (!('transcript' in protect)) return;
    const { length, messages } = view.transcript;
    let tokens = 0;
    for (let at = view.oldEnd; at < length; at++) tokens += view.tokens(at);
    const newest = view.transcript.pendingCalls?.from ?? length - untouched;
    const end = Math.min(newest, view.turnsStart);
    for (let at = Math.max(view.oldEnd, view.policy.from); at < end && tokens > protect.maxTokens!; at++) {
      const proposal = isToolResult(messages[at]!) ? proposeStub(view, at) : proposeShorterArguments(view, at);
      if (!proposal) continue;
      const before = view.tokens(at);
      yield proposal;
      tokens += view.tokens(at) - before;
    }
  },
};
