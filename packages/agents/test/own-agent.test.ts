import { contentText, type Message, type Part } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import {
  type AgentProfile,
  agentReader,
  createMessageReader,
  createResultReader,
  createToolClassifier,
  knownAgents,
} from '../src/index.ts';

const user = (content: Message['content']): Message => ({ role: 'user', content });
const mine: AgentProfile = {
  name: 'mine',
  tags: { beside: ['Desk-State'], observed: ['probe.out'] },
  openings: [/Heartbeat \d+/],
  answers: { openings: [/The operator says:/], tags: ['words'] },
  tools: { command: ['teleport'], ask: ['bash'] },
  results: { tags: ['box'], errors: [/Kaboom/], answers: [/Operator:/], refusals: [/Operator: no,\s*/] },
  summaries: { openings: [/\[MEMO\]\n/], ends: [/\n\[END\]\n/], contents: [/^Facts:/] },
};

describe('a profile of your own', () => {
  const reader = createMessageReader([...knownAgents, mine]);
  const said = (content: Message['content']): string | null => {
    const { said: own } = reader.separateSpeech(user(content));
    return own && contentText(own.content);
  };

  it('is read along with the known agents', () => {
    expect(said('Heartbeat 12')).toBeNull();
    expect(said('<desk-state>\nx\n</desk-state>\nfix it')).toBe('fix it');
    expect(said('<probe.out>x</probe.out>')).toBeNull();
    expect(said('The operator says: <words>fix it</words>')).toBe('fix it');
    expect(said('<system-reminder>x</system-reminder>\nfix it')).toBe('fix it');
    expect(reader.readForeignHandoff('[MEMO]\nFacts: none')).toEqual({ version: 0, body: 'Facts: none', rest: '' });
    expect(reader.readForeignHandoff('[MEMO]\nx\n[END]\nfix it')).toEqual({ version: 0, body: 'x', rest: 'fix it' });
    expect(reader.readForeignHandoff('[MEMO]\nwhat does this mean?')).toBeNull();
    expect(agentReader.separateSpeech(user('Heartbeat 12')).said).not.toBeNull();
  });

  it('matches opening marks only at the start of a text', () => {
    expect(said('why do I get Heartbeat 12')).toBe('why do I get Heartbeat 12');
  });

  it('classifies its tools, after the agents before it', () => {
    const classify = createToolClassifier([...knownAgents, mine]);
    expect([classify('teleport'), classify('bash'), classify('edit_notebook')]).toEqual([
      'command',
      'command',
      'write',
    ]);
    expect(createToolClassifier([mine, ...knownAgents])('bash')).toBe('ask');
  });

  it('reads its results', () => {
    const results = createResultReader([mine]);
    expect(results.unwrap('<box>\nok\n</box>')).toEqual({ from: 6, to: 8, exitCode: null });
    expect([results.refusalWords('Operator: no, use tea '), results.refusalWords('Operator: no, ')]).toEqual([
      'use tea',
      null,
    ]);
    expect([results.isError('Kaboom!'), results.isAnswer('Operator: no'), results.isError('ok')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a reader without profiles', () => {
  const reader = createMessageReader([]);

  it("recognizes this library's marks, tags named like documents, labels, and bare output", () => {
    for (const written of [
      writeHandoff('## Goal\nNone.'),
      '(empty message)',
      '<todo-snapshot source="session">\n- [ ] docs\n</todo-snapshot>',
      '<attachment name="a.md">\nx\n</attachment>',
      'Command output:\nx',
      'ls\nREADME.md\nuser@host:/repo$',
    ])
      expect(reader.separateSpeech(user(written)).said, written).toBeNull();
    const parts = [{ type: 'text', text: '<ToolOutput>\nok\n</ToolOutput>' }, { type: 'image_url' }] as Part[];
    expect(reader.separateSpeech(user(parts)).said).toBeNull();
  });

  it("treats everything else as a person's words", () => {
    for (const written of ['Heartbeat 12', '[Request interrupted by user]', 'The operator says: <words>x</words>'])
      expect(reader.separateSpeech(user(written)).said, written).not.toBeNull();
    expect(reader.readForeignHandoff('[CONTEXT SUMMARY]:\n## Goal\nx')).toBeNull();
    expect(createToolClassifier([])('bash')).toBe('command');
    expect(createResultReader([]).unwrap('<output>\nok\n</output>')).toEqual({ from: 0, to: 21, exitCode: null });
  });
});
