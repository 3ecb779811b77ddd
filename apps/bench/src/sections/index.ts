import type { Section } from '../section.ts';

/** The chapters of the report, in order. */
export const sections: readonly Section[] = [];
