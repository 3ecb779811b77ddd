import { type Content, isTextPart, type Part } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import { nativeOf, stripMarks, withoutMarks } from './marks.ts';
import { fieldsOf, isNothing } from './record.ts';

/**
 * Converts parts to the content of a core message. A single plain text part becomes a string: engines handle strings best,
 * and a text that is wrapped in a part only for a cache mark stays the same.
 * @param view converts a native part to a core part
 */
export function contentOf(parts: readonly Part[], view: (part: Part) => Part = stripMarks): Content {
  const viewed = parts.map(view);
  const [only] = viewed;
  return viewed.length === 1 && only && isPlainText(only) ? only.text : viewed;
}

/** True for a part that has only a text. */
function isPlainText(part: Part): part is Part & { readonly text: string } {
  return (
    isTextPart(part) &&
    Object.entries(part).every(([name, value]) => name === 'type' || name === 'text' || isEmptyField(value))
  );
}

function isEmptyField(value: unknown): boolean {
  return isNothing(value) || (Array.isArray(value) && value.length === 0);
}

/** Converts core parts back to native ones. */
export class PartPool {
  readonly #natives: ReadonlySet<Part>;
  readonly #view: (part: Part) => Part;
  #byText: Map<string, Part[]> | null = null;

  /**
   * @param natives native parts that may be restored
   * @param view as in {@link contentOf}
   */
  constructor(natives: readonly Part[], view: (part: Part) => Part = stripMarks) {
    this.#natives = new Set(natives);
    this.#view = view;
  }

  /**
   * Finds the native part of a core part, by identity or else by equal content. A native part of an earlier request is
   * returned without its cache marks, since the caller may have moved them.
   */
  find(part: Part): Part | undefined {
    const known = nativeOf(part);
    if (known && this.#natives.has(known)) return known;
    if (this.#natives.has(part)) return part;
    return this.#sameText(part) ?? (known && withoutMarks(known));
  }

  /** Finds a part by its content. Each native part is returned once, and after that as a copy without marks. */
  #sameText(part: Part): Part | undefined {
    if (this.#natives.size === 0) return undefined;
    this.#byText ??= this.#lists();
    const same = this.#byText.get(jsonText(part));
    if (!same) return undefined;
    const native = same[same.length - 1]!;
    if (same.length > 1) same.pop();
    else same[0] = withoutMarks(native);
    return native;
  }

  #lists(): Map<string, Part[]> {
    const byText = new Map<string, Part[]>();
    // In reverse: `pop` then returns the first part first.
    for (const native of [...this.#natives].reverse()) {
      const text = jsonText(this.#view(native));
      const same = byText.get(text);
      if (same) same.push(native);
      else byText.set(text, [native]);
    }
    return byText;
  }

  /** @param convert writes a part that is new to the conversation */
  restore(parts: readonly Part[], convert: (part: Part) => Part): Part[] {
    return parts.map((part) => this.find(part) ?? convert(part));
  }
}

/** True if two contents are equal. */
export function sameContent(left: Content, right: Content): boolean {
  if (left === right) return true;
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  return left.every((part, at) => part === right[at]) || jsonText(left) === jsonText(right);
}

/** Returns the text of a part, or an empty string. */
export function textOf(part: Part): string {
  const { text } = fieldsOf(part);
  return typeof text === 'string' ? text : '';
}
