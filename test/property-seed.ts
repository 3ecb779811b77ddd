import fc from 'fast-check';

/**
 * Whether a change lands must not depend on the luck of one run: properties draw the same inputs every time. In depth
 * (`PALIMPSEST_DEEP`) they draw new ones, and `PALIMPSEST_SEED` names others to look at.
 */
const { PALIMPSEST_DEEP, PALIMPSEST_SEED } = process.env;
if (PALIMPSEST_SEED) fc.configureGlobal({ seed: Number(PALIMPSEST_SEED) });
else if (!PALIMPSEST_DEEP) fc.configureGlobal({ seed: 20_261_121 });
