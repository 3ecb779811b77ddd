/** Generated inputs per property. The default covers every kind of step; `PALIMPSEST_DEEP` sets many more. */
export const numRuns: number = process.env.PALIMPSEST_DEEP ? 20_000 : 60;
