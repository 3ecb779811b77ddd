import { stateTools } from '@palimpsest/agents';

/**
 * Tools that are never pruned by default, because their results are state that the agent needs: `skill`, `skill_view`,
 * `clarify`, `memory`, `todo`.
 */
export const protectedTools: readonly string[] = stateTools;
