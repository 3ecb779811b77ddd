import { expect, it } from 'vitest';
import { instructionFiles, stateTools } from '../src/index.ts';

it('knows the files from which agents load instructions', () => {
  for (const path of [
    'CLAUDE.md',
    '/repo/AGENTS.md',
    'a/CLAUDE.local.md',
    'GEMINI.md',
    '.cursorrules',
    '.rules',
    'x/rule.mdc',
  ])
    expect([path, instructionFiles.is(path), instructionFiles.mayBeIn(`{"path":"${path}"}`)]).toEqual([
      path,
      true,
      true,
    ]);
  for (const path of [
    'README.md',
    'src/claude.ts',
    'AGENTS.md.bak',
    'my-agents/index.ts',
    'src/agent',
    '/repo/.claude',
  ])
    expect([path, instructionFiles.is(path)]).toEqual([path, false]);
});

it('knows the tools whose results are state', () => {
  expect([...stateTools].sort()).toEqual(['clarify', 'memory', 'skill', 'skill_view', 'todo']);
});
