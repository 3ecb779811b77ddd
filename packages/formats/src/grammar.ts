import type { Content, Part } from '@palimpsest/core';
import type { PartPool } from './content.ts';

/**
 * The role of a block in a core message: `said` is its content, `thought` its reasoning, `call` one of its calls, and
 * `result` a separate tool message. An `aside` is kept with the message but is not part of it.
 */
export type BlockKind = 'said' | 'thought' | 'call' | 'result' | 'aside';

/** A message with blocks, in any dialect. */
export interface BlockMessage {
  readonly role: string;
  readonly content: string | readonly Part[];
}

/** The operations of a dialect with blocks that are needed to write edits back. */
export interface Grammar {
  /** Returns the kinds of the blocks of one message, in order. */
  kindsOf(blocks: readonly Part[]): readonly BlockKind[];
  /** Converts content to blocks. Blank texts are left out. */
  contentBlocks(content: Content, pool?: PartPool): readonly Part[];
  /** Creates a pool that restores native blocks. */
  poolOf(blocks: readonly Part[]): PartPool;
  /** Returns the call with another input. @param written the input as text, as in core */
  withInput(call: Part, written: string): Part;
  /** Returns the result with another content; id, error flag and marks stay. */
  withContent(result: Part, content: Content): Part;
}
