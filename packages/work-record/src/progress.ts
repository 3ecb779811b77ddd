// How the work goes, without the parts that know languages: a bundle with only this is much smaller.
export { commandVerdicts } from './verdicts/command-verdicts.ts';
export type { Verdict } from './verdicts/verdicts.ts';
export { type TodoItems, todoItems } from './work/todo-items.ts';
