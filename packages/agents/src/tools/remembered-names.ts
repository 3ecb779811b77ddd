const atMost = 1_000;
/** A longer one is no name; a transcript can hold anything. Characters. */
const longest = 100;

/** Reads each name once: an agent has a few dozen tools and calls them thousands of times. */
export function rememberingNames<Meaning>(read: (name: string) => Meaning): (name: string) => Meaning {
  const known = new Map<string, Meaning>();
  return (name) => {
    let meaning = known.get(name);
    if (meaning !== undefined) return meaning;
    meaning = read(name);
    if (known.size < atMost && name.length <= longest) known.set(name, meaning);
    return meaning;
  };
}
