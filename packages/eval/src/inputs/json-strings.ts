/** A string in a JSON text: the position of its literal, and its value. */
export interface JsonString {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The string literals of a valid JSON text, in order. They allow edits that keep the formatting. Linear time. */
export function* jsonStrings(text: string): Generator<JsonString> {
  for (let start = text.indexOf('"'); start !== -1; ) {
    let end = start + 1;
    while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    end++;
    yield { start, end, value: JSON.parse(text.slice(start, end)) as string };
    start = text.indexOf('"', end);
  }
}
