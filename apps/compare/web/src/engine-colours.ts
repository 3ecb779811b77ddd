/** An engine, and its colour of the palette by name. */
export type ColouredEngine = readonly [engine: string, colour: string];

const colours = ['first', 'second', 'third'] as const;

/** Gives each engine its colour, in the order in which the registry lists them. */
export function coloured(engines: readonly string[]): readonly ColouredEngine[] {
  return engines.map((engine, index) => [engine, colours[index % colours.length]!]);
}
