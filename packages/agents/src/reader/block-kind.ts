import type { AgentProfile } from '../agent-profile.ts';

/**
 * The kind of a tagged block. `beside` and `observed` are blocks of known harnesses: next to a person's words, or next
 * to output. Other blocks are classified by the tag's name: `document`, or `output` of a program.
 */
export type BlockKind = 'beside' | 'observed' | 'document' | 'output';

/** Returns the kind of a block by its tag's name; `null` for a person's text, markup, and the structure of a prompt. */
export type BlockKindOf = (tagName: string) => BlockKind | null;

/** The tag around the agent's todo list that a session inserts. */
const ownTag = 'todo-snapshot';

/** Creates the function that classifies tags: first by the agents' profiles, then by the words in their names. */
export function blockKinds(agents: readonly AgentProfile[]): BlockKindOf {
  const known = new Map<string, BlockKind>([[ownTag, 'beside']]);
  for (const { tags } of agents) {
    for (const name of tags?.beside ?? []) known.set(name.toLowerCase(), 'beside');
    for (const name of tags?.observed ?? []) known.set(name.toLowerCase(), 'observed');
  }
  return (tagName) => known.get(tagName.toLowerCase()) ?? kindByWords(tagName);
}

/** Words in a tag name that mark a document or program output, alone or joined by `_`, `-`, `.` or camel case. */
const documentWords: ReadonlySet<string> = /* @__PURE__ */ words(
  'document documents doc docs file files attachment attachments attached context page pages web webpage website search',
  'snippet snippets excerpt excerpts passage passages chunk chunks reference references sources citation citations',
  'knowledge retrieved retrieval memory memories environment workspace editor selection email emails mail article',
  'articles transcript quoted diff patch commit repository listing uploaded external untrusted crawled scraped fetched',
  'log logs trace traceback kb rag',
);
const outputWords: ReadonlySet<string> = /* @__PURE__ */ words(
  'tool tools function functions result results output outputs stdout stderr observation observations response responses',
  'browser screenshot terminal shell console bash execution system reminder notification',
);
/** Words that mark a person's text or the structure of a prompt. They override all other words. */
const personalWords: ReadonlySet<string> = /* @__PURE__ */ words(
  'user human person task question query request instruction instructions prompt feedback answer message goal objective',
  'rule rules guideline guidelines constraint constraints requirement requirements preference preferences convention',
  'conventions policy policies important critical note notes example examples issue pr command args format style todo',
);
/** HTML elements whose names would count as document tags. */
const markup: ReadonlySet<string> = /* @__PURE__ */ new Set(['article', 'search']);

function kindByWords(tagName: string): BlockKind | null {
  if (markup.has(tagName)) return null;
  const parts = tagName
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]/);
  if (parts.some((word) => personalWords.has(word))) return null;
  if (parts.some((word) => outputWords.has(word))) return 'output';
  return parts.some((word) => documentWords.has(word)) ? 'document' : null;
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}
