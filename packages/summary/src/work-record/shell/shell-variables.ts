import { unknownText } from './file-arguments.ts';
import type { ShellWord } from './read-shell.ts';

const placeholder: RegExp = /\u0001(\w{1,64})\u0002/g;
/** Maximum length of a value to follow, so that the time stays linear. Characters. */
const maxValueLength = 1_000;
/** Maximum number of values to follow, such as those of a loop. */
const maxValues = 50;

/** The variables of a script, with the values known from the script. */
export class ShellVariables {
  readonly #known = new Map<string, readonly string[]>();

  set(name: string, words: readonly ShellWord[]): void {
    const values = words.slice(0, maxValues).flatMap((word) => this.values(word));
    this.#known.set(name, values.slice(0, maxValues));
  }

  /** Returns the texts that a word may stand for; none if only the shell knows them. */
  values({ text, literal }: ShellWord): readonly string[] {
    if (!literal) return [];
    if (!text.includes('\u0001')) return [text];
    const names = new Set([...text.matchAll(placeholder)].map((found) => found[1]!));
    if (names.size !== 1) return [];
    const [name] = names;
    const known = text.length > maxValueLength ? [] : (this.#known.get(name!) ?? []);
    return known
      .map((value) => text.replaceAll(`\u0001${name}\u0002`, () => value))
      .filter((value) => value.length <= maxValueLength);
  }

  /**
   * Returns the texts of an argument. An unknown text is replaced by a placeholder, so that the others keep their
   * positions.
   */
  argument(word: ShellWord): readonly string[] {
    const known = this.values(word);
    return known.length > 0 ? known : [unknownText];
  }
}
