/** Name of the tool message that quotes an untrusted handoff. Nothing in it counts as an instruction. */
export const unverifiedSummary = 'unverified summary';
