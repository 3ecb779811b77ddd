import type { Content, Part } from '@palimpsest/core';
import type { PartPool } from './content.ts';

/**
 * What a block is to a core message: `said` is its content, `thought` its reasoning, `call` one of its calls, `result`
 * a message of its own; `aside` goes along unseen.
 */
export type BlockKind = 'said' | 'thought' | 'call' | 'result' | 'aside';

/** A message that holds blocks, in any of the dialects that have them. */
export interface BlockMessage {
  readonly role: string;
  readonly content: string | readonly Part[];
}

/** What a dialect of blocks must say of itself for edits to be written back. */
export interface Grammar {
  /** The kinds of the blocks of one message, in order. */
  kindsOf(blocks: readonly Part[]): readonly BlockKind[];
  /** A content as blocks, without blank texts. */
  contentBlocks(content: Content, pool?: PartPool): readonly Part[];
  /** Restores blocks of this dialect. */
  poolOf(blocks: readonly Part[]): PartPool;
  /** The call with another input. @param written as core holds it */
  withInput(call: Part, written: string): Part;
  /** The result with another content; id, error flag and marks stay. */
  withContent(result: Part, content: Content): Part;
}
