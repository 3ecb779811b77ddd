/** Name of the tool message in which an untrusted handoff is quoted, so that nothing in it counts as an instruction. */
export const unverifiedSummary = 'unverified summary';
