/** Where a value stands: in which field (in a list, the list's), and whether it is data or says what a message is. */
export interface Position {
  readonly field: string;
  readonly isData: boolean;
}

/** What of an object or list is to be replaced: its strings and numbers, and its keys. */
export interface Changes {
  readonly values: ReadonlyMap<string, string | number>;
  readonly keys: ReadonlyMap<string, string>;
}

export interface Policy {
  changesOf(holder: object, position: Position): Changes;
  /** Where the member of a holder at `position` stands. */
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

/** What has members; of anything else (a date, bytes, a map) nothing is read. */
export const isHolder = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Object]');

/**
 * Carries a policy out on an object or list and all it holds, at any depth, with or without cycles. What is not changed is
 * the same object; what is changed is copied, and so is what holds it. Nothing recurses.
 */
export function redactDeep<Holder extends object>(holder: Holder, top: Position, policy: Policy): Holder {
  const nodes: Node[] = [];
  const known = new Map<object, Map<string, Node>>();
  const nodeOf = (one: object, { field, isData }: Position): Node => {
    // An object met in two fields is one; a list speaks for the field it stands in.
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
  // The list grows while it is walked.
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
    // Assigning to `__proto__` would not make a member of it.
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copy, freeKey(copy!, changes.keys.get(key) ?? key), property);
  }
}

/** Two secrets may have the same mask: the second key gets a number. */
function freeKey(copy: object, key: string): string {
  if (Array.isArray(copy) || !Object.hasOwn(copy, key)) return key;
  let number = 2;
  while (Object.hasOwn(copy, `${key} (${number})`)) number += 1;
  return `${key} (${number})`;
}
