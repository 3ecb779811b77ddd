import { isPlaceholder } from '../exchange/placeholder.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import { readExcerptHead } from './excerpt-head.ts';
import { stubLength } from './stub-length.ts';

/** True if a result no longer has its original text: a stub, an excerpt, or another system's placeholder. */
export function isReplaced({ text, called }: ToolExchange): boolean {
  const isStub = text.length <= stubLength && text.startsWith(`[${called}] `);
  return isStub || isPlaceholder(text) || readExcerptHead(text) !== null;
}
