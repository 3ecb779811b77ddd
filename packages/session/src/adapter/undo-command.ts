import type { Session } from '../session.ts';

/** The command with which a person undoes the last compaction, for an agent that has commands. */
export const undoCommand: {
  readonly name: string;
  readonly description: string;
  /** @param session `undefined` before the first request @returns the answer to the person */
  readonly run: (session: Pick<Session, 'undo'> | undefined) => Promise<string>;
} = {
  name: 'undo-compaction',
  description: 'Send what the last compaction of Palimpsest removed, as long as it fits',
  async run(session) {
    const undone = (await session?.undo()) ?? null;
    return undone === null ? 'There is no compaction to undo.' : `Compaction ${undone} is undone.`;
  },
};
