/** Cost of a search in a text or an array: the characters or elements it visits. */
type Cost = (held: { readonly length: number }, found: number, from: number) => number;

const forward: Cost = ({ length }, found, from) => (found < 0 ? length : found) - Math.max(0, from) + 1;
const backward: Cost = (_, found, from) => from - found + 1;
const whole: Cost = ({ length }) => length + 1;

/**
 * Runs work and counts the characters and elements that its searches in texts and arrays visit. Unlike time, this is the
 * same on every machine, so growth can be compared with a limit.
 */
export async function countedSteps(work: () => Promise<unknown>): Promise<number> {
  let steps = 0;
  const restore: (() => void)[] = [];
  const count = (
    prototype: object,
    name: string | symbol,
    cost: (self: { length: number }, args: unknown[], result: unknown) => number,
  ): void => {
    const original = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
    const counted = function (this: { length: number }, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      steps += cost(this, args, result);
      return result;
    };
    Object.defineProperty(prototype, name, { value: counted, configurable: true, writable: true });
    restore.push(() => Object.defineProperty(prototype, name, { value: original, configurable: true, writable: true }));
  };
  const index = (value: unknown): number => (typeof value === 'number' ? value : 0);
  for (const prototype of [String.prototype, Array.prototype]) {
    count(prototype, 'indexOf', (self, [, from], found) => forward(self, found as number, index(from)));
    count(prototype, 'lastIndexOf', (self, [, from], found) =>
      backward(self, found as number, typeof from === 'number' ? Math.min(from, self.length) : self.length),
    );
    count(prototype, 'includes', (self, [, from]) => self.length - index(from) + 1);
  }
  for (const name of [
    'find',
    'findIndex',
    'findLast',
    'findLastIndex',
    'some',
    'every',
    'filter',
    'map',
    'forEach',
    'slice',
    'concat',
    'flatMap',
    'reduce',
  ])
    count(Array.prototype, name, (self) => whole(self, 0, 0));
  // Loops over an array, and copies with `...`.
  count(Array.prototype, Symbol.iterator, (self) => whole(self, 0, 0));
  for (const name of ['split', 'replaceAll', 'trim', 'toLowerCase', 'match', 'search'])
    count(String.prototype, name, (self) => whole(self, 0, 0));
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return steps;
}
