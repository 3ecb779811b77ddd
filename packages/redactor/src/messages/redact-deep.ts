/** Context of a value: its field name (for list items, that of the list), and whether it is data or part of the protocol. */
export interface Position {
  readonly field: string;
  readonly isData: boolean;
}

/** Replacements in an object or list: for its strings and numbers by key, and for its keys. */
export interface Changes {
  readonly values: ReadonlyMap<string, string | number>;
  readonly keys: ReadonlyMap<string, string>;
}

/** Decides what {@link redactDeep} changes in each object or list. */
export interface Policy {
  changesOf(holder: object, position: Position): Changes;
  /** Position of the member `key` of a holder at `position`. */
  below(position: Position, key: string): Position;
}

interface Node {
  readonly holder: object;
  readonly position: Position;
  readonly changes: Changes;
  readonly children: Map<string, Node>;
  readonly parents: Node[];
  copy: Record<string, unknown> | null;
}

/** True for arrays and plain objects. Other objects (dates, bytes, maps) are not searched. */
export const isHolder = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Object]');

/**
 * Applies a policy to an object or list and everything in it, at any depth, with or without cycles. Changed objects and
 * their ancestors are copied; all others stay the same objects. Works without recursion.
 */
export function redactDeep<Holder extends object>(holder: Holder, top: Position, policy: Policy): Holder {
  const nodes: Node[] = [];
  const known = new Map<object, Map<string, Node>>();
  const nodeOf = (one: object, { field, isData }: Position): Node => {
    // An object reached through several fields is processed once. A list is processed once per field name, because that
    // name is evidence about its items.
    const position = Array.isArray(one) ? { field, isData } : { field: '', isData };
    const key = `${isData}:${position.field}`;
    const places = known.get(one) ?? new Map<string, Node>();
    known.set(one, places);
    let node = places.get(key);
    if (!node) {
      node = {
        holder: one,
        position,
        changes: policy.changesOf(one, position),
        children: new Map(),
        parents: [],
        copy: null,
      };
      places.set(key, node);
      nodes.push(node);
    }
    return node;
  };

  const root = nodeOf(holder, top);
  // `nodeOf` appends to `nodes` during this loop.
  for (const node of nodes) {
    for (const [key, item] of Object.entries(node.holder)) {
      if (!isHolder(item)) continue;
      const child = nodeOf(item, Array.isArray(node.holder) ? node.position : policy.below(node.position, key));
      child.parents.push(node);
      node.children.set(key, child);
    }
  }

  const copied: Node[] = [];
  const copy = (node: Node): void => {
    if (node.copy) return;
    node.copy = (Array.isArray(node.holder) ? [...node.holder] : {}) as unknown as Record<string, unknown>;
    copied.push(node);
  };
  for (const node of nodes) if (node.changes.values.size + node.changes.keys.size > 0) copy(node);
  for (const node of copied) node.parents.forEach(copy);
  for (const node of copied) fill(node);
  return (root.copy ?? holder) as Holder;
}

function fill({ holder, changes, children, copy }: Node): void {
  for (const [key, item] of Object.entries(holder)) {
    const child = children.get(key);
    const value = child ? (child.copy ?? child.holder) : (changes.values.get(key) ?? item);
    // A plain assignment to `__proto__` would set the prototype instead of adding a property.
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copy, freeKey(copy!, changes.keys.get(key) ?? key), property);
  }
}

/** Appends a number to a key that already exists: two different keys may have the same mask. */
function freeKey(copy: object, key: string): string {
  if (Array.isArray(copy) || !Object.hasOwn(copy, key)) return key;
  let number = 2;
  while (Object.hasOwn(copy, `${key} (${number})`)) number += 1;
  return `${key} (${number})`;
}
