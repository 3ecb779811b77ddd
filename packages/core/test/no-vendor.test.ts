import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Names of agents and model families. Names of wire formats (`openai`, `anthropic`) are allowed: they are dialects. */
const vendors =
  /claude|codex|opencode|hermes|openhands|swe-?agent|\bcline\b|\broo\b|\bCursor\b|gemini|browser-use|openclaw|autogen|langchain|\bkilo\b|\bgpt\b|llama|qwen|deepseek/i;

it('core names no agent and no model', () => {
  const folder = new URL('../src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    readFileSync(new URL(file, folder), 'utf8')
      .split('\n')
      .flatMap((line, index) => (vendors.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
