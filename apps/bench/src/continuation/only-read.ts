import { type Compact, countSaidInHandoffs, probesOf } from '@palimpsest/eval/measures';

/**
 * Counts the files that were only read and that a handoff names as changed. A handoff that calls every file changed would
 * tell all changed files, too.
 */
export class WronglyChanged {
  #named = 0;
  #read = 0;

  watch(compact: Compact): Compact {
    return async (past, ...given) => {
      const output = await compact(past, ...given);
      const { onlyRead } = probesOf(past);
      this.#read += onlyRead.length;
      this.#named += countSaidInHandoffs(onlyRead, output);
      return output;
    };
  }

  toString(): string {
    return `${this.#named} of ${this.#read}`;
  }
}
