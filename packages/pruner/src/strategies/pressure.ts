import { isToolResult } from '@palimpsest/core';
import { proposeStub } from '../stub/propose-stub.ts';
import type { Strategy } from '../view/strategy.ts';
import { proposeShorterArguments } from './shorten-arguments.ts';

/** The protected part is pruned while it exceeds its budget by this factor. */
const excess = 1.5;
/** Number of newest messages that are never pruned. */
const untouched = 3;

/**
 * Prunes the protected part while it has more than 1.5 times its budget: stubs results and shortens arguments, oldest
 * first. The last 3 messages and the turns to keep stay. Only for the compressor style.
 */
export const pressure: Strategy = {
  name: 'pressure',
  *propose(view) {
    const { protect } = view.policy;
    if (!('transcript' in protect)) return;
    const { length, messages } = view.transcript;
    let tokens = 0;
    for (let at = view.oldEnd; at < length; at++) tokens += view.tokens(at);
    const end = Math.min(length - untouched, view.turnsStart);
    for (let at = Math.max(view.oldEnd, view.policy.from); at < end && tokens > protect.transcript * excess; at++) {
      const proposal = isToolResult(messages[at]!) ? proposeStub(view, at) : proposeShorterArguments(view, at);
      if (!proposal) continue;
      const before = view.tokens(at);
      yield proposal;
      tokens += view.tokens(at) - before;
    }
  },
};
