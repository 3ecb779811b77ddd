import { isToolResult } from '@palimpsest/core';
import { proposeShorter } from './shorten-arguments.ts';
import type { Strategy } from './strategy.ts';
import { proposeStub } from './stub.ts';

/** How far the protected part may exceed its budget before it is touched. */
const ceiling = 1.5;
/** The newest messages, which not even pressure reaches. */
const untouched = 3;

/**
 * When the protected part alone is over 1.5 times its budget: stubs results and shortens arguments inside of it, oldest
 * first, until it is not, all but the last 3 messages and the turns to keep. Compressor style only; linear.
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
    for (let at = Math.max(view.oldEnd, view.policy.from); at < end && tokens > protect.transcript * ceiling; at++) {
      const proposal = isToolResult(messages[at]!) ? proposeStub(view, at) : proposeShorter(view, at);
      if (!proposal) continue;
      const before = view.tokens(at);
      yield proposal;
      tokens += view.tokens(at) - before;
    }
  },
};
