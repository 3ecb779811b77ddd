/** A module without special cases, with the agent's text for each step. */
export interface PlainModule {
  readonly name: string;
  readonly reading: string | null;
  readonly editing: string | null;
  readonly testing: string | null;
  readonly commit: string;
  /** If set, the whole suite runs after this module, with this text. */
  readonly milestone?: string;
}

/** In the order of their conversion: a module comes after the modules that require it. */
export const beforeTheCycle: readonly PlainModule[] = [
  {
    name: 'table',
    reading:
      'Next from the top: table. Nothing requires it except the index, and it requires wrap, which stays CommonJS for one more step.',
    editing: 'A plain one: one import, one export.',
    testing: null,
    commit: 'Convert table to an ES module',
  },
  {
    name: 'wrap',
    reading: 'wrap is free now that table is converted: its only CommonJS dependent is gone.',
    editing: null,
    testing: 'wrap and table together, because table imports from it.',
    commit: 'Convert wrap to an ES module',
  },
  {
    name: 'template',
    reading: 'template was required by log only.',
    editing: 'Three exports here: the function, the error class and the filters.',
    testing: null,
    commit: 'Convert template to an ES module',
    milestone: 'Four modules done. The whole suite, so that a mistake does not travel further than this.',
  },
];

export const afterTheCycle: readonly PlainModule[] = [
  {
    name: 'cache',
    reading: 'cache requires duration; it goes before it.',
    editing: null,
    testing: null,
    commit: 'Convert cache to an ES module',
  },
  {
    name: 'duration',
    reading: 'duration: log, retry and cache import it, and all three are ES modules by now.',
    editing: 'Three exports; the tables UNITS and NAMES stay as they are, NAMES private.',
    testing: 'duration, and the three that import it.',
    commit: 'Convert duration to an ES module',
    milestone: 'The deepest dependency is converted. Whole suite.',
  },
  {
    name: 'slug',
    reading: 'slug: I normalized its exports earlier, so only head and foot are left.',
    editing: null,
    testing: null,
    commit: 'Convert slug to an ES module',
  },
  {
    name: 'glob',
    reading: 'glob has no dependency and no dependent but the index.',
    editing: null,
    testing: null,
    commit: 'Convert glob to an ES module',
  },
  {
    name: 'csv',
    reading: null,
    editing: 'csv: two exports, no imports.',
    testing: null,
    commit: 'Convert csv to an ES module',
    milestone: 'Two modules left after this. Whole suite once more.',
  },
  {
    name: 'diff',
    reading: 'diff, the one with the 64 generated test cases.',
    editing: null,
    testing: 'Its test file prints a lot, but it is the only proof that applyDiff and diffLines still agree.',
    commit: 'Convert diff to an ES module',
  },
];
