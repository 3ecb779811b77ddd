import { unknownText } from './file-arguments.ts';
import type { ShellWord } from './shell-command.ts';

const placeholder: RegExp = /\u0001(\w{1,64})\u0002/g;
/** Longer values are not followed, so that the time stays linear. Characters. */
const longestValue = 1_000;
/** Of more values, as in a loop, the first are followed. */
const mostValues = 50;

/** The variables of a script, with the values that are known from it. */
export class ShellVariables {
  readonly #known = new Map<string, readonly string[]>();

  set(name: string, words: readonly ShellWord[]): void {
    const values = words.slice(0, mostValues).flatMap((word) => this.values(word));
    this.#known.set(name, values.slice(0, mostValues));
  }

  /** The texts that a word stands for; none if only the shell knows them. */
  values({ text, literal }: ShellWord): readonly string[] {
    if (!literal) return [];
    if (!text.includes('\u0001')) return [text];
    const names = new Set([...text.matchAll(placeholder)].map((found) => found[1]!));
    if (names.size !== 1) return [];
    const [name] = names;
    const known = text.length > longestValue ? [] : (this.#known.get(name!) ?? []);
    return known
      .map((value) => text.replaceAll(`\u0001${name}\u0002`, () => value))
      .filter((value) => value.length <= longestValue);
  }

  /** The texts of an argument. One whose text is unknown keeps its place, so that the order of the others is clear. */
  argument(word: ShellWord): readonly string[] {
    const known = this.values(word);
    return known.length > 0 ? known : [unknownText];
  }
}
