import { asBlocks, type Fragment, isEmpty } from '../assemble.ts';

/** Fragments with every system message in a legal place, and the system messages that have none. */
export interface PlacedSystem {
  readonly fragments: readonly Fragment[];
  /** System messages without a user turn before them. They belong in the top-level `system`. */
  readonly unplaced: readonly Fragment[];
}

/**
 * Moves system messages to the next legal place: directly after a user turn (tool results count as one), and before an
 * assistant turn or at the end. Adjacent system messages are joined.
 * Source: https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
export function placeSystem(given: readonly Fragment[]): PlacedSystem {
  const fragments: Fragment[] = [];
  let waiting: Fragment[] = [];
  const place = (): void => {
    if (waiting.length === 0 || fragments.at(-1)?.role !== 'user') return;
    fragments.push(joinSystems(waiting));
    waiting = [];
  };
  for (const fragment of given) {
    // A message that an edit emptied is not a turn.
    if (fragment.edited && isEmpty(fragment.content)) continue;
    if (fragment.role === 'system') {
      waiting.push(fragment);
      continue;
    }
    if (fragment.role === 'assistant') place();
    fragments.push(fragment);
  }
  place();
  return { fragments, unplaced: waiting };
}

function joinSystems(systems: readonly Fragment[]): Fragment {
  if (systems.length === 1) return systems[0]!;
  return { role: 'system', index: null, edited: true, content: systems.flatMap(({ content }) => asBlocks(content)) };
}
