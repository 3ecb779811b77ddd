/** Generated inputs per property: enough to meet every kind of step by default, many under `PALIMPSEST_DEEP`. */
export const numRuns: number = process.env.PALIMPSEST_DEEP ? 20_000 : 60;
