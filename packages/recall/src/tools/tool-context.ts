import type { Message } from '@palimpsest/core';
import type { HiddenIndex } from '../hidden/hidden-index.ts';
import type { Projection } from '../hidden/hidden-text.ts';
import type { CountText } from './answer.ts';

/** What the tools answer from. The index follows the history already. */
export interface ToolContext {
  readonly index: HiddenIndex;
  readonly history: readonly Message[];
  readonly projection: Projection | null;
  readonly count: CountText;
  readonly maxTokens: number;
  /** The calls behind refs that are no longer valid. */
  readonly formerHeads: ReadonlyMap<string, string>;
  /** Current refs of texts that had another one before they were archived. */
  readonly aliases: ReadonlyMap<string, string>;
  /** True when the archive could not be read completely. */
  readonly isIncomplete: boolean;
}
