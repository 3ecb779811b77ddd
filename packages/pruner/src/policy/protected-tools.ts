import { stateTools } from '@palimpsest/agents';

/**
 * Tools that are never pruned by default, because their results are state the agent works from: `skill`, `skill_view`,
 * `clarify`, `memory`, `todo`.
 */
export const protectedTools: readonly string[] = stateTools;
