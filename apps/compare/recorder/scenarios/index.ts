import type { Scenario } from '../scenario.ts';
import { bisect } from './bisect/scenario.ts';
import { esmMigration } from './esm-migration/scenario.ts';
import { palimpsestMorning } from './palimpsest/scenario.ts';
import { router } from './router/scenario.ts';
import { shopOutage } from './shop-outage/scenario.ts';

/** All scenarios, in the order in which they are recorded. */
export const scenarios: readonly Scenario[] = [bisect, router, palimpsestMorning, shopOutage, esmMigration];
