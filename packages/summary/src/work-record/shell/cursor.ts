/** A position in a script. */
export interface Cursor {
  readonly script: string;
  at: number;
}

/** Returns the end of the line at the cursor. */
export function lineEnd({ script, at }: Cursor): number {
  const end = script.indexOf('\n', at);
  return end < 0 ? script.length : end;
}

/** Matches at the cursor and moves the cursor after the match. @param shape an expression with the flag `y` */
export function matchAt(cursor: Cursor, shape: RegExp): RegExpExecArray | null {
  shape.lastIndex = cursor.at;
  const found = shape.exec(cursor.script);
  if (found) cursor.at += found[0].length;
  return found;
}
