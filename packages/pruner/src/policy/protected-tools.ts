/**
 * Tools that are never pruned by default: their results are state the agent works from. The lists of Hermes Agent and
 * Kilo Code combined.
 */
export const protectedTools: readonly string[] = ['skill', 'skill_view', 'clarify', 'memory', 'todo'];
