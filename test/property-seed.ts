import fc from 'fast-check';

/**
 * Properties draw the same inputs in every run, so that a result does not depend on luck. A deep run (`PALIMPSEST_DEEP`)
 * draws new ones, and `PALIMPSEST_SEED` selects others.
 */
const { PALIMPSEST_DEEP, PALIMPSEST_SEED } = process.env;
if (PALIMPSEST_SEED) fc.configureGlobal({ seed: Number(PALIMPSEST_SEED) });
else if (!PALIMPSEST_DEEP) fc.configureGlobal({ seed: 20_261_121 });
