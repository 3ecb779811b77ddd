import type { Message } from '@palimpsest/core';
import type { HiddenIndex } from '../hidden/hidden-index.ts';
import type { Projection } from '../hidden/hidden-text.ts';
import type { CountText } from './answer.ts';

/** Data for answering a tool call. The index is up to date with the history. */
export interface ToolContext {
  readonly index: HiddenIndex;
  readonly history: readonly Message[];
  readonly projection: Projection | null;
  readonly count: CountText;
  readonly maxTokens: number;
  /** The calls behind refs that are no longer valid. */
  readonly formerHeads: ReadonlyMap<string, string>;
  /** Maps the refs of texts before archiving to their current refs. */
  readonly aliases: ReadonlyMap<string, string>;
  /** True when the archive could not be read completely. */
  readonly isIncomplete: boolean;
}
