import { closeSync, openSync, writeSync } from 'node:fs';

/** A random number generator with a fixed seed. */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * limit);
  };
}

const words =
  'the parser reads tokens from a stream and reports errors with line numbers so tests in src/lexer.ts fail when cache entries expire before requests finish on port 8080 exit code 1 TypeError undefined is not a function const value = await fetchUser(id) return null'.split(
    ' ',
  );

function text(random: (limit: number) => number, length: number): string {
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const word = `${words[random(words.length)]}${random(9) === 0 ? `\n${random(1000)}` : ''}`;
    parts.push(word);
    size += word.length + 1;
  }
  return parts.join(' ');
}

/** Generates one trajectory as a line of about the given number of characters. */
export function generatedRow(random: (limit: number) => number, id: number, length: number): string {
  const conversations = [
    { from: 'system', value: 'You are an agent that works in a shell.' },
    { from: 'human', value: `Make the tests of part ${id} pass. ${text(random, 120)}` },
  ];
  for (let size = 200; size < length; ) {
    const command = `cat src/file-${random(50)}.ts`;
    const call = `${text(random, 80)}\n<tool_call>\n${JSON.stringify({ name: 'bash', arguments: { command } })}\n</tool_call>`;
    const answer = `<tool_response>\n${text(random, Math.min(length / 6, 200 + random(3_000)))}\n</tool_response>`;
    conversations.push({ from: 'gpt', value: call }, { from: 'tool', value: answer });
    size += call.length + answer.length;
  }
  conversations.push({ from: 'gpt', value: `Done with part ${id}.` });
  return JSON.stringify({ id: `row-${id}`, conversations });
}

export interface GeneratedFile {
  readonly rows: number;
  readonly bytes: number;
}

/** Writes a file of about the given size in bytes: mostly small rows, and a few that are over the target. */
export function writeGenerated(
  path: string,
  bytes: number,
  { smallCharacters = 4_000, largeCharacters = 90_000, largeEvery = 40, seed = 1 } = {},
): GeneratedFile {
  const random = randomNumbers(seed);
  const file = openSync(path, 'w');
  let written = 0;
  let rows = 0;
  for (; written < bytes; rows++) {
    const isLarge = rows % largeEvery === largeEvery - 1;
    written += writeSync(file, `${generatedRow(random, rows, isLarge ? largeCharacters : smallCharacters)}\n`);
  }
  closeSync(file);
  return { rows, bytes: written };
}
