/** Where one line of a handoff comes from. */
export interface LineSource {
  /** Zero-based index of the line in the text of the handoff. */
  readonly line: number;
  /**
   * Indices in the original transcript of the messages that the line is about. At least one, and none after the last
   * message that the plan replaces.
   */
  readonly from: readonly number[];
}

/** The fields of an inserted message that concern sources. */
export interface SourcedHandoff {
  readonly handoff: string;
  readonly sources?: readonly LineSource[] | undefined;
}

/**
 * Explains what is wrong with a handoff's sources, such as "has a source for line 9 of 4"; `null` when they are valid.
 * @param end index after the last message that the plan replaces
 */
export function sourcesProblem({ handoff, sources }: SourcedHandoff, end: number): string | null {
  if (sources === undefined) return null;
  if (!Array.isArray(sources)) return 'has "sources" that are not an array';
  const lines = handoff.split('\n').length;
  for (const source of sources as readonly (Partial<LineSource> | null)[]) {
    const { line, from } = source ?? {};
    if (!isIndex(line, lines)) return `has a source for line ${String(line)} of ${lines}`;
    if (!Array.isArray(from) || from.length === 0) return `has a source of line ${line} without messages`;
    const wrong = from.find((at) => !isIndex(at, end));
    if (wrong !== undefined)
      return `has a line from message ${String(wrong)}, but the plan replaces only messages before ${end}`;
  }
  return null;
}

/**
 * Translates the sources of a handoff from the output of an earlier plan to that plan's input. A line copied from an
 * earlier handoff keeps the sources it had there.
 * @param covers indices in the output of the messages that the handoff replaces
 * @param before for an index in the output, returns the message's index in the input, or the earlier handoff
 */
export function composeSources(
  { handoff, sources: given = [] }: SourcedHandoff,
  covers: { readonly from: number; readonly to: number },
  before: (at: number) => number | SourcedHandoff,
): Pick<SourcedHandoff, 'sources'> {
  const known = new Map<string, readonly number[]>();
  for (let at = covers.from; at < covers.to; at++) {
    const earlier = before(at);
    if (typeof earlier === 'number') continue;
    const lines = earlier.handoff.split('\n');
    for (const { line, from } of earlier.sources ?? []) known.set(lines[line]!, from);
  }
  const own = new Map(given.map(({ line, from }) => [line, from]));
  const sources = handoff.split('\n').flatMap((text, line): LineSource[] => {
    const from = new Set(known.get(text));
    for (const at of own.get(line) ?? []) {
      const found = before(at);
      if (typeof found === 'number') from.add(found);
    }
    return from.size > 0 ? [{ line, from: [...from].sort((a, b) => a - b) }] : [];
  });
  return sources.length > 0 ? { sources } : {};
}

function isIndex(value: unknown, length: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < length;
}
