import { readExcerptHead } from './excerpt-text.ts';
import type { ToolExchange } from './exchange.ts';
import { stubLength } from './quote.ts';

/** How this and other systems mark tool output that is gone already: short lines in brackets. */
const placeholders =
  /^\[(?:(?:Old )?tool (?:output|result)s?\b|Duplicate tool output\b|image(?:s)? removed\b|screenshot removed\b|content cleared\b|No result was recorded)/i;

/** True for a text that stands in for a removed one, whoever wrote it. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 400 && placeholders.test(text);
}

/** The placeholder of the two-phase reference system, which says nothing but how much is gone. */
export function plainPlaceholder(characters: number): string {
  return `[Tool output pruned - was ${characters} chars]`;
}

/** True for a result that is not itself any more: a stub or an excerpt of ours, or somebody's placeholder. */
export function isStandIn({ text, called }: ToolExchange): boolean {
  const stubbed = text.length <= stubLength && text.startsWith(`[${called}] `);
  return stubbed || isPlaceholder(text) || readExcerptHead(text) !== null;
}
