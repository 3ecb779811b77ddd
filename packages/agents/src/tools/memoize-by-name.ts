const maxNames = 1_000;
/** Maximum length of a name to cache, in characters; a transcript may contain anything. */
const maxNameLength = 100;

/** Caches a function of tool names, because an agent has a few dozen tools and calls them thousands of times. */
export function memoizeByName<Meaning>(read: (name: string) => Meaning): (name: string) => Meaning {
  const known = new Map<string, Meaning>();
  return (name) => {
    let meaning = known.get(name);
    if (meaning !== undefined) return meaning;
    meaning = read(name);
    if (known.size < maxNames && name.length <= maxNameLength) known.set(name, meaning);
    return meaning;
  };
}
